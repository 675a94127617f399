package lvms.node.csi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Looks for a filesystem whose first superblock is lost: for a second one, as mkfs writes it, that
 * fits the device. What an earlier volume left in the same extents fits only if that had the same
 * size; ext4 says when it was made, too.
 *
 * <p>Sources: ext4.wiki "Super Block" and "Block Groups" (copies in group 1 and in powers of 3, 5
 * and 7); XFS disk format "Allocation Groups" (a copy at the begin of each), mkfs.xfs(8) {@code
 * agcount}; btrfs on-disk format "Superblock" (copies at 64 MiB and 256 GiB).
 */
final class BackupSuperblock {
    private static final int SUPERBLOCK_BYTES = 4096;
    private static final int MIB = 1 << 20;
    private static final long TIB = 1L << 40;

    /** What of a device a filesystem may leave unused at its end. */
    private static final long SLACK_BYTES = 16L << 20;

    private static final int EXT_MAGIC = 0xef53;
    private static final List<Integer> EXT_BLOCK_BYTES = List.of(1024, 2048, 4096);
    private static final List<Integer> EXT_GROUPS = List.of(1, 3, 5, 7);
    private static final int XFS_MAGIC = 0x58465342; // "XFSB"
    private static final int XFS_SECTOR_BYTES = 512; // the least
    private static final List<Integer> XFS_GROUPS = List.of(4, 2, 8, 16, 32, 64);
    private static final long BTRFS_MAGIC = 0x4d5f53665248425fL; // "_BHRfS_M"
    private static final List<Long> BTRFS_COPIES = List.of(64L << 20, 256L << 30);

    private final FileChannel device;
    private final long sizeBytes;
    private final Optional<Instant> created;

    private BackupSuperblock(FileChannel device, long sizeBytes, Optional<Instant> created) {
        this.device = device;
        this.sizeBytes = sizeBytes;
        this.created = created;
    }

    /**
     * Looks for one.
     *
     * @param sizeBytes size of the device
     * @param created when the volume was made; a filesystem that is older was another volume's
     * @return what was found and where; empty if nothing fits
     */
    static Optional<String> find(Path device, long sizeBytes, Optional<Instant> created)
            throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            var search = new BackupSuperblock(channel, sizeBytes, created);
            var ext = search.ext();
            if (ext.isPresent()) {
                return ext;
            }
            var btrfs = search.btrfs();
            return btrfs.isPresent() ? btrfs : search.xfs();
        }
    }

    private Optional<String> ext() throws IOException {
        for (int block : EXT_BLOCK_BYTES) {
            long groupBytes = 8L * block * block; // one bitmap block has a bit for each
            long first = block == 1024 ? block : 0; // the boot block comes before group 0
            for (int group : EXT_GROUPS) {
                long at = first + group * groupBytes;
                var bytes = read(at, SUPERBLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                if (bytes.limit() == SUPERBLOCK_BYTES && isExt(bytes, block, group, groupBytes)) {
                    return found("ext4", at);
                }
            }
        }
        return Optional.empty();
    }

    private boolean isExt(ByteBuffer bytes, int block, int group, long groupBytes) {
        if ((bytes.getShort(0x38) & 0xffff) != EXT_MAGIC
                || (bytes.getShort(0x5a) & 0xffff) != group
                || 1024L << (bytes.getInt(0x18) & 31) != block) {
            return false;
        }
        boolean wide = (bytes.getInt(0x60) & 0x80) != 0; // 64bit
        long high = wide ? Integer.toUnsignedLong(bytes.getInt(0x150)) << 32 : 0;
        long size = (high | Integer.toUnsignedLong(bytes.getInt(0x04))) * block;
        long madeAt = Integer.toUnsignedLong(bytes.getInt(0x108)); // s_mkfs_time
        boolean older = madeAt > 0 && created.filter(t -> madeAt < t.getEpochSecond()).isPresent();
        return !older && fits(size, Math.max(groupBytes, SLACK_BYTES));
    }

    private Optional<String> btrfs() throws IOException {
        for (long at : BTRFS_COPIES) {
            var bytes = read(at, SUPERBLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (bytes.limit() == SUPERBLOCK_BYTES
                    && bytes.getLong(0x40) == BTRFS_MAGIC
                    && bytes.getLong(0x30) == at
                    && fits(bytes.getLong(0x70), SLACK_BYTES)) {
                return found("btrfs", at);
            }
        }
        return Optional.empty();
    }

    /** The second allocation group begins where mkfs.xfs puts it, but for a stripe's rounding. */
    private Optional<String> xfs() throws IOException {
        for (int groups : XFS_GROUPS) {
            var found = xfsNear(sizeBytes / groups);
            if (found.isPresent()) {
                return found;
            }
        }
        return xfsNear(TIB); // the largest group
    }

    private Optional<String> xfsNear(long middle) throws IOException {
        long from = Math.max(0, middle - MIB) / XFS_SECTOR_BYTES * XFS_SECTOR_BYTES;
        var bytes = read(from, 2 * MIB);
        for (int at = 0; at + XFS_SECTOR_BYTES <= bytes.limit(); at += XFS_SECTOR_BYTES) {
            if (bytes.getInt(at) == XFS_MAGIC && isXfs(bytes, at, from + at)) {
                return found("xfs", from + at);
            }
        }
        return Optional.empty();
    }

    private boolean isXfs(ByteBuffer bytes, int at, long position) {
        long block = Integer.toUnsignedLong(bytes.getInt(at + 4)); // sb_blocksize
        long groupBytes = Integer.toUnsignedLong(bytes.getInt(at + 84)) * block; // sb_agblocks
        return position > 0
                && groupBytes > 0
                && position % groupBytes == 0
                && fits(bytes.getLong(at + 8) * block, SLACK_BYTES); // sb_dblocks
    }

    private boolean fits(long filesystemBytes, long slackBytes) {
        return filesystemBytes > 0
                && filesystemBytes <= sizeBytes
                && sizeBytes - filesystemBytes < slackBytes;
    }

    /** Reads what the device has there, which may be less. */
    private ByteBuffer read(long at, int bytes) throws IOException {
        var buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining() && at + buffer.position() < sizeBytes) {
            if (device.read(buffer, at + buffer.position()) <= 0) {
                break;
            }
        }
        return buffer.flip();
    }

    private static Optional<String> found(String type, long at) {
        return Optional.of(
                "nothing at its begin, but a second superblock of %s at byte %d"
                        .formatted(type, at));
    }
}
