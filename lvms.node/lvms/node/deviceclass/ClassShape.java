package lvms.node.deviceclass;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.plan.AllocationSettings;
import lvms.lvm2.plan.CapacityPlanner;
import lvms.lvm2.plan.ExtentLayout;
import lvms.lvm2.plan.VolumeShape;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How {@code lvcreate} spreads a new thick volume of a device class over physical volumes.
 *
 * @param shape the parallel areas
 * @param policy what {@code --alloc} or {@code -C} asks for, else the group's policy
 * @param regionSizeBytes what {@code -R} asks for
 * @param integrity whether each image has checksums ({@code --raidintegrity y})
 */
record ClassShape(
        VolumeShape shape,
        AllocationPolicy policy,
        OptionalLong regionSizeBytes,
        boolean integrity) {
    /**
     * Reads stripes and options as lvcreate(8) does.
     *
     * @return empty if the options ask for a type that the planner does not know, or make no sense
     */
    static Optional<ClassShape> of(OptionalInt stripes, List<String> options) {
        var values = LvcreateValues.of(options);
        stripes.ifPresent(n -> values.put("i", Integer.toString(n)));
        try {
            return shape(values)
                    .map(
                            shape ->
                                    new ClassShape(
                                            shape,
                                            policy(values),
                                            region(values),
                                            integrity(values)));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // lvcreate will refuse it, and say why
        }
    }

    /** Returns the size of the largest volume of this shape that the group has room for. */
    long largestBytes(ExtentLayout layout, AllocationSettings settings) {
        var asked =
                regionSizeBytes.isPresent()
                        ? settings.withRaidRegionSize(regionSizeBytes.getAsLong())
                        : settings;
        var largest = new CapacityPlanner(asked).largest(layout.withAllocation(policy), shape);
        return integrity
                ? IntegrityRoom.without(
                        largest.sizeBytes(), shape.stripes(), layout.extentSizeBytes())
                : largest.sizeBytes();
    }

    /** Returns how many images a RAID volume has; 0 for others. */
    int images() {
        return shape.isRaid() ? shape.allAreas() : 0;
    }

    private static boolean integrity(Map<String, String> values) {
        return values.getOrDefault("raidintegrity", "n").startsWith("y");
    }

    private static Optional<VolumeShape> shape(Map<String, String> values) {
        int copies = number(values, "m", 1) + 1;
        var type = values.getOrDefault("type", defaultType(values));
        return switch (type.replaceAll("_.*", "")) {
            case "linear" -> Optional.of(VolumeShape.linear());
            case "striped" -> Optional.of(VolumeShape.striped(number(values, "i", 1)));
            case "raid0" -> Optional.of(VolumeShape.striped(number(values, "i", 2)));
            // its log takes an extent, as each image's metadata does in a raid1
            case "mirror", "raid1" -> Optional.of(VolumeShape.raid1(copies));
            case "raid4" -> Optional.of(VolumeShape.raid4(number(values, "i", 2)));
            case "raid5" -> Optional.of(VolumeShape.raid5(number(values, "i", 2)));
            case "raid6" -> Optional.of(VolumeShape.raid6(number(values, "i", 3)));
            case "raid10" -> Optional.of(VolumeShape.raid10(number(values, "i", 2), copies));
            default -> Optional.empty();
        };
    }

    /** Mirrors are RAID unless a type says otherwise. */
    private static String defaultType(Map<String, String> values) {
        if (number(values, "m", 0) > 0) {
            return number(values, "i", 1) > 1 ? "raid10" : "raid1";
        }
        return "striped";
    }

    private static int number(Map<String, String> values, String name, int otherwise) {
        return values.containsKey(name) ? Integer.parseInt(values.get(name)) : otherwise;
    }

    private static AllocationPolicy policy(Map<String, String> values) {
        var contiguous = values.getOrDefault("C", "n").startsWith("y") ? "contiguous" : "inherit";
        return switch (values.getOrDefault("alloc", contiguous)) {
            case "inherit" -> AllocationPolicy.INHERIT;
            case "contiguous" -> AllocationPolicy.CONTIGUOUS;
            case "cling", "cling_by_tags" -> AllocationPolicy.CLING;
            case "normal" -> AllocationPolicy.NORMAL;
            case "anywhere" -> AllocationPolicy.ANYWHERE;
            default -> throw new IllegalArgumentException(values.get("alloc"));
        };
    }

    /** Megabytes unless a unit is given. */
    private static OptionalLong region(Map<String, String> values) {
        if (!values.containsKey("R")) {
            return OptionalLong.empty();
        }
        var text = values.get("R").toLowerCase(Locale.ROOT).replaceAll("i?b$", "");
        int unit = "kmg".indexOf(text.charAt(text.length() - 1));
        long number = Long.parseLong(unit < 0 ? text : text.substring(0, text.length() - 1));
        return OptionalLong.of(number << (unit < 0 ? 20 : 10 * (unit + 1)));
    }
}
