package lvms.lvm2;

/** How LVM chooses the extents of a new volume; lvm(8), section on allocation. */
public enum AllocationPolicy {
    /** One run of extents on one physical volume for each parallel area. */
    CONTIGUOUS,
    /** New extents stay on the physical volumes that the volume already has. */
    CLING,
    /** Parallel areas lie on different physical volumes. LVM's default for groups. */
    NORMAL,
    /** Parallel areas may share a physical volume. */
    ANYWHERE,
    /** Whatever the group says; only of logical volumes. */
    INHERIT,
    /** A letter that this library does not know. */
    UNKNOWN;

    /** Reads the letter that {@code vg_attr} (fifth) and {@code lv_attr} (third) have for it. */
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
