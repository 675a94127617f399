package lvms.k8s.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The payload of a frame that closes the connection (RFC 6455, section 5.5.1). */
final class CloseFrame {
    private static final int NO_CODE = 1005;
    private static final int FIRST_OF_LIBRARIES = 3000;
    private static final int LAST_OF_APPLICATIONS = 4999;

    private CloseFrame() {}

    static Received.Closed read(byte[] payload) throws Violation {
        if (payload.length == 0) {
            return new Received.Closed(NO_CODE, "");
        }
        if (payload.length < Short.BYTES) {
            throw new Violation(Violation.PROTOCOL, "half a code at the close");
        }
        var bytes = ByteBuffer.wrap(payload);
        int code = Short.toUnsignedInt(bytes.getShort());
        if (!mayBeSent(code)) {
            throw new Violation(Violation.PROTOCOL, "closed with the reserved code " + code);
        }
        try {
            var reason = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return new Received.Closed(code, reason);
        } catch (CharacterCodingException _) {
            throw new Violation(
                    Violation.NOT_TEXT,
                    "closed with code " + code + " and a reason that is not UTF-8");
        }
    }

    static byte[] of(int code) {
        return ByteBuffer.allocate(Short.BYTES).putShort((short) code).array();
    }

    /** The answer to a close: the same code, or none. */
    static byte[] answer(Received.Closed closed) {
        return closed.code() == NO_CODE ? new byte[0] : of(closed.code());
    }

    /** 1004 to 1006 and 1015 only have a meaning within a program. */
    private static boolean mayBeSent(int code) {
        return code >= 1000 && code <= 1003
                || code >= 1007 && code <= 1014
                || code >= FIRST_OF_LIBRARIES && code <= LAST_OF_APPLICATIONS;
    }
}
