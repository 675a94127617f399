package lvms.api.nativestor;

import lvms.api.RaidConfig;
import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A device class of one node.
 *
 * @param className name of the device class
 * @param volumeGroup name of its volume group in LVM
 * @param devices its devices
 * @param isDefault whether volumes that name no class are made here
 * @param spareGb GiB that volumes leave free; absent or 0 means {@link #DEFAULT_SPARE_GB}
 * @param stripe number of stripes of each volume; absent or 0 means one
 * @param stripeSize size of a stripe, as lvcreate takes it; empty leaves it to LVM
 * @param raid RAID layout of its volumes, which NativeStor only planned; absent means none
 */
public record ListedClass(
        String className,
        String volumeGroup,
        List<ListedDevice> devices,
        boolean isDefault,
        OptionalInt spareGb,
        OptionalInt stripe,
        String stripeSize,
        Optional<RaidConfig> raid) {
    /** What volumes leave free if nothing is set: NativeStor left it to TopoLVM, which has this. */
    public static final int DEFAULT_SPARE_GB = 10;

    private static final String RAID = "raidConfig";

    public ListedClass {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(volumeGroup, "volumeGroup");
        devices = List.copyOf(devices);
        Objects.requireNonNull(spareGb, "spareGb");
        Objects.requireNonNull(stripe, "stripe");
        Objects.requireNonNull(stripeSize, "stripeSize");
        Objects.requireNonNull(raid, "raid");
    }

    /** Reads the JSON form. */
    public static ListedClass of(ObjectTree tree) {
        return new ListedClass(
                Fields.text(tree, "className"),
                Fields.text(tree, "volumeGroup"),
                Fields.objects(tree, "devices", ListedDevice::of),
                Fields.flag(tree, "default"),
                Fields.integer(tree, "spareGb"),
                Fields.integer(tree, "stripe"),
                Fields.text(tree, "stripeSize"),
                Fields.object(tree, RAID, RaidConfig::of));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("className", className);
        tree.put("volumeGroup", volumeGroup);
        tree.put("devices", Fields.array(devices, ListedDevice::json));
        Fields.addFlag(tree, "default", isDefault);
        spareGb.ifPresent(size -> tree.put("spareGb", size));
        stripe.ifPresent(count -> tree.put("stripe", count));
        Fields.addText(tree, "stripeSize", stripeSize);
        raid.ifPresent(r -> tree.put(RAID, r.json()));
        return tree.build();
    }
}
