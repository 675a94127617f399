package lvms.node.csi;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The identity of a btrfs that is a copy. Kernels before 6.7 refuse to mount two with one fsid, and
 * may take one for the other; so a copy gets an fsid that follows from its volume's name, and keeps
 * its source's as metadata_uuid, as {@code btrfstune -M} does it.
 *
 * <p>That program also commits a transaction, after which the kernel refuses the log of what was
 * synced last (seen with 6.2), so a copy of a filesystem in use would be lost. Here only the
 * superblocks change.
 *
 * <p>Source: btrfs on-disk format, "Superblock"; METADATA_UUID is known to kernels since 5.0.
 */
final class BtrfsIdentity {
    private static final System.Logger LOG = System.getLogger(BtrfsIdentity.class.getName());

    /** Where the superblock and its mirrors are. */
    private static final List<Long> PLACES = List.of(64L << 10, 64L << 20, 256L << 30);

    private static final int BYTES = 4096;
    private static final int CHECKSUM_BYTES = 32;
    private static final int FSID = 0x20;
    private static final int MAGIC = 0x40;
    private static final int DEVICES = 0x88;
    private static final int INCOMPATIBLE = 0xbc;
    private static final int CHECKSUM_TYPE = 0xc4;
    private static final int METADATA_UUID = 0x23b;
    private static final int UUID_BYTES = 16;
    private static final long MAGIC_VALUE = 0x4d5f53665248425fL; // "_BHRfS_M"
    private static final long HAS_METADATA_UUID = 1 << 10;
    private static final long CHANGING = 1L << 36; // btrfstune was interrupted

    private BtrfsIdentity() {}

    /**
     * Gives the copy its own identity, unless it has it. Nobody may have the device open.
     *
     * @throws IOException if it cannot be written; a repetition finishes what was begun
     */
    static void ensure(VolumeId volume, Path device) throws IOException {
        var own = bytes(UUID.nameUUIDFromBytes(volume.text().getBytes(StandardCharsets.UTF_8)));
        try (var channel =
                FileChannel.open(device, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var primary = read(channel, PLACES.getFirst());
            var former = part(primary, FSID);
            if (Arrays.equals(former, own)) {
                return;
            }
            if (!changeable(primary)) {
                LOG.log(
                        Level.WARNING,
                        () ->
                                "btrfs keeps the identity of its source, since its superblock is of"
                                        + " another kind than mkfs.btrfs makes it volume="
                                        + volume);
                return;
            }
            for (long place : mirrors(channel, former)) {
                write(channel, place, changed(read(channel, place), own));
            }
            channel.force(false);
            write(channel, PLACES.getFirst(), changed(primary, own)); // what mounts read, so last
            channel.force(false);
        }
        LOG.log(Level.INFO, () -> "btrfs got an identity of its own volume=" + volume);
    }

    private static boolean changeable(ByteBuffer block) {
        return block.getLong(MAGIC) == MAGIC_VALUE
                && block.getShort(CHECKSUM_TYPE) == 0
                && block.getInt(0) == checksum(block)
                && block.getLong(DEVICES) == 1
                && (block.getLong(INCOMPATIBLE) & CHANGING) == 0;
    }

    /** What an earlier filesystem left at a mirror's place is not one of this filesystem. */
    private static List<Long> mirrors(FileChannel channel, byte[] fsid) throws IOException {
        var mirrors = new ArrayList<Long>();
        for (long place : PLACES.subList(1, PLACES.size())) {
            var block = read(channel, place);
            if (changeable(block) && Arrays.equals(part(block, FSID), fsid)) {
                mirrors.add(place);
            }
        }
        return mirrors;
    }

    private static ByteBuffer changed(ByteBuffer block, byte[] fsid) {
        long features = block.getLong(INCOMPATIBLE);
        if ((features & HAS_METADATA_UUID) == 0) {
            block.put(METADATA_UUID, part(block, FSID));
        }
        block.put(FSID, fsid);
        block.putLong(INCOMPATIBLE, features | HAS_METADATA_UUID);
        block.putInt(0, checksum(block));
        return block;
    }

    private static int checksum(ByteBuffer block) {
        var sum = new CRC32C();
        sum.update(block.array(), CHECKSUM_BYTES, BYTES - CHECKSUM_BYTES);
        return (int) sum.getValue();
    }

    /** Returns zeros for what lies behind the end. */
    private static ByteBuffer read(FileChannel channel, long place) throws IOException {
        var block = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (block.hasRemaining() && channel.read(block, place + block.position()) > 0) {
            // a read may return only a part
        }
        return block;
    }

    private static void write(FileChannel channel, long place, ByteBuffer block)
            throws IOException {
        block.rewind();
        while (block.hasRemaining()) {
            channel.write(block, place + block.position());
        }
    }

    private static byte[] part(ByteBuffer block, int at) {
        var part = new byte[UUID_BYTES];
        block.get(at, part);
        return part;
    }

    private static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(UUID_BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }
}
