package lvms.node.volume;

import io.grpc.Status;

import lvms.lvm2.LvmException;

/** The gRPC code of each failure of LVM, as it stands in status.code and in CSI's answers. */
public final class VolumeCode {
    private VolumeCode() {}

    /** Returns the code; no default, so a new kind does not compile until it has one. */
    public static int of(LvmException failure) {
        return codeOf(failure).value();
    }

    /**
     * Returns whether the same call may succeed a moment later, or may have succeeded. Such a
     * failure is not written to a new volume's status: the operator would give the volume up.
     */
    static boolean passing(LvmException failure) {
        return switch (failure) {
            case LvmException.LockBusy _,
                    LvmException.OutcomeUnknown _,
                    LvmException.Unavailable _ ->
                    true;
            case LvmException.NotFound _,
                    LvmException.AlreadyExists _,
                    LvmException.OutOfSpace _,
                    LvmException.InUse _,
                    LvmException.InvalidArgument _,
                    LvmException.MissingDevice _,
                    LvmException.CommandFailed _ ->
                    false;
        };
    }

    private static Status.Code codeOf(LvmException failure) {
        return switch (failure) {
            case LvmException.NotFound _ -> Status.Code.NOT_FOUND;
            case LvmException.AlreadyExists _ -> Status.Code.ALREADY_EXISTS;
            case LvmException.OutOfSpace _ -> Status.Code.RESOURCE_EXHAUSTED;
            case LvmException.InUse _ -> Status.Code.FAILED_PRECONDITION;
            case LvmException.LockBusy _ -> Status.Code.ABORTED;
            case LvmException.InvalidArgument _ -> Status.Code.INVALID_ARGUMENT;
            case LvmException.MissingDevice _ -> Status.Code.FAILED_PRECONDITION;
            case LvmException.CommandFailed _ -> Status.Code.INTERNAL;
            case LvmException.OutcomeUnknown _ -> Status.Code.UNAVAILABLE;
            case LvmException.Unavailable _ -> Status.Code.UNAVAILABLE;
        };
    }
}
