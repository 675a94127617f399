package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * RAID layout of the volumes of a thick device class.
 *
 * @param type RAID level
 * @param mirrors additional copies, only for raid1 and raid10; absent means 1
 * @param stripes data stripes, not for raid1; absent leaves it to LVM
 * @param stripeSize bytes of one stripe chunk, not for raid1; absent leaves it to LVM
 */
public record RaidConfig(
        RaidType type, OptionalInt mirrors, OptionalInt stripes, Optional<Quantity> stripeSize) {
    private static final int DEFAULT_MIRRORS = 1;
    private static final int DEFAULT_STRIPES = 2;
    private static final int DEFAULT_RAID6_STRIPES = 3;

    public RaidConfig {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(mirrors, "mirrors");
        Objects.requireNonNull(stripes, "stripes");
        Objects.requireNonNull(stripeSize, "stripeSize");
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if the type is unknown or the stripe size is not a quantity
     */
    public static RaidConfig of(ObjectTree tree) {
        return new RaidConfig(
                RaidType.of(Fields.text(tree, "type")),
                Fields.integer(tree, "mirrors"),
                Fields.integer(tree, "stripes"),
                Fields.quantity(tree, "stripeSize"));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("type", type.text());
        mirrors.ifPresent(count -> tree.put("mirrors", count));
        stripes.ifPresent(count -> tree.put("stripes", count));
        stripeSize.ifPresent(size -> tree.put("stripeSize", size.toString()));
        return tree.build();
    }

    /** Returns the number of additional copies in force. */
    public int effectiveMirrors() {
        return mirrors.orElse(DEFAULT_MIRRORS);
    }

    /** Returns the smallest number of devices that one volume needs. */
    public int minimumDevices() {
        return switch (type) {
            case RAID1 -> effectiveMirrors() + 1;
            case RAID4, RAID5 -> stripes.orElse(DEFAULT_STRIPES) + 1;
            case RAID6 -> stripes.orElse(DEFAULT_RAID6_STRIPES) + 2;
            case RAID10 -> 2 * (effectiveMirrors() + 1);
        };
    }
}
