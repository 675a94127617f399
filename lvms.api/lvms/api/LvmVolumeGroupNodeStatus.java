package lvms.api;

import lvms.api.disk.Disk;
import lvms.api.field.Fields;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ListTree;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * An LVMVolumeGroupNodeStatus: what one node reports about all its volume groups.
 *
 * <p>Its name is the node's name. The report is in the spec, as it always was.
 *
 * @param object the object with every field
 * @param volumeGroups one entry for each volume group on the node
 * @param disks the block devices of the node; empty before its agent has looked
 */
public record LvmVolumeGroupNodeStatus(
        KubeObject object, List<VolumeGroupStatus> volumeGroups, List<Disk> disks) {
    /** LVMVolumeGroupNodeStatus in {@code lvm.topolvm.io/v1alpha1}. */
    public static final ResourceType TYPE =
            new ResourceType(
                    Names.LVM_GROUP,
                    Names.LVM_VERSION,
                    "LVMVolumeGroupNodeStatus",
                    "lvmvolumegroupnodestatuses",
                    true);

    public LvmVolumeGroupNodeStatus {
        Objects.requireNonNull(object, "object");
        volumeGroups = List.copyOf(volumeGroups);
        disks = List.copyOf(disks);
    }

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static LvmVolumeGroupNodeStatus of(KubeObject object) {
        return new LvmVolumeGroupNodeStatus(
                object,
                object.objects("spec", "nodeStatus").stream().map(VolumeGroupStatus::of).toList(),
                object.objects("spec", "disks").stream().map(Disk::of).toList());
    }

    /** Returns the JSON form of {@code spec.nodeStatus}. */
    public static ListTree json(List<VolumeGroupStatus> volumeGroups) {
        return Fields.array(volumeGroups, VolumeGroupStatus::json);
    }

    /** Returns the same without what it says about LVMVolumeGroups of these names. */
    public LvmVolumeGroupNodeStatus without(Set<String> names) {
        return names.isEmpty()
                ? this
                : new LvmVolumeGroupNodeStatus(
                        object,
                        volumeGroups.stream().filter(vg -> !names.contains(vg.name())).toList(),
                        disks);
    }

    /** Returns the name of the node. */
    public String node() {
        return object.name();
    }

    /** Finds the entry of an LVMVolumeGroup. */
    public Optional<VolumeGroupStatus> volumeGroup(String name) {
        return volumeGroups.stream().filter(vg -> vg.name().equals(name)).findFirst();
    }

    /** Finds the entry of a device class; if two claim the name, the one that has devices. */
    public Optional<VolumeGroupStatus> deviceClass(String name) {
        return volumeGroups.stream()
                .filter(vg -> vg.deviceClass().equals(name))
                .min(Comparator.comparing(vg -> vg.devices().isEmpty()));
    }
}
