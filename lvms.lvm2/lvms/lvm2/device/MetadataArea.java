package lvms.lvm2.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Where a physical volume keeps the metadata of its group, so that a change of the group is noticed
 * without LVM. Layout: LVM's {@code lib/format_text/layout.h}, little-endian.
 *
 * <p>LVM writes past the page cache, which drops the pages that it had; so as long as nothing
 * changes, asking again reads no disk.
 *
 * @param device the physical volume
 * @param offsetBytes where the area's header begins
 */
public record MetadataArea(Path device, long offsetBytes) {
    private static final int SECTOR = 512;

    /** The label is in one of the first four sectors. */
    private static final int LABEL_SECTORS = 4;

    private static final String LABEL = "LABELONE";
    private static final String TYPE = "LVM2 001";
    private static final int TYPE_AT = 24;
    private static final int CONTENT_OFFSET_AT = 20;

    /** UUID and size of the device come before the lists of areas. */
    private static final int AREAS_AT = 40;

    private static final String MAGIC = " LVM2 x[5A%r0N*>";
    private static final int MAGIC_AT = 4;

    /** The place, size and checksum of the committed metadata: each change moves it. */
    private static final int COMMITTED_AT = 40;

    private static final int COMMITTED_BYTES = 20;

    /**
     * Finds the first metadata area of a physical volume; empty if it has none.
     *
     * @throws IOException also if the device has no label of LVM
     */
    public static Optional<MetadataArea> find(Path device) throws IOException {
        var start = read(device, 0, LABEL_SECTORS * SECTOR);
        for (int sector = 0; sector < LABEL_SECTORS; sector++) {
            int at = sector * SECTOR;
            if (text(start, at, LABEL).equals(LABEL)
                    && text(start, at + TYPE_AT, TYPE).equals(TYPE)) {
                return area(device, start, at + start.getInt(at + CONTENT_OFFSET_AT));
            }
        }
        throw new IOException(device + " is not a physical volume");
    }

    /** Both lists end with an entry of zeros: first the data areas, then the metadata areas. */
    private static Optional<MetadataArea> area(Path device, ByteBuffer start, int header) {
        int at = header + AREAS_AT;
        while (at + 32 <= start.limit() && start.getLong(at) != 0) {
            at += 16;
        }
        at += 16;
        long offset = at + 8 <= start.limit() ? start.getLong(at) : 0;
        return offset > 0 ? Optional.of(new MetadataArea(device, offset)) : Optional.empty();
    }

    /** Returns what changes with each change of the group, and only then. */
    public String mark() throws IOException {
        var header = read(device, offsetBytes, SECTOR);
        if (!text(header, MAGIC_AT, MAGIC).equals(MAGIC)) {
            throw new IOException(device + " has no metadata at " + offsetBytes);
        }
        var mark = new StringBuilder();
        for (int at = COMMITTED_AT; at < COMMITTED_AT + COMMITTED_BYTES; at += 4) {
            mark.append(Integer.toHexString(header.getInt(at))).append('.');
        }
        return mark.toString();
    }

    private static String text(ByteBuffer bytes, int at, String like) {
        return new String(bytes.array(), at, like.length(), StandardCharsets.US_ASCII);
    }

    private static ByteBuffer read(Path device, long offset, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new IOException(device + " ends before " + (offset + length));
                }
            }
        }
        return bytes;
    }
}
