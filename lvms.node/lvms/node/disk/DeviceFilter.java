package lvms.node.disk;

import lvms.api.disk.ClassChoice;
import lvms.node.disk.DeviceVerdict.Kind;

import java.util.List;
import java.util.stream.Stream;

/**
 * Decides which devices a volume group may take. A device has to pass every filter; each filter it
 * fails gives one reason.
 *
 * @param volumeGroup name of the volume group
 * @param choice what its class itself has against a device
 * @param inventory every physical volume, of any volume group
 */
public record DeviceFilter(String volumeGroup, ClassChoice choice, Inventory inventory) {
    /** Judges every device of the inventory. */
    public List<DeviceVerdict> judge() {
        return inventory.devices().stream().map(this::judge).toList();
    }

    DeviceVerdict judge(NodeDevice device) {
        if (inventory.pvs().stream().anyMatch(pv -> pv.isOn(device) && pv.isIn(volumeGroup))) {
            return new DeviceVerdict(device, Kind.MEMBER, List.of());
        }
        if (device.type().equals("lvm")) {
            return new DeviceVerdict(device, Kind.LOGICAL_VOLUME, List.of());
        }
        var obstacles = new DeviceObstacles(new ListedPvs(inventory, volumeGroup));
        var reasons =
                Stream.concat(
                                choice.objections(
                                        device.name(), device.kernelName(), device.sizeBytes()),
                                obstacles.of(device).stream())
                        .toList();
        return new DeviceVerdict(
                device, reasons.isEmpty() ? Kind.AVAILABLE : Kind.EXCLUDED, reasons);
    }
}
