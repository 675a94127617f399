package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;

/** The policies in the order in which LVM tries them. */
enum Policy {
    CONTIGUOUS,
    CLING,
    CLING_BY_TAGS,
    NORMAL,
    ANYWHERE;

    /** The last one that a group's policy allows. */
    static Policy last(AllocationPolicy policy) {
        return switch (policy) {
            case CONTIGUOUS -> CONTIGUOUS;
            case CLING -> CLING_BY_TAGS;
            case ANYWHERE -> ANYWHERE;
            case NORMAL, INHERIT, UNKNOWN -> NORMAL;
        };
    }
}
