package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.attribute.AttributeChange;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults.Seen;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.LogicalVolumes;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.Now;
import lvms.lvm2.VolumeGroups;
import lvms.node.definition.TypeInUse;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * LogicalVolume objects become volumes in LVM and go with them, whatever is cut in between: real
 * LVM on a loop device (metadata alone where there is no device-mapper), an API server over HTTPS.
 */
@Timeout(120)
@Lasts(seconds = 35)
class VolumeControllerTests extends VolumeControllerCase {
    private static final String FORBIDDEN =
            """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
             "reason":"Forbidden","message":"no right to read definitions","code":403}
            """;

    private void patch(String name, String part, String field, String value) throws Exception {
        var fields = ObjectTree.builder();
        fields.put(field, value);
        var patch = ObjectTree.builder();
        patch.put(part, fields.build());
        var key = ObjectKey.cluster(name);
        if (part.equals("status")) {
            kube.mergePatchStatus(LogicalVolume.TYPE, key, patch.build());
        } else {
            kube.mergePatch(LogicalVolume.TYPE, key, patch.build());
        }
    }

    private List<String> writes(String name) {
        return server.faults().requests().stream()
                .filter(r -> r.target().contains("/logicalvolumes/" + name))
                .filter(r -> !r.method().equals("GET"))
                .map(Seen::method)
                .toList();
    }

    private static boolean isStatusWrite(Seen request) {
        return request.method().equals("PATCH") && request.target().endsWith("/status");
    }

    @Test
    void aVolumeTakesTwoWritesAndItsDeletionOne() throws Exception {
        create("pvc-1", "10Mi");
        var volume = made("pvc-1");
        assertEquals(volume.object().uid(), volume.status().volumeId());
        assertEquals(12 * MIB, volume.status().currentSize().orElseThrow().bytes());
        assertEquals(List.of(Driver.TOPOLVM.volumeFinalizer()), volume.object().finalizers());
        assertEquals(Names.CREATED_BY, volume.object().labels().get(Names.CREATED_BY_LABEL));
        assertEquals(Set.of(volume.object().uid()), inLvm());
        delete("pvc-1");
        assertEquals(List.of("PATCH", "PATCH", "DELETE", "PATCH"), writes("pvc-1"));
        assertEquals(Set.of(), inLvm());
        assertEquals(2, capacityReports.get());
        assertEquals(List.of("pvc-1"), removed);
    }

    private void limit(String name, String size) throws Exception {
        var limit = Long.toString(Quantity.parse(size).bytes());
        kube.mergePatch(
                LogicalVolume.TYPE,
                ObjectKey.cluster(name),
                MergePatch.of(get(name).object())
                        .annotation(Driver.TOPOLVM.sizeLimitAnnotation(), limit)
                        .set(size, "spec", "size")
                        .json());
    }

