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
}
