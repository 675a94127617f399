package lvms.api;

import java.util.List;

/** Names of gRPC status codes; source: google.golang.org/grpc/codes. */
final class GrpcCodes {
    private static final int UNKNOWN = 2;
    private static final List<String> NAMES =
            List.of(
                    "OK",
                    "CANCELLED",
                    "UNKNOWN",
                    "INVALID_ARGUMENT",
                    "DEADLINE_EXCEEDED",
                    "NOT_FOUND",
                    "ALREADY_EXISTS",
                    "PERMISSION_DENIED",
                    "RESOURCE_EXHAUSTED",
                    "FAILED_PRECONDITION",
                    "ABORTED",
                    "OUT_OF_RANGE",
                    "UNIMPLEMENTED",
                    "INTERNAL",
                    "UNAVAILABLE",
                    "DATA_LOSS",
                    "UNAUTHENTICATED");

    private GrpcCodes() {}

    /** Returns the number of a name; a name that does not exist is a failure all the same. */
    static int number(String name) {
        int index = NAMES.indexOf(name);
        return index < 0 ? UNKNOWN : index;
    }
}
