package lvms.lvm2;

import java.util.List;

/**
 * An LVM failure that a caller can meet in operation, with one kind for each difference that a
 * caller can act on. The message says what was tried and what came back.
 */
public abstract sealed class LvmException extends Exception {
    private static final long serialVersionUID = 1L;

    private LvmException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns whether the same call may succeed a moment later, or may have succeeded: it says
     * nothing about what was asked for, and whatever else is asked for now would fail alike.
     */
    public boolean passing() {
        return switch (this) {
            case LockBusy _, Unreadable _, OutcomeUnknown _, Unavailable _ -> true;
            case NotFound _,
                    AlreadyExists _,
                    Replaced _,
                    OutOfSpace _,
                    InUse _,
                    InvalidArgument _,
                    MissingDevice _,
                    CommandFailed _ ->
                    false;
        };
    }

    /** The volume group, logical volume, physical volume or device does not exist. */
    public static final class NotFound extends LvmException {
        private static final long serialVersionUID = 1L;

        public NotFound(String message) {
            super(message, null);
        }
    }

    /** Something else has this name: same name, but other tags, origin, pool or kind. */
    public static final class AlreadyExists extends LvmException {
        private static final long serialVersionUID = 1L;

        public AlreadyExists(String message) {
            super(message, null);
        }
    }

    /**
     * LVM could not read a group or device, so it is unknown what is there; nothing was changed.
     * This is not {@link NotFound}: a disk that fails must not look like a volume that is gone.
     */
    public static final class Unreadable extends LvmException {
        private static final long serialVersionUID = 1L;

        public Unreadable(String message) {
            super(message, null);
        }
    }

    /**
     * Another volume, group or physical volume has the name now than the one that was read before;
     * nothing was changed. Read again before deciding.
     */
    public static final class Replaced extends LvmException {
        private static final long serialVersionUID = 1L;

        public Replaced(String message) {
            super(message, null);
        }
    }

    /** Not enough free extents, pool space, pool metadata or volume group metadata area. */
    public static final class OutOfSpace extends LvmException {
        private static final long serialVersionUID = 1L;

        public OutOfSpace(String message) {
            super(message, null);
        }
    }

    /** A device is open, mounted, holds data or a signature, or has dependent volumes. */
    public static final class InUse extends LvmException {
        private static final long serialVersionUID = 1L;

        public InUse(String message) {
            super(message, null);
        }
    }

    /** Another program held LVM's lock until the deadline; nothing was changed, try again. */
    public static final class LockBusy extends LvmException {
        private static final long serialVersionUID = 1L;

        /** Says what was tried and for how long. */
        public LockBusy(String message) {
            super(message, null);
        }
    }

    /** LVM's grammar or this volume's kind does not allow the request; no retry can help. */
    public static final class InvalidArgument extends LvmException {
        private static final long serialVersionUID = 1L;

        /** Says which argument and why. */
        public InvalidArgument(String message) {
            super(message, null);
        }
    }

    /** A physical volume of the group is missing, so LVM refuses to change the group. */
    public static final class MissingDevice extends LvmException {
        private static final long serialVersionUID = 1L;

        public MissingDevice(String message) {
            super(message, null);
        }
    }

    /** LVM refused or failed for a reason that has no kind of its own. */
    public static final class CommandFailed extends LvmException {
        private static final long serialVersionUID = 1L;
        private final int status;
        private final transient List<String> errors;

        /**
         * Says what was tried and what came back.
         *
         * @param status LVM's status: 2 no such command, 3 bad parameters, 4 initialization, 5
         *     processing
         * @param errors LVM's error messages, in order
         */
        public CommandFailed(String message, int status, List<String> errors) {
            super(message, null);
            this.status = status;
            this.errors = List.copyOf(errors);
        }

        /**
         * Returns LVM's status: 2 no such command, 3 parameters, 4 initialization, 5 processing.
         */
        public int status() {
            return status;
        }

        /** Returns LVM's error messages, in order; empty after deserialization. */
        public List<String> errors() {
            return errors == null ? List.of() : errors;
        }
    }

    /**
     * The process that ran a change died or was killed at its deadline: the change may have been
     * made or not. Re-read before deciding; every operation of {@link Lvm} may be repeated.
     */
    public static final class OutcomeUnknown extends LvmException {
        private static final long serialVersionUID = 1L;

        public OutcomeUnknown(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** LVM could not be run at all, or a read did not answer in time; nothing was changed. */
    public static final class Unavailable extends LvmException {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
