package lvms.debian;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A member of an ar archive. Source: ar(5); no name in a package is long, so GNU's table of long
 * names does not occur.
 */
record Member(String name, long offset, long size) {
    private static final String MAGIC = "!<arch>\n";
    private static final int HEADER = 60;
    private static final int NAME_BYTES = 16;
    private static final int SIZE_AT = 48;
    private static final int SIZE_BYTES = 10;
    private static final int PIECE = 1 << 16;

    /**
     * Finds a member.
     *
     * @param start how its name begins
     * @throws DebianException if the file is none, or has no such member
     */
    static Member of(Path file, String start) throws IOException, DebianException {
        try (var in = Files.newInputStream(file)) {
            if (!text(in, MAGIC.length()).equals(MAGIC)) {
                throw new DebianException(file + " is no package of Debian");
            }
            long at = MAGIC.length();
            for (var header = text(in, HEADER);
                    header.length() == HEADER;
                    header = text(in, HEADER)) {
                at += HEADER;
                long size = size(file, header);
                var name = header.substring(0, NAME_BYTES).strip().replaceFirst("/$", "");
                if (name.startsWith(start)) {
                    return new Member(name, at, size);
                }
                in.skipNBytes(size + size % 2);
                at += size + size % 2;
            }
            throw new DebianException(file + " has no " + start);
        } catch (EOFException e) {
            throw new DebianException(file + " breaks off");
        }
    }

    private static long size(Path file, String header) throws DebianException {
        var digits = header.substring(SIZE_AT, SIZE_AT + SIZE_BYTES).strip();
        if (!digits.matches("[0-9]{1,10}")) {
            throw new DebianException(file + " has a member of the size \"" + digits + "\"");
        }
        return Long.parseLong(digits);
    }

    private static String text(InputStream in, int bytes) throws IOException {
        return new String(in.readNBytes(bytes), StandardCharsets.ISO_8859_1);
    }

    /** The option by which GNU tar reads it; none for a plain archive. */
    List<String> decompression() throws DebianException {
        return switch (name.replaceFirst("^[a-z]+[.]tar", "")) {
            case "" -> List.of();
            case ".xz" -> List.of("--xz");
            case ".gz" -> List.of("--gzip");
            case ".zst" -> List.of("--zstd");
            default -> throw new DebianException("nothing is known that unpacks " + name);
        };
    }

    /** Writes it to a file of its own. */
    void copy(Path from, Path to) throws IOException, DebianException {
        try (var in = Files.newInputStream(from);
                var out = Files.newOutputStream(to)) {
            in.skipNBytes(offset);
            for (long left = size; left > 0; ) {
                var piece = in.readNBytes((int) Math.min(left, PIECE));
                if (piece.length == 0) {
                    throw new DebianException(from + " breaks off");
                }
                out.write(piece);
                left -= piece.length;
            }
        }
    }
}
