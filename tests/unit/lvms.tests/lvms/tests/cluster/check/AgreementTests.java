package lvms.tests.cluster.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The checker names each disagreement of disk, objects and mounts, and nothing else. */
class AgreementTests {
    private static final String POD_FOLDER = "/var/lib/kubelet/pods/gone/volumes/";
    private final World world = new World();

    private void assertOnly(String disagreement) {
        assertEquals(List.of(disagreement), world.disagreements());
    }

    private void assertFound(String start) {
        var found = world.disagreements();
        assertTrue(found.stream().anyMatch(d -> d.startsWith(start)), found::toString);
    }

    @Test
    void aWorldThatAgreesHasNone() {
        assertEquals(List.of(), world.disagreements());
    }

    @Test
    void aVolumeThatIsNotOnDiskIsLost() {
        world.volumes.remove(1);
        assertFound("LOST LogicalVolume pvc-1: no volume " + World.ID);
        assertFound("DIFFERENT node1: pod default/app, pvc-1: 253:4 is mounted, not");
    }

    @Test
    void aVolumeWithoutAnObjectIsLeaked() {
        world.logicalVolumes.clear();
        assertFound("LEAKED node1: vg1/" + World.ID + " has no LogicalVolume");
        assertFound("LOST PersistentVolume pvc-1: no LogicalVolume has the id");
    }

    @Test
    void volumesOfGroupsThatAreNotOursDoNotCount() {
        world.groups.add(new NodeView.Group("system", "OTHER", 0, Set.of()));
        world.volumes.add(
                new NodeView.Volume(
                        "root", "ROOT", "system", 1, "linear", "", Set.of(), Optional.of("253:0")));
        assertEquals(List.of(), world.disagreements());
    }

    @Test
    void twoVolumesOfOneObjectAreADuplicate() {
        world.volumes.add(World.volume("another"));
        assertFound("DUPLICATE node1: 2 volumes are tagged lvms.volume=pvc-1");
    }

    @Test
    void aSizeThatTheDiskDoesNotHaveIsDifferent() {
        world.logicalVolumes.set(
                0, world.logicalVolumes.get(0).with("2147483648", "status", "currentSize"));
        assertOnly("DIFFERENT LogicalVolume pvc-1: says 2147483648 bytes, the disk 1073741824");
    }

    @Test
    void growthThatIsNotDoneIsUnfinished() {
        world.logicalVolumes.set(0, world.logicalVolumes.get(0).with("2Gi", "spec", "size"));
        assertOnly("UNFINISHED LogicalVolume pvc-1: 2Gi wanted, has 1073741824 bytes");
    }

    @Test
    void anObjectThatTerminatesIsUnfinished() {
        world.logicalVolumes.set(0, World.terminating(world.logicalVolumes.get(0)));
        assertOnly("UNFINISHED LogicalVolume pvc-1: is terminating");
    }

    @Test
    void aLogicalVolumeThatNothingRefersToIsLeaked() {
        world.pods.clear();
        world.claims.clear();
        world.persistentVolumes.clear();
        world.mounts = "";
        assertOnly("LEAKED LogicalVolume pvc-1: nothing refers to it");
    }

    @Test
    void aSnapshotContentRefersToItsVolume() {
        world.contents.add(World.content("lost"));
        assertOnly("LOST VolumeSnapshotContent snapcontent-1: no LogicalVolume has the id lost");
    }

    @Test
    void aVolumeThatTwoObjectsReferToIsADuplicate() {
        world.contents.add(World.content(World.ID));
        assertOnly("DUPLICATE volume " + World.ID + ": two objects refer to it");
    }

    @Test
    void aPersistentVolumeForAnotherNodeIsDifferent() {
        var object = world.logicalVolumes.get(0).with("node2", "spec", "nodeName");
        world.logicalVolumes.set(0, object);
        assertFound("DIFFERENT PersistentVolume pvc-1: is for [node1], lies on node2");
        assertFound("LEAKED LogicalVolume pvc-1: its node is gone: node2");
    }

    @Test
    void aPersistentVolumeWhoseClaimIsGoneIsLeaked() {
        world.claims.clear();
        assertOnly("LEAKED PersistentVolume pvc-1: its claim is gone");
    }

    @Test
    void aReleasedVolumeWaitsForItsRemovalUnlessItIsRetained() {
        world.claims.clear();
        var released = world.persistentVolumes.get(0).with("Released", "status", "phase");
        world.persistentVolumes.set(0, released);
        assertOnly("UNFINISHED PersistentVolume pvc-1: is Released");
        world.persistentVolumes.set(
                0, released.with("Retain", "spec", "persistentVolumeReclaimPolicy"));
        assertEquals(List.of(), world.disagreements());
    }

