package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.UnclaimedVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.Now;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.erasure.Marks;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * LogicalVolumes that were deleted without their volumes and made again, as from a backup, find
 * them: real LVM on a loop device, an API server over HTTPS.
 */
@Timeout(120)
@Safety(14)
class RestoredVolumeTests extends VolumeControllerCase {
    private static final String OLD = "0e3b4c5d-1111-2222-3333-444455556666";

    /** Makes the object again, with the annotations that it had. */
    private void restore(LogicalVolume before) throws Exception {
        var again =
                LogicalVolume.create(Driver.TOPOLVM, before.spec(), before.object().annotations());
        kube.create(LogicalVolume.TYPE, again);
    }

    /** Deletes the object and leaves LVM alone. */
    private LogicalVolume lose(String name) throws Exception {
        var last = get(name);
        controller.close();
        kube.removeFinalizer(LogicalVolume.TYPE, last.object(), Driver.TOPOLVM.volumeFinalizer());
        delete(name);
        controller = controller();
        return last;
    }

    private LogicalVolume annotated(LogicalVolume volume, String volumeId) {
        return LogicalVolume.of(
                volume.object()
                        .with(
                                volumeId,
                                "metadata",
                                "annotations",
                                Driver.TOPOLVM.volumeIdAnnotation()));
    }

