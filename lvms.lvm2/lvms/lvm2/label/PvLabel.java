package lvms.lvm2.label;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What a disk says of itself as a physical volume. LVM may know nothing of it: its devices file
 * hides the disk, or the group has given it up.
 *
 * <p>Source: LVM's {@code label/label.h}, and {@code format_text/layout.h}: a label in one of the
 * first four sectors leads to metadata areas, whose header leads to the text.
 *
 * @param uuid LVM's UUID of it, from the label; empty if there is no label: {@code pvremove} takes
 *     it off and leaves the rest
 * @param group the group that it belongs to, or belonged to before {@code pvremove}; empty if none
 */
public record PvLabel(String uuid, Optional<GroupText> group) {
    private static final int SECTOR = 512;
    private static final int LABEL_SECTORS = 4;

    /** Where LVM puts the first metadata area, with pages of 4 KiB and of 64 KiB. */
    private static final List<Long> USUAL_AREAS = List.of(4096L, 65536L);

    private static final byte[] LABEL = "LABELONE".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AREA = " LVM2 x[5A%r0N*>".getBytes(StandardCharsets.US_ASCII);
    private static final int AREA_MAGIC = 4;
    private static final int TEXT_OFFSET = 40;

    /** Where the text is, its size and its checksum. */
    private static final int TEXT_LOCATION_SIZE = 20;

    private static final int CONTENT = 20;
    private static final int PV_UUID = 32;
    private static final String UUID_FORM = "$1-$2-$3-$4-$5-$6-$7";
    private static final long MAXIMUM_TEXT = 32L << 20;

    /**
     * Reads a device or file; blocks as long as the device does.
     *
     * @throws IOException if it cannot be read, or if there is a label and its metadata is damaged
     */
    public static PvLabel read(Path device) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            var start = bytes(channel, 0, SECTOR * LABEL_SECTORS);
            var label = label(start);
            return new PvLabel(
                    label.isPresent() ? uuid(start, label.getAsInt()) : "",
                    group(channel, areas(start, label)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    /**
     * Returns a text that changes with each change of the group: a new one, its name, tags, disks
     * and volumes. Reads two sectors or so, however large the metadata is; blocks as long as the
     * device does. A physical volume without a metadata area shows no change.
     *
     * @throws IOException if it cannot be read or is damaged
     */
    public static String stamp(Path device) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            var start = bytes(channel, 0, SECTOR * LABEL_SECTORS);
            var label = label(start);
            var stamp = new StringBuilder(label.isPresent() ? uuid(start, label.getAsInt()) : "");
            for (long area : areas(start, label)) {
                var location = bytes(channel, area + TEXT_OFFSET, TEXT_LOCATION_SIZE);
                stamp.append(' ').append(HexFormat.of().formatHex(location.array()));
            }
            return stamp.toString();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    private static IOException damaged(RuntimeException e) {
        return new IOException("the metadata of LVM is damaged: " + e.getMessage(), e);
    }

    /** Returns where the label is in the first sectors. */
    private static OptionalInt label(ByteBuffer start) {
        return IntStream.range(0, LABEL_SECTORS)
                .map(sector -> sector * SECTOR)
                .filter(at -> holds(start, at, LABEL))
                .findFirst();
    }

    /** Returns whether {@code pvremove} was here: a metadata area without a label and a group. */
    static boolean removed(FileChannel channel) throws IOException {
        for (long area : USUAL_AREAS) {
            var header = bytes(channel, area, SECTOR);
            if (holds(header, AREA_MAGIC, AREA)) {
                return header.getLong(TEXT_OFFSET) == 0;
            }
        }
        return false;
    }

    /** Returns the UUID as LVM prints it: groups of 6, 4, 4, 4, 4, 4 and 6 characters. */
    private static String uuid(ByteBuffer start, int label) {
        var text =
                new String(
                        start.array(),
                        label + start.getInt(label + CONTENT),
                        PV_UUID,
                        StandardCharsets.US_ASCII);
        return text.replaceFirst("^(.{6})(.{4})(.{4})(.{4})(.{4})(.{4})(.{6})$", UUID_FORM);
    }

    /** Returns where the metadata areas begin: the second list of the label, after the data's. */
    private static List<Long> areas(ByteBuffer start, OptionalInt label) {
        if (label.isEmpty()) {
            return USUAL_AREAS;
        }
        int at = label.getAsInt() + start.getInt(label.getAsInt() + CONTENT) + PV_UUID + Long.BYTES;
        while (start.getLong(at) != 0) {
            at += 2 * Long.BYTES;
        }
        long first = start.getLong(at + 2 * Long.BYTES);
        return first == 0 ? List.of() : List.of(first);
    }

    private static Optional<GroupText> group(FileChannel channel, List<Long> areas)
            throws IOException {
        for (long area : areas) {
            var header = bytes(channel, area, SECTOR);
            if (holds(header, AREA_MAGIC, AREA)) {
                return text(channel, header).map(GroupText::parse);
            }
        }
        return Optional.empty();
    }

    /** The area is a ring; its header is not part of it. */
    private static Optional<String> text(FileChannel channel, ByteBuffer header)
            throws IOException {
        long start = header.getLong(24);
        long areaSize = header.getLong(32);
        long offset = header.getLong(TEXT_OFFSET);
        long size = header.getLong(48);
        if (offset == 0 || size == 0) {
            return Optional.empty();
        }
        if (size > MAXIMUM_TEXT || offset >= areaSize || size > areaSize) {
            throw new IllegalArgumentException("its text is said to have " + size + " bytes");
        }
        int first = (int) Math.min(size, areaSize - offset);
        var text = new StringBuilder(string(bytes(channel, start + offset, first)));
        if (first < size) {
            text.append(string(bytes(channel, start + SECTOR, (int) (size - first))));
        }
        int end = text.indexOf("\0");
        return Optional.of(end < 0 ? text.toString() : text.substring(0, end));
    }

    private static String string(ByteBuffer bytes) {
        return new String(bytes.array(), 0, bytes.limit(), StandardCharsets.UTF_8);
    }

    private static boolean holds(ByteBuffer bytes, int at, byte[] magic) {
        return at + magic.length <= bytes.limit()
                && Arrays.equals(bytes.array(), at, at + magic.length, magic, 0, magic.length);
    }

    /** Reads that many bytes; fewer at the end of the device. */
    private static ByteBuffer bytes(FileChannel channel, long at, int count) throws IOException {
        var buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {}
        return buffer.flip();
    }
}
