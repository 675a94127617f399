package lvms.node.disk;

import lvms.api.Names;
import lvms.lvm2.VolumeGroupReport;

import java.util.List;

/**
 * Devices and LVM of this node at one moment.
 *
 * @param devices every block device
 * @param groups every volume group with its parts
 * @param pvs every physical volume, also those in no group
 */
public record Inventory(
        List<NodeDevice> devices, List<VolumeGroupReport> groups, List<KnownPv> pvs) {
    public Inventory {
        devices = List.copyOf(devices);
        groups = List.copyOf(groups);
        pvs = List.copyOf(pvs);
    }

    public List<VolumeGroupReport> groupsNamed(String name) {
        return groups.stream().filter(report -> report.group().name().equals(name)).toList();
    }

    /** Returns whether there is a volume group of that name with our tag. */
    public boolean hasOurs(String name) {
        return groupsNamed(name).stream()
                .anyMatch(report -> report.group().tags().contains(Names.VOLUME_GROUP_TAG));
    }
}
