package lvms.lvm2.worker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The protocol between parent and worker. A command line is its length in bytes and its text; an
 * answer is LVM's status, the time it took, and the lengths and texts of both outputs. Numbers are
 * big-endian, texts UTF-8.
 */
public final class Frames {
    /** Status of an answer from a worker that cannot work; the error text says why. */
    public static final int UNUSABLE = -1;

    private static final int MAX_BYTES = 256 << 20;

    /**
     * How a command ended.
     *
     * @param status what {@code lvm2_run} returned, or {@link #UNUSABLE}
     * @param nanos time inside LVM's library, in nanoseconds; part of it may have passed before the
     *     command
     * @param stdout what was printed to descriptor 1
     * @param stderr what was printed to descriptor 2
     */
    public record Answer(int status, long nanos, byte[] stdout, byte[] stderr) {
        /** Returns the output as text. */
        public String stdoutText() {
            return new String(stdout, StandardCharsets.UTF_8);
        }

        /** Returns the error output as text. */
        public String stderrText() {
            return new String(stderr, StandardCharsets.UTF_8);
        }
    }

    /** A text of an answer that is sent in pieces, so that it may be larger than the memory. */
    interface Text {
        /** Returns its length in bytes. */
        long size() throws IOException;

        /** Writes the whole text in pieces. */
        void writeTo(OutputStream out) throws IOException;

        /** A text that is in memory. */
        static Text of(String text) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            return new Text() {
                @Override
                public long size() {
                    return bytes.length;
                }

                @Override
                public void writeTo(OutputStream out) throws IOException {
                    out.write(bytes);
                }
            };
        }
    }

    private Frames() {}

    /** Sends a command line. */
    public static void writeCommandLine(DataOutputStream out, String line) throws IOException {
        var text = line.getBytes(StandardCharsets.UTF_8);
        out.write(ByteBuffer.allocate(4 + text.length).putInt(text.length).put(text).array());
        out.flush();
    }

    static String readCommandLine(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    /** Sends an answer: LVM's status, the time it took, what it printed. */
    static void writeAnswer(DataOutputStream out, int status, long nanos, Text stdout, Text stderr)
            throws IOException {
        out.writeInt(status);
        out.writeLong(nanos);
        writeText(out, stdout);
        writeText(out, stderr);
        out.flush();
    }

    private static void writeText(DataOutputStream out, Text text) throws IOException {
        out.writeInt(Math.toIntExact(text.size()));
        text.writeTo(out);
    }

    /** Receives an answer. */
    public static Answer readAnswer(DataInputStream in) throws IOException {
        return new Answer(in.readInt(), in.readLong(), readBytes(in), readBytes(in));
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int size = in.readInt();
        if (size < 0 || size > MAX_BYTES) {
            throw new IOException("not a frame: length " + size);
        }
        var bytes = new byte[size];
        in.readFully(bytes);
        return bytes;
    }
}
