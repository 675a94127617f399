package lvms.lvm2;

/** How LVM chooses the extents of a new volume; lvm(8), section on allocation. */
public enum AllocationPolicy {
    /** One run of extents on one physical volume for each parallel area. */
    CONTIGUOUS,
    /** New extents stay on the physical volumes that the volume already has. */
    CLING,
    /** Parallel areas are on different physical volumes. LVM's default for groups. */
    NORMAL,
    /** Parallel areas may share a physical volume. */
    ANYWHERE,
    /** The group's policy; only a logical volume can have this. */
    INHERIT,
    /** A letter that this library does not know. */
    UNKNOWN;

    /** Reads the policy's letter: the fifth of {@code vg_attr}, the third of {@code lv_attr}. */
    public static AllocationPolicy of(char attribute) {
        return switch (Character.toLowerCase(attribute)) { // a capital: locked against changes
            case 'c' -> CONTIGUOUS;
            case 'l' -> CLING;
            case 'n' -> NORMAL;
            case 'a' -> ANYWHERE;
            case 'i' -> INHERIT;
            default -> UNKNOWN;
        };
    }
}
