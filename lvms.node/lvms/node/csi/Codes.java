package lvms.node.csi;

import io.grpc.Status;

import lvms.lvm2.LvmException;
import lvms.node.volume.VolumeCode;

/** The gRPC status of each failure; the only place of this package that knows both sides. */
final class Codes {
    private Codes() {}

    static Status statusOf(Exception failure) {
        return switch (failure) {
            case CallException e -> codeOf(e).toStatus().withDescription(e.getMessage());
            case LvmException e ->
                    Status.fromCodeValue(VolumeCode.of(e)).withDescription(e.getMessage());
            case InterruptedException _ -> Status.CANCELLED.withDescription("the caller went away");
            default -> Status.INTERNAL.withDescription(failure.toString());
        };
    }

    /** No default: a new kind does not compile until it has a code. */
    private static Status.Code codeOf(CallException failure) {
        return switch (failure) {
            case CallException.Invalid _ -> Status.Code.INVALID_ARGUMENT;
            case CallException.Missing _ -> Status.Code.NOT_FOUND;
            case CallException.Taken _ -> Status.Code.ALREADY_EXISTS;
            case CallException.Unmet _ -> Status.Code.FAILED_PRECONDITION;
            case CallException.Range _ -> Status.Code.OUT_OF_RANGE;
            case CallException.Later _ -> Status.Code.ABORTED;
            case CallException.Failed _ -> Status.Code.INTERNAL;
        };
    }
}
