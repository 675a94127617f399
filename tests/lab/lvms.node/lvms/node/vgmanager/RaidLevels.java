package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.Now;
import lvms.node.capacity.ClassCapacity;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Classes of the levels with stripes: their capacity is exactly what can be made; a leg that is
 * lost leaves the volume degraded and its data whole, and a new disk heals it.
 */
record RaidLevels(Lvm lvm, ScsiDisks disks) {
    private static final long EXTENT = 4L << 20;
    private static final long VOLUME = 24L << 20;

    void run() throws Exception {
        live("raid4", 3, "{\"type\": \"raid4\"}");
        live("raid5", 3, "{\"type\": \"raid5\", \"stripes\": 2, \"stripeSize\": \"16Ki\"}");
        live("raid6", 5, "{\"type\": \"raid6\"}");
        live("raid10", 4, "{\"type\": \"raid10\", \"mirrors\": 1, \"stripes\": 2}");
    }

    private void live(String name, int members, String config) throws Exception {
        var deviceClass = new RaidClass(lvm, name, config);
        var before = disks.first(members);
        assertEquals(List.of("CreateGroup"), deviceClass.converge(before));
        exactlyTheCapacityCanBeMade(deviceClass);
        deviceClass.create(deviceClass.volumeName(), VOLUME);
        deviceClass.awaitHealthy(before);
        long capacity = capacity(deviceClass);
        var after = isReplaced(deviceClass, before);
        assertEquals(capacity, capacity(deviceClass), "the new disk is as large as the old one");
        deviceClass.assertEqualImages();
        lvm.volumes().remove(Now.volume(lvm, deviceClass.volumeName()));
        assertEquals(List.of("RemoveGroup"), deviceClass.remove(after));
        assertTrue(lvm.groups().find(name).isEmpty());
        disks.plug(1);
        disks.blank(1);
    }

    private void exactlyTheCapacityCanBeMade(RaidClass deviceClass) throws Exception {
        long capacity = capacity(deviceClass);
        assertTrue(capacity > 0);
        long more = capacity + EXTENT;
        var volume = deviceClass.volumeName();
        assertThrows(LvmException.OutOfSpace.class, () -> deviceClass.create(volume, more));
        deviceClass.create(volume, capacity);
        assertEquals(capacity, deviceClass.volume().sizeBytes());
        assertEquals(0, capacity(deviceClass));
        lvm.volumes().remove(Now.volume(lvm, volume));
    }

    private List<String> isReplaced(RaidClass deviceClass, List<String> before) throws Exception {
        var after = new ArrayList<>(before);
        after.set(1, disks.paths().get(before.size()));
        try (var load = new RaidLoad(deviceClass.path())) {
            load.awaitMore(20);
            disks.pull(1);
            load.awaitMore(20);
            assertEquals(List.of(), deviceClass.converge(before));
            deviceClass.assertLoss(before, before.get(1));
            assertEquals(0, capacity(deviceClass), "LVM makes nothing in a group like this");
            assertEquals(
                    List.of("ExtendGroup", "RepairVolume", "RemoveMissing"),
                    deviceClass.converge(after));
            load.awaitMore(20);
        }
        deviceClass.awaitHealthy(after);
        return after;
    }

    private long capacity(RaidClass deviceClass) throws LvmException, InterruptedException {
        var goal = deviceClass.goal();
        var name = deviceClass.volumeName().vg();
        var asNode =
                new NodeDeviceClass(
                        name,
                        name,
                        true,
                        new Provisioning.Thick(),
                        0,
                        Optional.empty(),
                        goal.lvcreateOptions(),
                        Optional.of(goal.shape()));
        return ClassCapacity.standard().of(asNode, lvm.groups().report(name).orElseThrow());
    }
}
