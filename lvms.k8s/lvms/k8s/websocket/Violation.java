package lvms.k8s.websocket;

import java.io.IOException;

/** The other side broke the protocol, or went beyond a limit. The connection ends with it. */
final class Violation extends IOException {
    static final int PROTOCOL = 1002;
    static final int UNSUPPORTED = 1003;
    static final int NOT_TEXT = 1007;
    static final int TOO_LONG = 1009;

    private static final long serialVersionUID = 1;
    private final int code;

    /**
     * @param code what the other side is told (RFC 6455, section 7.4.1)
     */
    Violation(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }
}
