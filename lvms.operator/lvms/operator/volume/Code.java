package lvms.operator.volume;

/** The gRPC status codes that a volume operation can end with. */
public enum Code {
    /** It worked. */
    OK,
    /** The caller gave up. */
    CANCELLED,
    /** Nobody knows what happened. */
    UNKNOWN,
    /** The request can never work. */
    INVALID_ARGUMENT,
    /** The time ran out; the operation may go on. */
    DEADLINE_EXCEEDED,
    /** The volume or its source does not exist. */
    NOT_FOUND,
    /** The name is taken by something else. */
    ALREADY_EXISTS,
    /** The caller may not do this. */
    PERMISSION_DENIED,
    /** There is no room where room was asked for. */
    RESOURCE_EXHAUSTED,
    /** The state of the volume forbids it for now. */
    FAILED_PRECONDITION,
    /** Something else is at work on it. */
    ABORTED,
    /** The size cannot be had. */
    OUT_OF_RANGE,
    /** Not supported for this kind of volume. */
    UNIMPLEMENTED,
    /** An error inside the driver. */
    INTERNAL,
    /** Out of order for a while. */
    UNAVAILABLE,
    /** Data was lost. */
    DATA_LOSS,
    /** Nobody knows who calls. */
    UNAUTHENTICATED;

    private static final Code[] BY_NUMBER = values();

    /** Returns the code of a gRPC number, {@link #UNKNOWN} for a number that gRPC does not have. */
    public static Code of(long number) {
        return number < 0 || number >= BY_NUMBER.length ? UNKNOWN : BY_NUMBER[(int) number];
    }

    /** Returns the gRPC number. */
    public int number() {
        return ordinal();
    }

    /**
     * Returns whether the operation may still be going on, so that its state must be kept and the
     * same call repeated.
     */
    public boolean inBackground() {
        return switch (this) {
            case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> true;
            default -> false;
        };
    }

    /** Returns whether repeating soon cannot help, since the request itself is at fault. */
    public boolean infeasible() {
        return this == INVALID_ARGUMENT || this == OUT_OF_RANGE || this == NOT_FOUND;
    }
}
