package lvms.node.disk;

import lvms.api.Names;
import lvms.lvm2.VolumeGroupReport;

import java.util.List;
import java.util.Optional;

/**
 * Devices and LVM of this node at one moment.
 *
 * @param devices every block device
 * @param groups every volume group with its parts
 * @param pvs every physical volume that LVM lists, also those in no group
 * @param unlisted devices with LVM's label that LVM does not list
 */
public record Inventory(
        List<NodeDevice> devices,
        List<VolumeGroupReport> groups,
        List<KnownPv> pvs,
        List<UnlistedPv> unlisted) {
    public Inventory {
        devices = List.copyOf(devices);
        groups = List.copyOf(groups);
        pvs = List.copyOf(pvs);
        unlisted = List.copyOf(unlisted);
    }

    public List<VolumeGroupReport> groupsNamed(String name) {
        return groups.stream().filter(report -> report.group().name().equals(name)).toList();
    }

    /** Returns whether there is a volume group of that name with our tag. */
    public boolean hasOurs(String name) {
        return groupsNamed(name).stream()
                .anyMatch(report -> report.group().tags().contains(Names.VOLUME_GROUP_TAG));
    }

    /** Returns the device of that kernel name, such as {@code /dev/sda}. */
    public Optional<NodeDevice> device(String kernelName) {
        return devices.stream().filter(d -> d.kernelName().equals(kernelName)).findFirst();
    }

    public Optional<UnlistedPv> unlisted(NodeDevice device) {
        return unlisted.stream()
                .filter(pv -> pv.kernelName().equals(device.kernelName()))
                .findFirst();
    }

    /**
     * Returns whether the group once gave this device up while it was missing, so that its label is
     * outdated: LVM does not list it, and it names this very group.
     */
    boolean gaveUp(String group, UnlistedPv pv) {
        return groupsNamed(group).stream()
                .anyMatch(
                        report ->
                                pv.group()
                                        .filter(g -> g.uuid().equals(report.group().uuid()))
                                        .isPresent());
    }
}
