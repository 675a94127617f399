package lvms.launcher.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a tar archive of plain files, and reads its own.
 *
 * <p>Source: POSIX.1-1988, ustar; a name has at most 100 bytes, and its folder 155.
 */
final class Tar implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int FOLDER = 155;
    private static final int FOLDER_AT = 345;

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
        int from = bytes.length > NAME ? name.lastIndexOf('/') + 1 : 0;
        if (bytes.length - from > NAME || from > FOLDER + 1) {
            throw new IOException("the name is too long for a tar archive: " + name);
        }
        put(header, 0, Arrays.copyOfRange(bytes, from, bytes.length));
        put(header, FOLDER_AT, Arrays.copyOf(bytes, Math.max(0, from - 1)));
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

    /**
     * Reads an archive that this class wrote, with names of up to 100 bytes; empty if it is not
     * one, or not a whole one.
     */
    static Optional<Map<String, byte[]>> read(byte[] archive) {
        var files = new LinkedHashMap<String, byte[]>();
        int at = 0;
        while (at + BLOCK <= archive.length && archive[at] != 0) {
            int size = size(text(archive, at + 124, 12));
            int content = at + BLOCK;
            if (size < 0 || size > archive.length - content) {
                return Optional.empty();
            }
            files.put(
                    text(archive, at, NAME), Arrays.copyOfRange(archive, content, content + size));
            at = content + (size + BLOCK - 1) / BLOCK * BLOCK;
        }
        return at + 2 * BLOCK <= archive.length ? Optional.of(files) : Optional.empty();
    }

    private static int size(String octal) {
        return octal.matches("[0-7]{1,10}|0[0-7]{10}") ? (int) Long.parseLong(octal, 8) : -1;
    }

    private static String text(byte[] bytes, int from, int width) {
        int end = from;
        while (end < from + width && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    /** Ends the archive; the stream is closed too. */
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
