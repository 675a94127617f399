package lvms.api.listing;

import lvms.api.field.Fields;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an LVMVolumeGroup says only if its classes were listed node by node, as in a TopolvmCluster.
 * A class of an LVMCluster says nothing of this.
 *
 * @param deviceClassName name of the device class; absent means the object's name
 * @param volumeGroupName name of the volume group in LVM; absent means the object's name
 * @param spareGb GiB of the volume group that volumes leave free; absent means none
 * @param stripe number of stripes of each volume; absent means one
 * @param stripeSize size of a stripe, as lvcreate takes it; absent leaves it to LVM
 * @param minimumDeviceSize devices that are smaller are not taken; absent means any size
 * @param retainOnDelete whether the volume group stays on the disks when the object goes
 * @param adopt whether a volume group of that name that is not ours yet may be taken over, if all
 *     its physical volumes are among the selected devices
 * @param adoptOn nodes on which that is so even if {@code adopt} is not set
 * @param allowEmptying whether a list of devices may lose its last one, and the volume group with
 *     it; a list without devices then means none, and not every device
 * @param loops loop devices among the selected devices
 */
public record GroupListing(
        Optional<String> deviceClassName,
        Optional<String> volumeGroupName,
        OptionalInt spareGb,
        OptionalInt stripe,
        Optional<String> stripeSize,
        Optional<Quantity> minimumDeviceSize,
        boolean retainOnDelete,
        boolean adopt,
        List<String> adoptOn,
        boolean allowEmptying,
        List<LoopDevice> loops) {
    /** Nothing is said: the volume group of a class of an LVMCluster. */
    public static final GroupListing NONE = of(ObjectTree.EMPTY);

    public GroupListing {
        Objects.requireNonNull(deviceClassName, "deviceClassName");
        Objects.requireNonNull(volumeGroupName, "volumeGroupName");
        Objects.requireNonNull(spareGb, "spareGb");
        Objects.requireNonNull(stripe, "stripe");
        Objects.requireNonNull(stripeSize, "stripeSize");
        Objects.requireNonNull(minimumDeviceSize, "minimumDeviceSize");
        adoptOn = List.copyOf(adoptOn);
        loops = List.copyOf(loops);
    }

    /**
     * Reads the fields from an object that has other fields too.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static GroupListing of(ObjectTree tree) {
        return new GroupListing(
                tree.text("deviceClassName"),
                tree.text("volumeGroupName"),
                Fields.integer(tree, "spareGb"),
                Fields.integer(tree, "stripe"),
                tree.text("stripeSize"),
                Fields.quantity(tree, "minimumDeviceSize"),
                Fields.flag(tree, "retainOnDelete"),
                Fields.flag(tree, "adopt"),
                tree.texts("adoptOn"),
                Fields.flag(tree, "allowEmptying"),
                Fields.objects(tree, "loops", LoopDevice::of));
    }

    /** Returns the same, but for whether the volume group stays when the object goes. */
    public GroupListing retaining(boolean retain) {
        return with(retain, adopt, adoptOn, loops);
    }

    /** Returns the same, but for where a volume group that is not ours yet may be taken over. */
    public GroupListing adopting(boolean everywhere, List<String> nodes) {
        return with(retainOnDelete, everywhere, nodes, loops);
    }

    /** Returns the same with these loop devices. */
    public GroupListing withLoops(List<LoopDevice> devices) {
        return with(retainOnDelete, adopt, adoptOn, devices);
    }

    private GroupListing with(
            boolean retain, boolean everywhere, List<String> nodes, List<LoopDevice> devices) {
        return new GroupListing(
                deviceClassName,
                volumeGroupName,
                spareGb,
                stripe,
                stripeSize,
                minimumDeviceSize,
                retain,
                everywhere,
                nodes,
                allowEmptying,
                devices);
    }

    /** Returns whether a volume group that is not ours yet may be taken over on a node. */
    public boolean adoptsOn(String node) {
        return adopt || adoptOn.contains(node);
    }

    /** Writes the fields to an object that has other fields too; what is not said is left out. */
    public void addTo(ObjectTree.Builder tree) {
        deviceClassName.ifPresent(name -> tree.put("deviceClassName", name));
        volumeGroupName.ifPresent(name -> tree.put("volumeGroupName", name));
        spareGb.ifPresent(size -> tree.put("spareGb", size));
        stripe.ifPresent(count -> tree.put("stripe", count));
        stripeSize.ifPresent(size -> tree.put("stripeSize", size));
        minimumDeviceSize.ifPresent(size -> tree.put("minimumDeviceSize", size.toString()));
        Fields.addFlag(tree, "retainOnDelete", retainOnDelete);
        Fields.addFlag(tree, "adopt", adopt);
        if (!adoptOn.isEmpty()) {
            tree.put("adoptOn", ListTree.ofTexts(adoptOn));
        }
        Fields.addFlag(tree, "allowEmptying", allowEmptying);
        if (!loops.isEmpty()) {
            tree.put("loops", Fields.array(loops, LoopDevice::json));
        }
    }
}
