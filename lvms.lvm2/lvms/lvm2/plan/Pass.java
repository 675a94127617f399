package lvms.lvm2.plan;

/**
 * How the attempts of one policy choose. LVM tries the stricter policies first, whichever policy
 * the group has.
 */
final class Pass {
    private final Policy policy;
    private final boolean maySplit;
    private final boolean countMatches;
    private boolean clingsToTaken;
    private boolean positional;

    Pass(Policy policy, Request request, boolean maySplit) {
        this.policy = policy;
        this.maySplit = maySplit;
        countMatches =
                !request.grown().isNew() && request.grown().last().size() == request.images();
        boolean strict = policy.compareTo(Policy.NORMAL) < 0;
        boolean anew = isCling() && !countMatches;
        positional = strict && (countMatches || anew);
        clingsToTaken = anew || policy == Policy.NORMAL && request.settings().maximiseCling();
    }

    private boolean isCling() {
        return policy == Policy.CLING || policy == Policy.CLING_BY_TAGS;
    }

    Policy policy() {
        return policy;
    }

    /** Whether the volume may get more than one segment. */
    boolean maySplit() {
        return maySplit;
    }

    /** Whether the volume that grows has as many areas as the request looks for. */
    boolean countMatches() {
        return countMatches;
    }

    /** Whether only runs that continue the volume will do. */
    boolean continues() {
        return policy == Policy.CONTIGUOUS && countMatches;
    }

    /** Whether only physical volumes that the volume is on will do. */
    boolean clingsToVolume() {
        return isCling() && countMatches;
    }

    /** Whether only physical volumes that this request has taken from will do. */
    boolean clingsToTaken() {
        return clingsToTaken;
    }

    /** Whether runs are bound to a certain area, instead of being sorted by size. */
    boolean positional() {
        return positional;
    }

    boolean looksAtPlaces() {
        return continues() || clingsToVolume() || clingsToTaken;
    }

    boolean oneAreaPerTag(ClingTags tags) {
        return policy == Policy.CONTIGUOUS && !tags.isEmpty();
    }

    int positionalAreas(Request request) {
        if (!positional) {
            return 0;
        }
        return countMatches ? request.grown().last().size() : request.areas();
    }

    /** Loosens the rules after an attempt that took nothing; false if they cannot be loosened. */
    boolean loosened(AllocationSettings settings) {
        if (settings.maximiseCling() && clingsToVolume() && positional) {
            positional = false;
            return true;
        }
        if (policy == Policy.NORMAL && clingsToTaken) {
            clingsToTaken = false;
            return true;
        }
        return false;
    }

    /** After an attempt that took something, more from the same physical volumes comes first. */
    void tookSome(AllocationSettings settings) {
        clingsToTaken |= settings.maximiseCling() && policy == Policy.NORMAL;
    }
}
