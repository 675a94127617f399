package lvms.api;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The status codes of gRPC, which say why a volume operation failed. {@code status.code} of a
 * LogicalVolume holds the number; every gRPC service answers with them.
 *
 * <p>The order of the constants is the order of the numbers. Source: google.golang.org/grpc/codes.
 */
public enum StatusCode {
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
    /** The name or the place is taken by something else. */
    ALREADY_EXISTS,
    /** The caller may not do this. */
    PERMISSION_DENIED,
    /** There is not enough room in the requested place. */
    RESOURCE_EXHAUSTED,
    /** The state of volume or node forbids it; a person or another call has to act first. */
    FAILED_PRECONDITION,
    /** Something else is at work on the volume, or this process is not ready: repeat the call. */
    ABORTED,
    /** No such size is possible. */
    OUT_OF_RANGE,
    /** Not supported for this kind of volume. */
    UNIMPLEMENTED,
    /** A tool, the kernel or this program failed. */
    INTERNAL,
    /** Out of service for a while. */
    UNAVAILABLE,
    /** Data was lost. */
    DATA_LOSS,
    /** The caller is not known. */
    UNAUTHENTICATED;

    private static final StatusCode[] BY_NUMBER = values();
    private static final Map<String, StatusCode> BY_NAME =
            Arrays.stream(BY_NUMBER)
                    .collect(Collectors.toMap(StatusCode::name, Function.identity()));

    /** Returns the code of a number, {@link #UNKNOWN} for a number that gRPC does not have. */
    public static StatusCode of(long number) {
        return number < 0 || number >= BY_NUMBER.length ? UNKNOWN : BY_NUMBER[(int) number];
    }

    /** Returns the code of a name, {@link #UNKNOWN} for a name that gRPC does not have. */
    public static StatusCode named(String name) {
        return BY_NAME.getOrDefault(name, UNKNOWN);
    }

    /** Returns the number that stands for the code on the wire. */
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
