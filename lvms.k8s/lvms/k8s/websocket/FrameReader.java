package lvms.k8s.websocket;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads what a server sends (RFC 6455, section 5.2): frames without a mask. */
final class FrameReader {
    private final DataInputStream in;

    FrameReader(InputStream in) {
        this.in = new DataInputStream(in);
    }

    /**
     * Waits for a frame.
     *
     * @param room how long the payload of a message may be, in bytes
     * @throws EOFException if the connection ends first
     * @throws Violation if it is none that a server may send, or is too long
     */
    Frame next(int room) throws IOException {
        int head = in.readUnsignedByte();
        int opcode = head & Frame.OPCODE_BITS;
        boolean last = (head & Frame.LAST_BIT) != 0;
        if ((head & Frame.RESERVED_BITS) != 0) {
            throw new Violation(
                    Violation.PROTOCOL, "a frame of an extension that nobody asked for");
        }
        int length = in.readUnsignedByte();
        if ((length & Frame.MASK_BIT) != 0) {
            throw new Violation(
                    Violation.PROTOCOL, "a frame with a mask, which servers do not use");
        }
        if (Frame.isControl(opcode) && (!last || length > Frame.MAX_CONTROL_BYTES)) {
            throw new Violation(Violation.PROTOCOL, "a control frame in parts, or too long");
        }
        int most = Frame.isControl(opcode) ? Frame.MAX_CONTROL_BYTES : room;
        return new Frame(last, opcode, payload(length(length), most));
    }

    private long length(int length) throws IOException {
        return switch (length) {
            case Frame.TWO_BYTES -> in.readUnsignedShort();
            case Frame.EIGHT_BYTES -> in.readLong();
            default -> length;
        };
    }

    private byte[] payload(long length, int room) throws IOException {
        if (length < 0) {
            throw new Violation(Violation.PROTOCOL, "a frame with a negative length");
        }
        if (length > room) {
            throw new Violation(
                    Violation.TOO_LONG, "a frame of %d bytes where %d fit".formatted(length, room));
        }
        var payload = in.readNBytes((int) length);
        if (payload.length < length) {
            throw new EOFException("the connection ended within a frame");
        }
        return payload;
    }
}
