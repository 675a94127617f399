package lvms.k8s.exec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a tar archive that GNU tar, BusyBox and libarchive read.
 *
 * <p>Source: POSIX.1-1988 ustar, with GNU's long names ({@code L}, {@code K}) and sizes in base
 * 256. The records of POSIX.1-2001 would do the same, but BusyBox leaves them out.
 */
final class TarWriter {
    static final int BLOCK = 512;
    static final int NAME_BYTES = 100;
    static final int MODE_AT = 100;
    static final int SIZE_AT = 124;
    static final int SIZE_BYTES = 12;
    static final int SUM_AT = 148;
    static final int SUM_BYTES = 8;
    static final int FLAG_AT = 156;
    static final int TARGET_AT = 157;
    static final char LONG_NAME = 'L';
    static final char LONG_TARGET = 'K';

    private static final int OWNER_AT = 108;
    private static final int GROUP_AT = 116;
    private static final int NUMBER_BYTES = 8;
    private static final int TIME_AT = 136;
    private static final int MAGIC_AT = 257;
    private static final int BASE_256 = 0x80;
    private static final long MOST_OCTAL = (1L << 33) - 1;
    private static final String LONG = "././@LongLink";

    private final OutputStream out;
    private final long seconds;

    /**
     * @param seconds the time of all that is in it, since 1970
     */
    TarWriter(OutputStream out, long seconds) {
        this.out = out;
        this.seconds = seconds;
    }

    /** Writes a folder or a link. */
    void add(TarEntry entry) throws IOException {
        head(entry);
    }

    /** Writes a file, which has to be as long as its entry says. */
    void add(TarEntry entry, InputStream content) throws IOException {
        head(entry);
        var buffer = new byte[1 << 15];
        for (long left = entry.sizeBytes(); left > 0; ) {
            int size = content.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (size < 0) {
                throw new EOFException("it became shorter while it was read");
            }
            out.write(buffer, 0, size);
            left -= size;
        }
        pad(entry.sizeBytes());
    }

    /** Ends the archive. */
    void end() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.flush();
    }

    private void head(TarEntry entry) throws IOException {
        var name = entry.name().getBytes(StandardCharsets.UTF_8);
        var target = entry.target().getBytes(StandardCharsets.UTF_8);
        lengthy(LONG_NAME, name);
        lengthy(LONG_TARGET, target);
        out.write(header(entry.kind().flag(), name, target, entry.mode(), entry.sizeBytes()));
    }

    private void lengthy(char flag, byte[] text) throws IOException {
        if (text.length >= NAME_BYTES) {
            var name = LONG.getBytes(StandardCharsets.US_ASCII);
            out.write(header(flag, name, new byte[0], 0, text.length + 1L));
            out.write(text);
            out.write(0);
            pad(text.length + 1L);
        }
    }

    private void pad(long sizeBytes) throws IOException {
        out.write(new byte[(int) (-sizeBytes & BLOCK - 1)]);
    }

    private byte[] header(char flag, byte[] name, byte[] target, int mode, long sizeBytes) {
        var header = new byte[BLOCK];
        System.arraycopy(name, 0, header, 0, Math.min(name.length, NAME_BYTES));
        System.arraycopy(target, 0, header, TARGET_AT, Math.min(target.length, NAME_BYTES));
        octal(header, MODE_AT, NUMBER_BYTES, mode & TarEntry.PERMISSIONS);
        octal(header, OWNER_AT, NUMBER_BYTES, 0);
        octal(header, GROUP_AT, NUMBER_BYTES, 0);
        size(header, sizeBytes);
        octal(header, TIME_AT, SIZE_BYTES, seconds);
        header[FLAG_AT] = (byte) flag;
        var magic = "ustar  \0".getBytes(StandardCharsets.US_ASCII); // GNU's
        System.arraycopy(magic, 0, header, MAGIC_AT, magic.length);
        octal(header, SUM_AT, SUM_BYTES - 1, sum(header));
        header[SUM_AT + SUM_BYTES - 1] = ' ';
        return header;
    }

    private static void size(byte[] header, long sizeBytes) {
        if (sizeBytes <= MOST_OCTAL) {
            octal(header, SIZE_AT, SIZE_BYTES, sizeBytes);
        } else {
            header[SIZE_AT] = (byte) BASE_256;
            ByteBuffer.wrap(header).putLong(SIZE_AT + SIZE_BYTES - Long.BYTES, sizeBytes);
        }
    }

    private static void octal(byte[] header, int at, int bytes, long number) {
        var digits = "%0" + (bytes - 1) + "o";
        var text = digits.formatted(number).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, header, at, text.length);
    }

    /** The sum of all bytes, in which its own field counts as blanks. */
    static int sum(byte[] header) {
        var counted = header.clone();
        Arrays.fill(counted, SUM_AT, SUM_AT + SUM_BYTES, (byte) ' ');
        int sum = 0;
        for (var b : counted) {
            sum += b & 0xff;
        }
        return sum;
    }
}