    @Test
    void aBoundClaimWithoutItsVolumeIsLost() {
        world.persistentVolumes.clear();
        assertFound("LOST PersistentVolumeClaim default/data: its PersistentVolume is gone");
    }

    @Test
    void aMountOfAPodThatIsGoneIsLeaked() {
        world.pods.clear();
        assertOnly(
                "LEAKED node1: mount /var/lib/kubelet/pods/pod-uid/volumes/kubernetes.io~csi/pvc-1"
                        + "/mount: the pod is gone");
    }

    @Test
    void aMountElsewhereIsLeaked() {
        world.mounts += "91 20 253:4 / /mnt rw shared:1 - xfs /dev/vg1/x rw\n";
        assertOnly("LEAKED node1: " + World.ID + " is mounted at /mnt");
    }

    @Test
    void aPodWithoutItsMountHasLostIt() {
        world.mounts = "";
        assertOnly("LOST node1: pod default/app, pvc-1 is not mounted");
    }

    @Test
    void anotherDeviceAtThePlaceOfAVolumeIsDifferent() {
        world.mounts = world.mounts.replace("253:4", "253:5");
        assertFound("DIFFERENT node1: pod default/app, pvc-1: 253:5 is mounted, not");
    }

    @Test
    void loopDevicesAndPathsOfAPodThatIsGoneAreLeaked() {
        var device = "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/pvc-2/dev/gone";
        world.loops.put("loop0", device);
        world.paths.add(POD_FOLDER + "kubernetes.io~csi/pvc-2");
        assertEquals(
                List.of(
                        "LEAKED node1: loop0 on " + device + ": the pod is gone",
                        "LEAKED node1: path "
                                + POD_FOLDER
                                + "kubernetes.io~csi/pvc-2: the pod is gone"),
                world.disagreements());
    }

    @Test
    void whatKubeletLeftOfAPodIsForgottenWhileTheVolumeLives() {
        var publish = "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/";
        world.paths.add(publish + "pvc-1/gone");
        world.paths.add(publish + "pvc-2/gone");
        world.paths.add(POD_FOLDER + "kubernetes.io~csi/pvc-1");
        assertEquals(
                List.of(
                        "FORGOTTEN node1: path " + publish + "pvc-1/gone: the pod is gone",
                        "LEAKED node1: path " + publish + "pvc-2/gone: the pod is gone",
                        "FORGOTTEN node1: path "
                                + POD_FOLDER
                                + "kubernetes.io~csi/pvc-1: the pod is gone"),
                world.disagreements());
    }

    @Test
    void aDeviceWithoutItsVolumeIsLeakedAndASuspendedOneUnfinished() {
        var uuid = "LVM-" + "g".repeat(32) + "v".repeat(32);
        world.devices.add(new NodeView.Mapped("vg1-x", uuid, true));
        world.devices.add(new NodeView.Mapped("luks", "CRYPT-1", false));
        assertEquals(
                List.of(
                        "UNFINISHED node1: device vg1-x is suspended",
                        "LEAKED node1: device vg1-x has no logical volume"),
                world.disagreements());
    }

    @Test
    void freeSpaceThatTheDiskDoesNotHaveIsDifferent() {
        world.nodes.set(
                0,
                world.nodes.get(0).with("1", "metadata", "annotations", "capacity.topolvm.io/vg1"));
        assertFound("DIFFERENT Node node1: capacity.topolvm.io/vg1 is 1, free are 20401094656");
        assertFound("DIFFERENT CSIStorageCapacity of lvms-vg1 on node1: says");
    }

    @Test
    void eachClassHasOneCapacityOnEachNode() {
        world.capacities.add(world.capacities.get(0).with("csisc-2", "metadata", "name"));
        assertOnly("DUPLICATE CSIStorageCapacity of lvms-vg1 on node1: 2 objects");
        world.capacities.clear();
        assertOnly("LOST CSIStorageCapacity of lvms-vg1 on node1: there is none");
    }

    @Test
    void aCapacityOfAClassThatIsGoneIsLeaked() {
        world.capacities.add(world.capacities.get(0).with("gone", "storageClassName"));
        assertOnly(
                "LEAKED CSIStorageCapacity lvms-system/csisc-1: is about something that is gone:"
                        + " gone {topology.topolvm.io/node=node1}");
    }

    @Test
    void aStagingFolderBelongsToAVolumeOfAPod() {
        var csi = "/var/lib/kubelet/plugins/kubernetes.io/csi/topolvm.io/";
        var used = "fce016917487801c4624ab735aab9c424050e759cf7445eec864292e474aa3ee";
        world.paths.add(csi + used + "/globalmount");
        assertEquals(List.of(), world.disagreements());
        world.paths.add(csi + "0".repeat(64) + "/globalmount");
        assertOnly(
                "LEAKED node1: path "
                        + world.paths.getLast()
                        + ": no pod has a volume of that name");
    }
}