    private String topolvms(String name) throws Exception {
        var volume = new LvName(VG, name);
        return lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of())).uuid();
    }

    @Test
    void aVolumeIsFoundByItsTag() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        restore(lose("pvc-1"));
        assertEquals(id, made("pvc-1").status().volumeId());
        assertNotEquals(id, get("pvc-1").uid());
        assertEquals(Set.of(id), inLvm());
        delete("pvc-1");
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void aRestoredVolumeGrows() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        restore(lose("pvc-1"));
        made("pvc-1");
        var patch = ObjectTree.builder();
        patch.put("size", "16Mi");
        var spec = ObjectTree.builder();
        spec.put("spec", patch.build());
        kube.mergePatch(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"), spec.build());
        await("it grows", () -> get("pvc-1").bytes() == 16 * MIB);
        assertEquals(16 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
    }

    @Test
    void aVolumeOfTopolvmIsFoundByTheAnnotation() throws Exception {
        topolvms(OLD);
        restore(annotated(volume("pvc-1"), OLD));
        assertEquals(OLD, made("pvc-1").status().volumeId());
        assertEquals(Set.of(OLD), inLvm());
    }

    @Test
    void aVolumeOfTopolvmIsFoundByItsPersistentVolume() throws Exception {
        topolvms(OLD);
        kube.create(Types.PV, persistentVolume("pvc-1", OLD));
        restore(volume("pvc-1"));
        assertEquals(OLD, made("pvc-1").status().volumeId());
        assertEquals(Set.of(OLD), inLvm());
    }

    @Test
    void noEmptyVolumeIsMadeForOneThatIsAwayAndItIsFoundWhenItComesBack() throws Exception {
        kube.create(Types.PV, persistentVolume("pvc-1", OLD));
        restore(volume("pvc-1"));
        failed("pvc-1", 5);
        assertTrue(get("pvc-1").status().message().contains(OLD), get("pvc-1").status().message());
        assertEquals(Set.of(), inLvm());
        topolvms(OLD);
        controller.close();
        controller = controller();
        assertEquals(OLD, made("pvc-1").status().volumeId());
        assertEquals(StatusCode.OK, get("pvc-1").status().code());
    }

    /** Who deletes it now would take the disks for erased when they are back. */
    @Test
    void anObjectWhoseVolumeIsAwayWithItsGroupStays() throws Exception {
        var away =
                new NodeDeviceClass(
                        "thick",
                        "lvmsaway",
                        true,
                        new NodeDeviceClass.Provisioning.Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty());
        classes.publish(new DeviceClasses(List.of(away), Map.of()));
        restore(annotated(volume("pvc-1"), OLD));
        failed("pvc-1", 5);
        requestDeletion("pvc-1");
        await("it says why it stays", () -> get("pvc-1").status().code().number() == 9);
        assertTrue(get("pvc-1").status().message().contains("bring its disks back"));
    }

    @Test
    void theVolumeOfAnotherObjectIsNotTaken() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        restore(annotated(volume("pvc-2"), id));
        failed("pvc-2", 9);
        delete("pvc-2");
        assertEquals(Set.of(id), inLvm());
    }

    @Test
    void ofTwoVolumesWithTheTagNoneIsTaken() throws Exception {
        for (var name : List.of("one", "two")) {
            var tags = Set.of(Names.VOLUME_NAME_TAG + "pvc-1");
            lvm.volumes().createThick(new NewThickVolume(new LvName(VG, name), 8 * MIB, tags));
        }
        restore(volume("pvc-1"));
        failed("pvc-1", 9);
        assertEquals(Set.of("one", "two"), inLvm());
    }

    @Test
    void aVolumeWithoutAnObjectIsReportedAndKept() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        topolvms(OLD);
        lose("pvc-1");
        await(
                "it is reported",
                () -> controller.check().orElseThrow().unclaimed("thick").size() == 2);
        assertEquals(
                Set.of(
                        new UnclaimedVolume(id, "pvc-1", Quantity.ofBytes(8 * MIB)),
                        new UnclaimedVolume(OLD, "", Quantity.ofBytes(8 * MIB))),
                Set.copyOf(controller.check().orElseThrow().unclaimed("thick")));
        assertEquals(Set.of(id, OLD), inLvm());
    }

    /** An object of a new volume loses its finalizer before the volume is zeroed. */
    @Test
    void aVolumeThatIsNotZeroedYetIsReportedWithoutAnObject() throws Exception {
        var name = new LvName(VG, OLD);
        var tags = Set.of(Marks.UNERASED);
        lvm.volumes().createThick(new NewThickVolume(name, 8 * MIB, tags));
        await(
                "it is reported",
                () -> controller.check().orElseThrow().unclaimed("thick").size() == 1);
    }

    /** The annotation or the PersistentVolume says that somebody has got the volume. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noEmptyVolumeIsMadeIfTheStatusIsClearedWhileTheVolumeIsAway(boolean annotated)
            throws Exception {
        controller.close();
        kube.create(LogicalVolume.TYPE, volume("pvc-1").object());
        var uid = get("pvc-1").uid();
        if (annotated) {
            var key = Driver.TOPOLVM.volumeIdAnnotation();
            var patch = "metadata: {annotations: {" + key + ": " + uid + "}}";
            kube.mergePatch(
                    LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"), Yaml.read(patch).asObject());
        } else {
            kube.create(Types.PV, persistentVolume("pvc-1", uid));
        }
        controller = controller();
        failed("pvc-1", 5);
        assertEquals(Set.of(), inLvm());
        controller.close();
        topolvms(uid);
        controller = controller();
        assertEquals(uid, made("pvc-1").status().volumeId());
        assertEquals(Set.of(uid), inLvm());
    }

    @Test
    void anObjectWithoutAVolumeSaysSoUntilItIsBack() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        controller.close();
        var name = new LvName(VG, id);
        var away = lvm.volumes().rename(Now.volume(lvm, name), "away").name();
        controller = controller();
        failed("pvc-1", 5);
        assertEquals(id, get("pvc-1").status().volumeId());
        controller.close();
        lvm.volumes().rename(Now.volume(lvm, away), id);
        controller = controller();
        await("it is well", () -> get("pvc-1").status().code() == StatusCode.OK);
    }

    private static LogicalVolume volume(String name) {
        var spec =
                new LogicalVolume.Spec(
                        name, Volumes.NODE, Quantity.parse("8Mi"), "thick", "", "", "");
        return LogicalVolume.of(LogicalVolume.create(Driver.TOPOLVM, spec, Map.of()));
    }

    private static KubeObject persistentVolume(String name, String handle) {
        var capacity = ObjectTree.builder();
        capacity.put("storage", "8Mi");
        var modes = ListTree.builder();
        modes.add("ReadWriteOnce");
        return KubeObject.create(Types.PV, ObjectKey.cluster(name))
                .with(capacity.build(), "spec", "capacity")
                .with(modes.build(), "spec", "accessModes")
                .with(Driver.TOPOLVM.name(), "spec", "csi", "driver")
                .with(handle, "spec", "csi", "volumeHandle");
    }
}
