package lvms.node.csi;

/** Why a CSI call cannot be served; the service turns the kind into a gRPC code. */
abstract sealed class CallException extends Exception {
    private static final long serialVersionUID = 1L;

    private CallException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The request itself is wrong; the same request can never succeed. */
    static final class Invalid extends CallException {
        private static final long serialVersionUID = 1L;

        Invalid(String message) {
            super(message, null);
        }
    }

    /** The volume, or the volume at that path, does not exist. */
    static final class Missing extends CallException {
        private static final long serialVersionUID = 1L;

        Missing(String message) {
            super(message, null);
        }
    }

    /** The target is taken by a publication with other arguments. */
    static final class Taken extends CallException {
        private static final long serialVersionUID = 1L;

        Taken(String message) {
            super(message, null);
        }
    }

    /** The state of volume or node forbids it; a person or another call has to act first. */
    static final class Unmet extends CallException {
        private static final long serialVersionUID = 1L;

        Unmet(String message) {
            super(message, null);
        }
    }

    /** The requested size cannot be reached. */
    static final class Range extends CallException {
        private static final long serialVersionUID = 1L;

        Range(String message) {
            super(message, null);
        }
    }

    /** Another call works on the volume, or this process is not ready; the caller repeats. */
    static final class Later extends CallException {
        private static final long serialVersionUID = 1L;

        Later(String message) {
            super(message, null);
        }
    }

    /** A tool or the kernel failed, or the result is not what the call promises. */
    static final class Failed extends CallException {
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message, null);
        }

        Failed(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