    /** Extents have 4 MiB. */
    @Test
    void whatExtentsMakeLargerThanTheLimitIsNeitherMadeNorGrown() throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        "pvc-odd", Volumes.NODE, Quantity.parse("5Mi"), "thick", "", "", "");
        var limited = Map.of(Driver.TOPOLVM.sizeLimitAnnotation(), Long.toString(5 * MIB));
        kube.create(LogicalVolume.TYPE, LogicalVolume.create(Driver.TOPOLVM, spec, limited));
        failed("pvc-odd", 11);
        assertEquals(Set.of(), inLvm());

        create("pvc-1", "8Mi");
        made("pvc-1");
        limit("pvc-1", "9Mi");
        failed("pvc-1", 11);
        assertEquals(8 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
        patch("pvc-1", "spec", "size", "10Mi"); // that limit was of another request
        await("it grows", () -> get("pvc-1").bytes() == 12 * MIB);
    }

    @Test
    void aVolumeWhoseStatusWasNeverWrittenIsFoundByTheNextProcess() throws Exception {
        server.faults().answer(VolumeControllerTests::isStatusWrite, 1000, 500, "down");
        create("pvc-1", "8Mi");
        await("it is in LVM", () -> inLvm().size() == 1);
        var before = lvm.volumes().all(VG).getFirst().uuid();
        controller.close();
        server.faults().clear();
        controller = controller();
        assertEquals(get("pvc-1").object().uid(), made("pvc-1").status().volumeId());
        assertEquals(before, lvm.volumes().all(VG).getFirst().uuid());
        assertEquals(1, inLvm().size());
    }

    @Test
    void aStatusAnswerThatIsLostIsWrittenOnce() throws Exception {
        server.faults().cutAfter(VolumeControllerTests::isStatusWrite, 1);
        create("pvc-1", "8Mi");
        made("pvc-1");
        assertEquals(1, inLvm().size());
    }

    @Test
    void aVolumeDeletedBeforeItsStatusWasWrittenLeavesNothing() throws Exception {
        server.faults().answer(VolumeControllerTests::isStatusWrite, 1000, 500, "down");
        create("pvc-1", "8Mi");
        await("it is in LVM", () -> inLvm().size() == 1);
        delete("pvc-1");
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void failuresHaveTheirCodesAndAreDeletable() throws Exception {
        create("pvc-big", "1Ti");
        failed("pvc-big", 8);
        create("pvc-class", "4Mi", "none", "", "");
        failed("pvc-class", 5);
        create("pvc-source", "4Mi", "thick", "no-such-volume", "rw");
        failed("pvc-source", 5);
        create("pvc-ok", "8Mi");
        made("pvc-ok");
        create("pvc-copy", "4Mi", "thick", "pvc-ok", "rw");
        failed("pvc-copy", 11);
        create("pvc-access", "4Mi", "thick", "pvc-ok", "sideways");
        failed("pvc-access", 3);
        for (var name : List.of("pvc-big", "pvc-class", "pvc-source", "pvc-copy", "pvc-access")) {
            delete(name);
        }
        assertEquals(1, inLvm().size());
    }

    /** Any tenant may name an option class whose layout this group cannot have. */
    @Test
    @Safety(21)
    void whatAnOptionClassCannotHaveTakesNothingFromTheClass() throws Exception {
        var thick = classes.current().find("thick").orElseThrow();
        var options = Map.of("whole", List.of("--alloc", "contiguous"));
        classes.publish(new DeviceClasses(List.of(thick), options));
        var gap = new LvName(VG, "gap");
        lvm.volumes().createThick(new NewThickVolume(gap, 100 * MIB, Set.of()));
        lvm.volumes().createThick(new NewThickVolume(new LvName(VG, "next"), 100 * MIB, Set.of()));
        lvm.volumes().remove(Now.volume(lvm, gap));
        long before = groups.capacity().of(thick, groups.fresh(VG).orElseThrow());
        var spec =
                new LogicalVolume.Spec(
                        "pvc-1", Volumes.NODE, Quantity.parse("120Mi"), "thick", "whole", "", "");
        kube.create(LogicalVolume.TYPE, Volumes.unclaimed(spec));
        failed("pvc-1", 8);
        assertEquals(before, groups.capacity().of(thick, groups.fresh(VG).orElseThrow()));
    }

    /** A disk of another group may hang, and reading all groups waits for it. */
    @Test
    @Safety(23)
    void aVolumeThatNobodyGotIsNotLookedForInOtherGroups() throws Exception {
        controller.close();
        var groups = lvm.groups();
        var limited = proxy(VolumeGroups.class, groups, "names", VolumeControllerTests::hangs);
        lvm = proxy(Lvm.class, lvm, "groups", () -> limited);
        controller = controller();
        create("pvc-big", "1Ti");
        failed("pvc-big", 8);
        delete("pvc-big");
    }

    private static Object hangs() throws LvmException {
        throw new LvmException.Unavailable("a disk of another group gives no answer", null);
    }

    /** The same but for one method. */
    private static <T> T proxy(Class<T> type, T real, String name, Callable<Object> answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            if (method.getName().equals(name)) {
                                return answer.call();
                            }
                            try {
                                return method.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }

    @Test
    void aVolumeGrowsAndAFailedGrowthIsForgotten() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        patch("pvc-1", "spec", "size", "1Ti");
        failed("pvc-1", 8);
        patch("pvc-1", "spec", "size", "16Mi");
        await("it grows", () -> get("pvc-1").status().code() == StatusCode.OK);
        assertEquals(16 * MIB, get("pvc-1").status().currentSize().orElseThrow().bytes());
        assertEquals(16 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
    }

    /** Kubernetes asks for less after a growth was refused, or somebody does meanwhile. */
    @Test
    void theRefusalOfASizeIsNoAnswerToTheNextRequest() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        controller.close();
        var tries = new AtomicInteger();
        var volumes =
                proxy(
                        LogicalVolumes.class,
                        lvm.volumes(),
                        "extend",
                        () -> {
                            if (tries.incrementAndGet() > 1) {
                                throw new LvmException.Unavailable("a disk gives no answer", null);
                            }
                            patch("pvc-1", "spec", "size", "16Mi");
                            throw new LvmException.OutOfSpace("no room for 32 MiB");
                        });
        var limited = proxy(Lvm.class, lvm, "volumes", () -> volumes);
        lvm = proxy(Lvm.class, limited, "limitedTo", () -> limited);
        controller = controller();
        patch("pvc-1", "spec", "size", "32Mi");
        await("the smaller size is tried", () -> tries.get() > 1);
        assertEquals(StatusCode.OK, get("pvc-1").status().code());
    }

    /** Nobody knows whether the new extents have to be zeroed. */
    @Test
    @Safety(17)
    void aVolumeOfAnUnknownClassDoesNotGrow() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        var known = classes.current();
        classes.publish(DeviceClasses.none());
        patch("pvc-1", "spec", "size", "16Mi");
        failed("pvc-1", 5);
        assertEquals(8 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
        classes.publish(known);
        await("it grows", () -> get("pvc-1").status().code() == StatusCode.OK);
        assertEquals(16 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
    }

    @Test
    void aVolumeThatTopolvmFoundWithoutItsSizeIsMeasured() throws Exception {
        controller.close();
        var uid = create("pvc-1", "8Mi").object().uid();
        lvm.volumes().createThick(new NewThickVolume(new LvName(VG, uid), 8 * MIB, Set.of()));
        patch("pvc-1", "status", "volumeID", uid);
        controller = controller();
        assertEquals(8 * MIB, made("pvc-1").status().currentSize().orElseThrow().bytes());
    }

    @Test
    void aVolumeWhoseSizeIsUnknownStillGrows() throws Exception {
        controller.close();
        var uid = create("pvc-1", "8Mi").object().uid();
        lvm.volumes().createThick(new NewThickVolume(new LvName(VG, uid), 8 * MIB, Set.of()));
        patch("pvc-1", "status", "volumeID", uid);
        patch("pvc-1", "spec", "size", "16Mi");
        controller = controller();
        await(
                "it is measured and has grown",
                () ->
                        get("pvc-1")
                                .status()
                                .currentSize()
                                .filter(size -> size.bytes() == 16 * MIB)
                                .isPresent());
        assertEquals(16 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
    }

    @Test
    void aVolumeOfARemovedClassIsRemovedFromLvm() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        classes.publish(DeviceClasses.none());
        delete("pvc-1");
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void aVolumeWhoseGroupIsAwayWaitsWithTheReason() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        controller.close();
        lvm.volumes().remove(Now.volume(lvm, new LvName(VG, get("pvc-1").object().uid())));
        var away =
                new NodeDeviceClass(
                        "thick",
                        "away",
                        true,
                        new Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty());
        classes.publish(new DeviceClasses(List.of(away), Map.of()));
        controller = controller();
        requestDeletion("pvc-1");
        failed("pvc-1", 9);
        assertTrue(get("pvc-1").status().message().contains("away"));
        classes.publish(DeviceClasses.none());
        await("it is gone", () -> !exists("pvc-1"));
    }

    @Test
    void theDataOfADeletedNodeStays() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        var annotations = ObjectTree.builder();
        annotations.put(Driver.TOPOLVM.pendingDeletionAnnotation(), "true");
        var metadata = ObjectTree.builder();
        metadata.put("annotations", annotations.build());
        metadata.put("finalizers", ListTree.EMPTY);
        var patch = ObjectTree.builder();
        patch.put("metadata", metadata.build());
        kube.mergePatch(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"), patch.build());
        requestDeletion("pvc-1");
        await("it is gone", () -> !exists("pvc-1"));
        assertEquals(1, inLvm().size());
    }

    @Test
    void theDataStaysWhenTheWholeTypeIsDeleted() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        server.faults().forgetRequests();
        kube.delete(
                Types.CRD,
                ObjectKey.cluster(LogicalVolume.TYPE.qualifiedPlural()),
                DeleteOptions.any());
        await("it is asked to go", () -> get("pvc-1").object().terminating());
        await(
                "the definition was looked at",
                () ->
                        server.faults().requests().stream()
                                .filter(r -> r.method().equals("GET"))
                                .anyMatch(r -> r.target().contains("customresourcedefinitions")));
        controller.close(); // ends its passes first
        assertEquals(1, inLvm().size());
    }

    /** TopoLVM's chart does not let its node service read definitions. */
    @Test
    void withoutTheRightToReadTheTypeAVolumeIsRemovedLater() throws Exception {
        refuseDefinitions();
        create("pvc-1", "8Mi");
        made("pvc-1");
        var begun = System.nanoTime();
        requestDeletion("pvc-1");
        await("it is gone", () -> !exists("pvc-1"));
        var took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.compareTo(TypeInUse.SETTLING) >= 0, took.toString());
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void withoutTheRightToReadTheTypeTheDataStaysWhenItIsDeleted() throws Exception {
        refuseDefinitions();
        create("pvc-1", "8Mi");
        made("pvc-1");
        server.faults().forgetRequests();
        kube.delete(
                Types.CRD,
                ObjectKey.cluster(LogicalVolume.TYPE.qualifiedPlural()),
                DeleteOptions.any());
        await("it is asked to go", () -> get("pvc-1").object().terminating());
        await(
                "what can be done with the type was asked",
                () ->
                        server.faults().requests().stream()
                                .anyMatch(r -> r.target().equals("/apis/topolvm.io/v1")));
        controller.close(); // ends its passes first
        assertEquals(1, inLvm().size());
        assertTrue(exists("pvc-1"));
    }

    private void refuseDefinitions() {
        server.faults()
                .answer(
                        seen ->
                                seen.target().contains("customresourcedefinitions")
                                        && seen.headers()
                                                .getOrDefault("user-agent", "")
                                                .startsWith(Names.VG_MANAGER),
                        Integer.MAX_VALUE,
                        403,
                        FORBIDDEN);
    }

    @Test
    void anotherNodesVolumesAreNotTouched() throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        "pvc-other", "n2", Quantity.parse("8Mi"), "thick", "", "", "");
        kube.create(LogicalVolume.TYPE, Volumes.unclaimed(spec));
        create("pvc-1", "8Mi");
        made("pvc-1");
        assertEquals(List.of(), get("pvc-other").object().finalizers());
        assertFalse(inLvm().contains(get("pvc-other").object().uid()));
    }

    private void ask(String name, String attributes) throws Exception {
        var key = Driver.TOPOLVM.attributesAnnotation();
        kube.mergePatch(
                LogicalVolume.TYPE, MergePatch.of(get(name).object()).annotation(key, attributes));
    }

    @Test
    void attributesAreGivenAndReadBack() throws Exception {
        create("pvc-1", "8Mi");
        var id = Now.volume(lvm, new LvName(VG, made("pvc-1").status().volumeId()));
        ask("pvc-1", "read-ahead=1Mi,allocation-policy=cling");
        await("they are applied", () -> settled("pvc-1", AttributeChange.State.APPLIED));
        assertEquals(
                new Tuning(
                        Optional.of(Tuning.ReadAhead.ofBytes(MIB)),
                        Optional.of(AllocationPolicy.CLING)),
                lvm.volumes().tuning(id));
    }

    @Test
    void aVolumeThatIsMadeOrGrowsGetsThemInTheSamePass() throws Exception {
        controller.close(); // its node is away
        create("pvc-1", "8Mi");
        ask("pvc-1", "read-ahead=64Ki");
        controller = controller();
        await("it has them", () -> settled("pvc-1", AttributeChange.State.APPLIED));
        controller.close();
        ask("pvc-1", "read-ahead=none");
        patch("pvc-1", "spec", "size", "16Mi");
        controller = controller();
        await("it has others", () -> settled("pvc-1", AttributeChange.State.APPLIED));
        await("it grew", () -> made("pvc-1").status().currentSize().get().bytes() == 16 * MIB);
    }

    /** Whoever asked for it forgets it with a final code, so nobody would ever delete it. */
    @Test
    void aNewVolumeThatCannotHaveItsAttributesIsNotHandedOutAndGoesWithItsObject()
            throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        "pvc-1", Volumes.NODE, Quantity.parse("8Mi"), "thick", "", "", "");
        var wanted = Map.of(Driver.TOPOLVM.attributesAnnotation(), "iops=5");
        kube.create(LogicalVolume.TYPE, LogicalVolume.create(Driver.TOPOLVM, spec, wanted));
        failed("pvc-1", 3);
        assertEquals("", get("pvc-1").status().volumeId());
        delete("pvc-1");
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void whatANodeCannotGiveIsRefusedAndTheTruthIsWritten() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        ask("pvc-1", "allocation-policy=cling");
        await("it is applied", () -> settled("pvc-1", AttributeChange.State.APPLIED));
        ask("pvc-1", "allocation-policy=cling,iops=5");
        await("it is refused", () -> settled("pvc-1", AttributeChange.State.REFUSED));
        var change = AttributeChange.of(get("pvc-1"));
        assertEquals("this node cannot change \"iops\"", change.refusal().orElseThrow().message());
        assertEquals("allocation-policy=cling", change.applied());
        ask("pvc-1", "allocation-policy=normal");
        await("the next is applied", () -> settled("pvc-1", AttributeChange.State.APPLIED));
        assertTrue(AttributeChange.of(get("pvc-1")).refusal().isEmpty());
    }

    private boolean settled(String name, AttributeChange.State state) throws Exception {
        return AttributeChange.of(get(name)).state() == state;
    }
}
