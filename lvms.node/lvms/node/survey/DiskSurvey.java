package lvms.node.survey;

import lvms.api.disk.Disk;
import lvms.node.disk.DeviceObstacles;
import lvms.node.disk.Inventory;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.PvLabels;
import lvms.node.vgmanager.plan.WipeFamily;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Describes the devices of a node for those who cannot look themselves. What changes with every pod
 * and every volume is left out, so that two surveys of the same disks are equal.
 *
 * @param inventory the devices
 * @param labels who a device with LVM's label belongs to
 * @param data whether a device that seems empty has data
 */
public record DiskSurvey(Inventory inventory, PvLabels labels, DataLook data) {
    /** An object in the API server has room for about this many. */
    static final int MOST = 1000;

    /** Looks for unknown data on a device that seems empty. */
    @FunctionalInterface
    public interface DataLook {
        boolean hasData(NodeDevice device) throws IOException;
    }

    /** Returns every device but logical volumes. */
    public List<Disk> disks() {
        var disks = new ArrayList<Disk>();
        for (var device : InventoryReader.withoutVolumes(inventory.devices())) {
            if (disks.size() < MOST) {
                disks.add(disk(device));
            }
        }
        return disks;
    }

    private Disk disk(NodeDevice device) {
        var obstacles = new ArrayList<>(new DeviceObstacles(labels).lasting(device));
        var group = labels.group(device).filter(_ -> device.isLvmMember()).orElse("");
        boolean unknown = false;
        try {
            unknown = obstacles.isEmpty() && !device.isLvmMember() && data.hasData(device);
        } catch (IOException e) {
            obstacles.add(device.name() + " could not be examined: " + e.getMessage());
        }
        var hardware = device.hardware();
        return new Disk(
                device.name(),
                device.kernelName(),
                hardware.links(),
                device.type(),
                device.sizeBytes(),
                hardware.rotational(),
                hardware.model(),
                hardware.serial(),
                device.signature().or(device::partitionTable).orElse(""),
                device.children(),
                group,
                unknown,
                obstacles,
                obstacles.isEmpty() ? Optional.empty() : keptFromWipe(device));
    }

    private Optional<String> keptFromWipe(NodeDevice device) {
        return WipeFamily.of(device, inventory).objection(Set.of());
    }
}
