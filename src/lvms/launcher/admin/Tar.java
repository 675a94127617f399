package lvms.launcher.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes a tar archive of plain files.
 *
 * <p>Source: POSIX.1-1988, ustar; a name has at most 100 bytes.
 */
final class Tar implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final int NAME = 100;

    private final OutputStream out;
    private final Instant time;

    Tar(OutputStream out, Instant time) {
        this.out = out;
        this.time = time;
    }

    void add(String name, byte[] content) throws IOException {
        out.write(header(name, content.length));
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    private byte[] header(String name, int size) throws IOException {
        var header = new byte[BLOCK];
        var bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > NAME) {
            throw new IOException("the name is too long for a tar archive: " + name);
        }
        put(header, 0, bytes);
        octal(header, 100, 8, 0644);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        octal(header, 124, 12, size);
        octal(header, 136, 12, time.getEpochSecond());
        Arrays.fill(header, 148, 156, (byte) ' '); // so the checksum counts itself
        header[156] = '0';
        put(header, 257, "ustar\00000".getBytes(StandardCharsets.US_ASCII));
        int sum = 0;
        for (var b : header) {
            sum += b & 0xff;
        }
        octal(header, 148, 7, sum);
        return header;
    }

    private static void octal(byte[] header, int at, int width, long value) {
        var digits = Long.toOctalString(value);
        put(
                header,
                at,
                ("0".repeat(width - 1 - digits.length()) + digits + "\0")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static void put(byte[] header, int at, byte[] bytes) {
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    /** Ends the archive; the stream is closed too. */
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
