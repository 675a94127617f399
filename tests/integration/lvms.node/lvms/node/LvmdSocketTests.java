package lvms.node;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INTERNAL;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAVAILABLE;
import static io.grpc.Status.Code.UNIMPLEMENTED;
import static io.grpc.Status.Code.UNKNOWN;

import static lvms.node.lvmd.LvmdClient.refused;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.VolumeGroups;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.lvmd.LvmdClient;
import lvms.node.volume.GroupLedgers;
import lvms.proto.health.v1.HealthCheckResponse.ServingStatus;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.tests.lab.machine.LoopDisks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * lvmd's calls over its socket do and answer what TopoLVM's do, with real LVM on loop devices; the
 * lab has what needs a device-mapper.
 */
class LvmdSocketTests {
    private static final long MIB = 1L << 20;
    private static final String UID = "0b2c1f3e-5d4a-4c8b-9e7f-001122334455";

    @TempDir Path folder;
    private final String vg = "lvmd-test-" + ProcessHandle.current().pid();
    private final LiveDeviceClasses classes = new LiveDeviceClasses();
    private final MetricsRegistry metrics = new MetricsRegistry();
    private LoopDisks disks;
    private Lvm lvm;
    private Lvmd lvmd;
    private LvmdClient client;

    @BeforeEach
    void serve() throws Exception {
        assumeTrue(LoopDisks.possible(), "needs root and loop devices");
        disks = new LoopDisks(folder);
        disks.add(96 * MIB);
        lvm = disks.lvm();
        lvm.groups().create(new NewVolumeGroup(vg, disks.all(), Set.of()));
        classes.publish(classes(thick("thick", vg, List.of())));
        var socket = folder.resolve("run/lvmd.sock");
        lvmd =
                new Lvmd(
                        socket,
                        classes,
                        new GroupLedgers(lvm),
                        LoopDisks.deviceMapper(),
                        () -> {},
                        metrics);
        lvmd.start();
        client = new LvmdClient(socket);
    }

