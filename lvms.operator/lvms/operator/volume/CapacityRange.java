package lvms.operator.volume;

/**
 * The sizes a caller accepts.
 *
 * @param requiredBytes lower bound, 0 for none
 * @param limitBytes upper bound, 0 for none
 */
public record CapacityRange(long requiredBytes, long limitBytes) {
    /** Any size. */
    public static final CapacityRange ANY = new CapacityRange(0, 0);

    /** Returns the range without an upper bound. */
    public static CapacityRange atLeast(long requiredBytes) {
        return new CapacityRange(requiredBytes, 0);
    }

    /** Returns whether nothing was asked for. */
    public boolean any() {
        return requiredBytes == 0 && limitBytes == 0;
    }

    /** Returns whether a volume of this size lies within the range. */
    public boolean accepts(long bytes) {
        return bytes >= requiredBytes && (limitBytes == 0 || bytes <= limitBytes);
    }
}
