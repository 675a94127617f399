package lvms.operator.page;

import java.util.Optional;

/**
 * Neighbouring extents of one disk that are for the same; counts are extents.
 *
 * @param volume the name that LVM has for them, hidden ones too; empty if they are free
 * @param type LVM's segment type, such as {@code linear} or {@code raid1}
 */
record ExtentRun(long start, long length, Optional<String> volume, String type) {
    ExtentRun {
        if (start < 0 || length < 1) {
            throw new IllegalArgumentException("a run of " + length + " extents at " + start);
        }
    }

    boolean isFree() {
        return volume.isEmpty();
    }

    long end() {
        return start + length;
    }

    Optional<HiddenName> name() {
        return volume.map(HiddenName::of);
    }

    /** Whether the other one goes on where this one ends, for the same. */
    boolean joins(ExtentRun next) {
        return end() == next.start && volume.equals(next.volume) && type.equals(next.type);
    }

    ExtentRun with(ExtentRun next) {
        return new ExtentRun(start, length + next.length, volume, type);
    }
}
