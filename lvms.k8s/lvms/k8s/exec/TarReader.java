package lvms.k8s.exec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads a tar archive while it comes, as GNU tar, BusyBox and libarchive write it.
 *
 * <p>Source: POSIX.1-1988 ustar, the records of POSIX.1-2001 ({@code x}), GNU's long names and
 * sizes in base 256. What it gives is the archive's word, and is checked by nobody here.
 */
final class TarReader {
    private static final int BLOCK = TarWriter.BLOCK;
    private static final int MOST_TEXT = 1 << 16;
    private static final int FOLDER_AT = 345;
    private static final int FOLDER_BYTES = 155;
    private static final int MAGIC_AT = 257;
    private static final int MODE_BYTES = 8;
    private static final int BASE_256 = 0x80;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 15];
    private long left; // of the content of the present entry
    private long padding;

    TarReader(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the next entry, and leaves out what was not read of the one before; empty at the end.
     *
     * @throws EOFException if the archive breaks off
     * @throws IOException if it is none, or has what is neither a file, a folder nor a link
     */
    Optional<TarEntry> next() throws IOException {
        copy(OutputStream.nullOutputStream());
        var longer = new TreeMap<String, String>();
        while (true) {
            var header = block();
            if (isZero(header)) {
                return Optional.empty();
            }
            check(header);
            long size = number(header, TarWriter.SIZE_AT, TarWriter.SIZE_BYTES);
            switch ((char) header[TarWriter.FLAG_AT]) {
                case TarWriter.LONG_NAME -> longer.put("path", untilZero(text(size)));
                case TarWriter.LONG_TARGET -> longer.put("linkpath", untilZero(text(size)));
                case 'x' -> records(text(size), longer);
                case 'g' -> text(size); // of the archive as a whole
                default -> {
                    return Optional.of(entry(header, size, longer));
                }
            }
        }
    }

    private TarEntry entry(byte[] header, long size, Map<String, String> longer)
            throws IOException {
        var name = longer.getOrDefault("path", name(header));
        var target =
                longer.getOrDefault(
                        "linkpath", field(header, TarWriter.TARGET_AT, TarWriter.NAME_BYTES));
        int mode = (int) number(header, TarWriter.MODE_AT, MODE_BYTES) & TarEntry.PERMISSIONS;
        return switch ((char) header[TarWriter.FLAG_AT]) {
            case '0', '\0', '7' -> {
                begin(longer.containsKey("size") ? decimal(longer.get("size")) : size);
                yield name.endsWith("/")
                        ? TarEntry.folder(name, mode) // as in archives before 1988
                        : TarEntry.file(name, mode, left);
            }
            case '1' -> new TarEntry(TarEntry.Kind.HARD_LINK, name, target, mode, 0);
            case '2' -> TarEntry.link(name, target);
            case '5' -> TarEntry.folder(name, mode);
            case '3', '4', '6' ->
                    throw new IOException(name + " is a device or a pipe, which is not copied");
            default -> throw new IOException(name + " is of a type that is not copied");
        };
    }

    private void begin(long size) {
        left = size;
        padding = -size & BLOCK - 1;
    }

    /** Copies the content of the file that came last. */
    void copy(OutputStream out) throws IOException {
        while (left > 0) {
            int size = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (size < 0) {
                throw broken();
            }
            out.write(buffer, 0, size);
            left -= size;
        }
        try {
            in.skipNBytes(padding);
        } catch (EOFException _) {
            throw broken();
        }
        padding = 0;
    }

    private static EOFException broken() {
        return new EOFException("the archive breaks off");
    }

    private byte[] block() throws IOException {
        var block = in.readNBytes(BLOCK);
        if (block.length < BLOCK) {
            throw broken();
        }
        return block;
    }

    private static boolean isZero(byte[] block) {
        for (var b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static void check(byte[] header) throws IOException {
        if (number(header, TarWriter.SUM_AT, TarWriter.SUM_BYTES) != TarWriter.sum(header)) {
            throw new IOException("what comes is no tar archive");
        }
    }

    private static String name(byte[] header) throws IOException {
        var name = field(header, 0, TarWriter.NAME_BYTES);
        boolean posix = field(header, MAGIC_AT, 6).equals("ustar"); // GNU has blanks behind it
        var folder = posix ? field(header, FOLDER_AT, FOLDER_BYTES) : "";
        return folder.isEmpty() ? name : folder + "/" + name;
    }

    private static String field(byte[] header, int at, int bytes) throws IOException {
        return untilZero(Arrays.copyOfRange(header, at, at + bytes));
    }

    private static String untilZero(byte[] bytes) throws IOException {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return utf8(bytes, 0, end);
    }

    /** A name that is guessed would be another one. */
    private static String utf8(byte[] bytes, int at, int length) throws IOException {
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            return decoder.decode(ByteBuffer.wrap(bytes, at, length)).toString();
        } catch (CharacterCodingException e) {
            throw new IOException("the archive has a name that is not UTF-8", e);
        }
    }

    private static long number(byte[] header, int at, int bytes) throws IOException {
        if ((header[at] & BASE_256) != 0) {
            long number = ByteBuffer.wrap(header).getLong(at + bytes - Long.BYTES);
            if (bytes == TarWriter.SIZE_BYTES && number >= 0) {
                return number;
            }
            throw new IOException("what comes is no tar archive: a number is too large");
        }
        var digits = field(header, at, bytes).strip();
        if (!digits.matches("[0-7]{0,12}")) {
            throw new IOException("what comes is no tar archive: a number is none");
        }
        return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }

    /** The content of an entry that is about the next one. */
    private byte[] text(long size) throws IOException {
        if (size > MOST_TEXT) {
            throw new IOException("the archive has a name of " + size + " bytes");
        }
        begin(size);
        var bytes = in.readNBytes((int) size);
        left -= bytes.length;
        copy(OutputStream.nullOutputStream());
        return bytes;
    }

    /** Records like {@code "18 path=some/name\n"}; the length counts bytes, itself included. */
    private static void records(byte[] bytes, Map<String, String> into) throws IOException {
        for (int at = 0; at < bytes.length; ) {
            int blank = at;
            while (blank < bytes.length && bytes[blank] != ' ') {
                blank++;
            }
            long length = decimal(utf8(bytes, at, blank - at));
            int end = at + (int) Math.min(length, MOST_TEXT) - 1; // there is the end of the line
            if (end <= blank || end >= bytes.length) {
                throw new IOException("the archive has a record of a wrong length");
            }
            keep(bytes, blank + 1, end, into);
            at = end + 1;
        }
    }

    /** Comments and attributes may be anything; what is a name has to be text. */
    private static void keep(byte[] bytes, int from, int end, Map<String, String> into)
            throws IOException {
        var record = new String(bytes, from, end - from, StandardCharsets.UTF_8);
        for (var kept : List.of("path", "linkpath", "size")) {
            if (record.startsWith(kept + "=")) {
                into.put(kept, utf8(bytes, from, end - from).substring(kept.length() + 1));
            }
        }
    }

    private static long decimal(String digits) throws IOException {
        if (!digits.matches("[0-9]{1,18}")) {
            throw new IOException("the archive has a length that is no number");
        }
        return Long.parseLong(digits);
    }
}