    @AfterEach
    void end() {
        for (AutoCloseable part : parts()) {
            try {
                part.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private List<AutoCloseable> parts() {
        var parts = new ArrayList<AutoCloseable>();
        Optional.ofNullable(client).ifPresent(parts::add);
        Optional.ofNullable(lvmd).ifPresent(parts::add);
        Optional.ofNullable(lvm).ifPresent(parts::add);
        Optional.ofNullable(disks).ifPresent(parts::add);
        return parts;
    }

    private static NodeDeviceClass thick(String name, String group, List<String> options) {
        return deviceClass(name, group, new Provisioning.Thick(), options);
    }

    private static NodeDeviceClass deviceClass(
            String name, String group, Provisioning how, List<String> options) {
        return new NodeDeviceClass(
                name,
                group,
                name.equals("thick"),
                how,
                8 * MIB,
                Optional.empty(),
                options,
                Optional.empty());
    }

    @Test
    void aSnapshotInAGroupThatCannotBeReadHasAnUnknownOutcome() {
        var thin = new Provisioning.Thin("pool", 2);
        classes.publish(classes(deviceClass("lost", "nowhere", thin, List.of())));
        refused(UNKNOWN, () -> client.snapshot("lost", "copy", UID, "ro", 0));
    }

    private static DeviceClasses classes(NodeDeviceClass... all) {
        return new DeviceClasses(List.of(all), Map.of("plain", List.of("--alloc=normal")));
    }

    @Test
    void aVolumeIsMadeListedGrownAndRemoved() {
        var made = client.create("thick", UID, 5 * MIB, "one", "two");
        assertEquals(UID, made.getName());
        assertEquals(8 * MIB, made.getSizeBytes(), "whole extents, as read back");
        assertEquals("", made.getPath());
        assertEquals(0, made.getTagsCount());

        var listed = client.list("thick").getFirst();
        assertEquals("/dev/" + vg + "/" + UID, listed.getPath());
        assertEquals(List.of("one", "two"), listed.getTagsList());
        assertEquals(10, listed.getAttr().length());

        assertEquals(8 * MIB, client.resize("", UID, 6 * MIB), "never smaller, and no failure");
        assertEquals(16 * MIB, client.resize("", UID, 13 * MIB));
        client.remove("thick", UID);
        assertEquals(List.of(), client.list("thick"));
    }

    @Test
    void aRequestIsRefusedWithTopolvmsCodes() {
        long free = client.freeBytes("") + 8 * MIB;
        assertTrue(
                refused(NOT_FOUND, () -> client.create("none", UID, MIB))
                        .contains("device-class not found: none"));
        assertTrue(
                refused(RESOURCE_EXHAUSTED, () -> client.create("", UID, free + 1))
                        .contains("free=" + free + ", requested=" + (free + 1)));
        refused(RESOURCE_EXHAUSTED, () -> client.create("", UID, -1));
        refused(INTERNAL, () -> client.create("", UID, 0));
        refused(INTERNAL, () -> client.create("", UID, 4097));
        refused(INTERNAL, () -> client.create("", "", 4096));
        refused(INTERNAL, () -> client.create("", "--help", 4096));
        refused(INTERNAL, () -> client.create("", "a/b", 4096));
        refused(INTERNAL, () -> client.create("", UID, 4096, "-x"));
        refused(NOT_FOUND, () -> client.resize("none", UID, MIB));
        refused(NOT_FOUND, () -> client.resize("", UID, MIB));
        refused(NOT_FOUND, () -> client.remove("", UID));
        refused(NOT_FOUND, () -> client.list("none"));
        refused(NOT_FOUND, () -> client.freeBytes("none"));
        refused(UNIMPLEMENTED, () -> client.snapshot("", "copy", UID, "ro", 0));
        assertEquals(List.of(), client.list(""));
    }

    @Test
    void anUnknownOptionClassIsToldAfterTheFreeSpace() {
        var request = CreateLVRequest.newBuilder().setName(UID).setLvcreateOptionClass("none");
        refused(RESOURCE_EXHAUSTED, () -> client.create(request.setSizeBytes(1L << 40).build()));
        var why = refused(INTERNAL, () -> client.create(request.setSizeBytes(MIB).build()));
        assertTrue(why.contains("none"), why);
        assertEquals(
                4 * MIB,
                client.create(request.setLvcreateOptionClass("plain").build()).getSizeBytes());
    }

    /** The spare is kept out of what is reported, and may be used all the same. */
    @Test
    void theSpareIsAdvice() {
        long reported = client.freeBytes("thick");
        assertEquals(reported + 8 * MIB, client.create("", UID, reported + 8 * MIB).getSizeBytes());
        assertEquals(0, client.freeBytes("thick"));
    }

    /** A repeated request must not be given a volume that somebody else made under the name. */
    @Test
    void aNameThatIsTakenIsRefusedAndLeftAlone() {
        client.create("", "root", 8 * MIB);
        var why = refused(INTERNAL, () -> client.create("", "root", 4 * MIB));
        assertTrue(why.contains("exists already"), why);
        assertEquals(8 * MIB, client.list("").getFirst().getSizeBytes());
    }

    /** TopoLVM says NOT_FOUND, its node takes that as done, and the volume stays for ever. */
    @Test
    void aVolumeWhoseDeviceClassWasTakenOutIsRemovedAndNotOrphaned() {
        client.create("", UID, 4 * MIB);
        classes.publish(classes(thick("other", "another-vg", List.of())));
        client.remove("thick", UID);
        classes.publish(classes(thick("thick", vg, List.of())));
        assertEquals(List.of(), client.names("thick"));
    }

    /** A plain name may be anybody's, so it is neither removed nor said to be gone. */
    @Test
    void aPlainNameWithoutADeviceClassIsNeitherRemovedNorGone() {
        client.create("", "root", 4 * MIB);
        classes.publish(classes(thick("other", "another-vg", List.of())));
        var why = refused(FAILED_PRECONDITION, () -> client.remove("thick", "root"));
        assertTrue(why.contains("put the class back into lvmd.yaml"), why);
        refused(NOT_FOUND, () -> client.remove("thick", "nowhere"));
        classes.publish(classes(thick("thick", vg, List.of())));
        assertEquals(List.of("root"), client.names("thick"));
    }

    /**
     * TopoLVM says NOT_FOUND of a group whose disks are away, and the volumes come back with it.
     */
    @Test
    void aVolumeOfAGroupThatIsAwayIsNotGone() {
        classes.publish(classes(thick("thick", "away-vg", List.of())));
        var why = refused(FAILED_PRECONDITION, () -> client.remove("thick", UID));
        assertTrue(why.contains("bring its disks back"), why);
        refused(INTERNAL, () -> client.create("", UID, 4 * MIB));
        refused(UNKNOWN, () -> client.list(""));
    }

    /** NOT_FOUND would say that it is gone, and nobody would ask for its removal again. */
    @Test
    void aVolumeWhoseGroupComesBackMeanwhileIsNotGone() throws Exception {
        var name = new LvName(vg, "named");
        lvm.volumes().createThick(new NewThickVolume(name, 4 * MIB, Set.of()));
        var late = folder.resolve("run/late.sock");
        var groups = new GroupLedgers(hiding(Lvm.class, lvm, new AtomicInteger(1)));
        try (var second =
                        new Lvmd(
                                late,
                                classes,
                                groups,
                                LoopDisks.deviceMapper(),
                                () -> {},
                                new MetricsRegistry());
                var caller = new LvmdClient(late)) {
            second.start();
            refused(UNAVAILABLE, () -> caller.remove("thick", "named"));
        }
        assertTrue(lvm.volumes().find(name).isPresent());
    }

    /** Does not find a group so many times, as if its disks were away. */
    private static <T> T hiding(Class<T> type, T whole, AtomicInteger times) {
        InvocationHandler calls =
                (_, method, arguments) -> {
                    if (method.getName().equals("report") && times.getAndDecrement() > 0) {
                        return Optional.empty();
                    }
                    var answer = method.invoke(whole, arguments);
                    return answer instanceof VolumeGroups groups
                            ? hiding(VolumeGroups.class, groups, times)
                            : answer;
                };
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    @Test
    void aClassWithoutItsPoolIsAnInternalError() {
        var thin = new Provisioning.Thin("pool", 2);
        classes.publish(classes(deviceClass("thin", vg, thin, List.of())));
        refused(INTERNAL, () -> client.create("thin", UID, 4 * MIB));
        refused(INTERNAL, () -> client.list("thin"));
        refused(INTERNAL, () -> client.freeBytes("thin"));
    }

    @Test
    void watchersSeeTheStateAtOnceAndAfterEachChange() throws Exception {
        long free = client.freeBytes("");
        var first = client.watch();
        var second = client.watch();
        assertEquals(free, first.await(_ -> true).getFreeBytes());
        second.await(m -> m.getFreeBytes() == free);
        client.create("", UID, 4 * MIB);
        first.await(m -> m.getFreeBytes() == free - 4 * MIB);
        second.await(m -> m.getItems(0).getFreeBytes() == free - 4 * MIB);
        client.resize("", UID, 8 * MIB);
        first.await(m -> m.getFreeBytes() == free - 8 * MIB);
        client.remove("", UID);
        first.await(m -> m.getFreeBytes() == free);
        classes.publish(classes(thick("renamed", vg, List.of())));
        first.await(m -> m.getItems(0).getDeviceClass().equals("renamed"));
    }

    @Test
    void nothingIsSentWhenNothingChanges() throws Exception {
        client.create("", UID, 4 * MIB);
        var watch = client.watch();
        watch.await(_ -> true);
        client.resize("", UID, MIB);
        refused(NOT_FOUND, () -> client.remove("", "nowhere"));
        client.list("");
        assertEquals(0, watch.pending());
    }

    /** TopoLVM's lvmd waits for its watchers, so it ends only by SIGKILL. */
    @Test
    void anOpenWatchDoesNotKeepItFromEnding() throws Exception {
        var watch = client.watch();
        watch.await(_ -> true);
        long started = System.nanoTime();
        lvmd.close();
        assertEquals(UNAVAILABLE, watch.ended());
        assertTrue(
                System.nanoTime() - started < 4_000_000_000L, "no call runs, so none is awaited");
    }

    /** An agent whose classes are not read yet must not say that a volume is gone. */
    @Test
    void beforeTheClassesAreKnownNothingIsSaid() throws Exception {
        try (var early =
                        new Lvmd(
                                folder.resolve("early.sock"),
                                new LiveDeviceClasses(),
                                new GroupLedgers(lvm),
                                false,
                                () -> {},
                                new MetricsRegistry());
                var caller = new LvmdClient(folder.resolve("early.sock"))) {
            early.start();
            refused(UNAVAILABLE, () -> caller.remove("thick", UID));
            refused(UNAVAILABLE, () -> caller.create("thick", UID, MIB));
        }
    }

    @Test
    void healthIsServedAndTheSocketIsForItsOwnerAlone() throws Exception {
        assertEquals(ServingStatus.SERVING, client.health());
        var socket = folder.resolve("run/lvmd.sock");
        assertEquals(Optional.empty(), HealthProbe.of(socket, Duration.ofSeconds(5)));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        lvmd.close();
        assertTrue(HealthProbe.of(socket, Duration.ofSeconds(5)).isPresent());
    }

    @Test
    void callsAreCounted() {
        client.list("");
        refused(NOT_FOUND, () -> client.list("none"));
        var text = metrics.text();
        assertTrue(text.contains("grpc_code=\"OK\""), text);
        assertTrue(text.contains("grpc_code=\"NotFound\""), text);
        assertTrue(text.contains("grpc_service=\"proto.VGService\""), text);
    }

    @Test
    void whatTheFileNamesAndTheMachineLacksIsToldInOneLine() throws Exception {
        var groups = new GroupLedgers(lvm);
        assertEquals(Map.of(), Lvmd.missing(classes.current(), groups));
        assertEquals(
                Map.of("a", "there is no volume group no-vg: create it, or correct volume-group"),
                Lvmd.missing(classes(thick("a", "no-vg", List.of())), groups));
        var thin = deviceClass("b", vg, new Provisioning.Thin("pool", 2), List.of());
        assertEquals(
                Map.of(
                        "b",
                        "volume group "
                                + vg
                                + " has no thin pool pool: create it, or correct"
                                + " thin-pool"),
                Lvmd.missing(classes(thin), groups));
        client.create("thick", "pool", 4 * MIB);
        assertEquals(
                Map.of("b", vg + "/pool is no thin pool: correct thin-pool"),
                Lvmd.missing(classes(thin), groups));
    }

    /** An option that is not allowed costs the new volumes of its class, and nothing else. */
    @Test
    void aClassWithARefusedOptionServesTheVolumesThatItHas() {
        client.create("thick", UID, 4 * MIB);
        var options = List.of("--config=x");
        classes.publish(classes(thick("thick", vg, options)));
        assertEquals(0, client.freeBytes("thick"));
        assertEquals(
                "device class \"thick\": lvcreate option is not allowed: --config=x",
                refused(INTERNAL, () -> client.create("thick", UID + "2", 4 * MIB)));
        client.create(
                CreateLVRequest.newBuilder()
                        .setName(UID + "3")
                        .setDeviceClass("thick")
                        .setLvcreateOptionClass("plain")
                        .setSizeBytes(4 * MIB)
                        .build());
        assertEquals(8 * MIB, client.resize("thick", UID, 8 * MIB));
        assertEquals(2, client.list("thick").size());
        client.remove("thick", UID);
        assertEquals(1, client.list("thick").size());
    }
}
