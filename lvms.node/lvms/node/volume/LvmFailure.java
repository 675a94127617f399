package lvms.node.volume;

import lvms.api.StatusCode;
import lvms.lvm2.LvmException;

/** What each failure of LVM means to whoever asked for the volume. */
public final class LvmFailure {
    private LvmFailure() {}

    /**
     * Returns the code. The switch has no default, so a new kind does not compile until it has one.
     */
    public static StatusCode codeOf(LvmException failure) {
        return switch (failure) {
            case LvmException.NotFound _ -> StatusCode.NOT_FOUND;
            case LvmException.AlreadyExists _ -> StatusCode.ALREADY_EXISTS;
            case LvmException.Replaced _ -> StatusCode.ABORTED;
            case LvmException.Unreadable _ -> StatusCode.UNAVAILABLE;
            case LvmException.OutOfSpace _ -> StatusCode.RESOURCE_EXHAUSTED;
            case LvmException.InUse _ -> StatusCode.FAILED_PRECONDITION;
            case LvmException.LockBusy _ -> StatusCode.ABORTED;
            case LvmException.InvalidArgument _ -> StatusCode.INVALID_ARGUMENT;
            case LvmException.MissingDevice _ -> StatusCode.FAILED_PRECONDITION;
            case LvmException.CommandFailed _ -> StatusCode.INTERNAL;
            case LvmException.OutcomeUnknown _ -> StatusCode.UNAVAILABLE;
            case LvmException.Unavailable _ -> StatusCode.UNAVAILABLE;
        };
    }

    /**
     * Returns whether the same call may succeed a moment later, or may have succeeded. Such a
     * failure is not written to a new volume's status: the operator would give the volume up.
     */
    static boolean passing(LvmException failure) {
        return switch (failure) {
            case LvmException.LockBusy _,
                    LvmException.Unreadable _,
                    LvmException.OutcomeUnknown _,
                    LvmException.Unavailable _ ->
                    true;
            case LvmException.NotFound _,
                    LvmException.AlreadyExists _,
                    LvmException.Replaced _,
                    LvmException.OutOfSpace _,
                    LvmException.InUse _,
                    LvmException.InvalidArgument _,
                    LvmException.MissingDevice _,
                    LvmException.CommandFailed _ ->
                    false;
        };
    }
}
