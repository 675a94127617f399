package lvms.k8s.websocket;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Writes what a client sends (RFC 6455, section 5.2): each frame in one piece, under a mask that
 * nobody can guess.
 */
final class FrameWriter {
    private static final int MASK_BYTES = 4;
    private static final int MAX_HEAD_BYTES = 10;

    private final OutputStream out;
    private final SecureRandom random = new SecureRandom();

    FrameWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes a whole message, or a word about the connection. */
    synchronized void write(int opcode, byte[] payload) throws IOException {
        var mask = new byte[MASK_BYTES];
        random.nextBytes(mask);
        var frame = ByteBuffer.allocate(MAX_HEAD_BYTES + MASK_BYTES + payload.length);
        frame.put((byte) (Frame.LAST_BIT | opcode));
        length(frame, payload.length);
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i % MASK_BYTES]));
        }
        out.write(frame.array(), 0, frame.position());
        out.flush();
    }

    private static void length(ByteBuffer frame, int length) {
        if (length < Frame.TWO_BYTES) {
            frame.put((byte) (Frame.MASK_BIT | length));
        } else if (length < 1 << Short.SIZE) {
            frame.put((byte) (Frame.MASK_BIT | Frame.TWO_BYTES)).putShort((short) length);
        } else {
            frame.put((byte) (Frame.MASK_BIT | Frame.EIGHT_BYTES)).putLong(length);
        }
    }
}
