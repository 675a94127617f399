package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.VolumeGroupState;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.Now;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Volumes in use while their node boots, is selected no more, or its class waits for its end. */
@Lasts(seconds = 30)
class NodeLifeTests extends VolumeGroupCase {
    private static String withPool(Path disk) {
        return selecting(disk)
                .replace(
                        "{\"deviceSelector\"",
                        """
                        {"thinPoolConfig": {"name": "pool", "overprovisionRatio": 10}, \
                         "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [ \
                           {"key": "disk", "operator": "Exists"}]}]}, \
                         "deviceSelector\"\
                        """);
    }

    /** Volumes may be in use in the pool: it has to grow, and to refuse new ones when it cannot. */
    @Test
    @Safety(19)
    void aPoolKeepsItsPolicyOnANodeThatIsNoLongerSelected() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, withPool(disk));
        var pool = new LvName(name, "pool");
        until(() -> manager.wanted(pool).isPresent());
        until(() -> !find(name).orElseThrow().finalizers().isEmpty());
        unlabel();
        var others = "{\"nodeSelector\": {\"nodeSelectorTerms\": [{\"matchExpressions\": [%s]}]}}";
        group(name + "-2", others.formatted("{\"key\": \"disk\", \"operator\": \"DoesNotExist\"}"));
        until(() -> entry(name + "-2").isPresent()); // so the agent knows of the label
        assertTrue(manager.wanted(pool).isPresent());
    }

    @Test
    @Safety(19)
    void aPoolKeepsItsPolicyWhileItsClassWaitsForItsDeletion() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, withPool(disk));
        until(() -> lvm.groups().find(name).isPresent());
        var volume = new LvName(name, "data");
        lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of()));
        manager.lvmChanged();
        delete(name);
        await(name, VolumeGroupState.DEGRADED);
        assertTrue(manager.wanted(new LvName(name, "pool")).isPresent());
    }

    /** A class that erases what is removed, with a volume that somebody has. */
    private Path inUse() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(
                name,
                selecting(disk)
                        .replace(
                                "{\"deviceSelector\"",
                                """
                                {"erasureConfig": {"onRemoval": "zero"}, \
                                 "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [ \
                                   {"key": "disk", "operator": "Exists"}]}]}, \
                                 "deviceSelector\"\
                                """));
        await(name, VolumeGroupState.READY);
        lvm.volumes().createThick(new NewThickVolume(new LvName(name, "data"), 8 * MIB, Set.of()));
        manager.lvmChanged();
        return disk;
    }

    /** A host whose /etc is not persistent boots. */
    private void boot() throws Exception {
        stop();
        Files.delete(folder.resolve("etc/lvmd.yaml"));
        classes = new LiveDeviceClasses();
        start();
        until(classes::known);
    }

    private void requireErasing() {
        var erasure = classes.current().find(name).map(NodeDeviceClass::erasure);
        assertEquals(Optional.of(OnRemoval.ZERO), erasure.map(ErasurePolicy::onRemoval));
    }

    @Test
    @Safety(17)
    void aClassWithVolumesIsKnownAfterABootAlthoughItsGroupIsBlocked() throws Exception {
        hidden.add(inUse());
        boot();
        await(name, VolumeGroupState.DEGRADED);
        requireErasing();
    }

    @Test
    @Safety(17)
    void aClassWithVolumesIsKnownAfterABootAlthoughItWaitsForItsDeletion() throws Exception {
        inUse();
        delete(name);
        await(name, VolumeGroupState.DEGRADED);
        boot();
        requireErasing();
    }

    @Test
    @Safety(17)
    void aClassWithVolumesIsKnownAfterABootAlthoughTheNodeIsNoLongerSelected() throws Exception {
        inUse();
        unlabel();
        boot();
        requireErasing();
    }

    /** Nobody has a volume of it, so nothing is promised before the group is as it should be. */
    @Test
    void aBlockedClassWithoutVolumesIsNotServedAfterABoot() throws Exception {
        var disk = inUse();
        lvm.volumes().remove(Now.volume(lvm, new LvName(name, "data")));
        hidden.add(disk);
        boot();
        assertEquals(Optional.empty(), classes.current().find(name));
    }

    private void unlabel() throws Exception {
        var unlabelled = Json.parse("{\"metadata\": {\"labels\": {\"disk\": null}}}").asObject();
        kube.mergePatch(Types.NODE, ObjectKey.cluster(NODE), unlabelled);
    }

    @Test
    void aRestartFindsEverythingAsItWasAndWritesNothing() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        until(() -> annotation("capacity.topolvm.io/" + name).isPresent());
        until(() -> published(disk).group().equals(name));
        stop();
        long writes = kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation();
        start();
        assertTrue(classes.current().find(name).isPresent());
        until(manager::ready);
        group(name + "-probe", "{}"); // its pass comes after the first one of the other group
        await(name + "-probe", VolumeGroupState.FAILED);
        assertEquals(
                writes + 1,
                kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation(),
                "one write, for the new group");
    }

    @Test
    void aNodeThatIsMadeAnewGetsItsCapacityAgain() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        until(() -> annotation("capacity.topolvm.io/" + name).isPresent());
        until(() -> nodeFinalizers().equals(List.of("topolvm.io/node")));
        var former = kube.get(Types.NODE, ObjectKey.cluster(NODE));
        kube.delete(Types.NODE, former.key(), DeleteOptions.any());
        kube.removeFinalizer(Types.NODE, former, "topolvm.io/node"); // as the operator does
        until(() -> kube.find(Types.NODE, ObjectKey.cluster(NODE)).isEmpty());
        var node = KubeObject.create(Types.NODE, ObjectKey.cluster(NODE));
        kube.create(Types.NODE, node);
        until(() -> annotation("capacity.topolvm.io/" + name).isPresent());
    }
}
