package lvms.node.csi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What the superblock says about a filesystem, read without running a program.
 *
 * <p>Sources: ext4.wiki "Super Block"; xfs_fs.h and the XFS disk format, "Superblocks"; btrfs
 * on-disk format, "Superblock".
 *
 * @param sizeBytes size of the filesystem
 * @param blockBytes the least that it can grow by
 * @param errors whether the kernel noted an error in it that only a check can clear
 * @param halfMade whether the program that makes it was interrupted; a superblock whose checksum is
 *     wrong, or that has none, does not say so
 */
record Superblock(long sizeBytes, long blockBytes, boolean errors, boolean halfMade) {
    private static final int EXT_AT = 1024;
    private static final int BTRFS_AT = 64 << 10;
    private static final int READ_BYTES = BTRFS_AT + 4096;
    private static final int EXT_ERROR_FS = 2; // s_state, EXT4_ERROR_FS
    private static final int EXT_64BIT = 0x80; // s_feature_incompat
    private static final int XFS_SUM_AT = 224; // sb_crc
    private static final int XFS_MAGIC = 0x58465342; // "XFSB"

    /** Reads the superblock of a known filesystem; empty if it is not there. */
    static Optional<Superblock> read(Path device, Filesystem filesystem) throws IOException {
        var head = ByteBuffer.allocate(READ_BYTES);
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            while (head.hasRemaining() && channel.read(head, head.position()) > 0) {
                // a read may return only a part
            }
        }
        return parse(head.array(), head.position(), filesystem);
    }

    static Optional<Superblock> parse(byte[] head, int length, Filesystem filesystem) {
        if (length < READ_BYTES) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        return switch (filesystem) {
            case EXT4 -> ext4(bytes);
            case XFS -> xfs(bytes.order(ByteOrder.BIG_ENDIAN));
            case BTRFS -> btrfs(bytes);
        };
    }

    /** Returns whether the device has room for at least one more block. */
    boolean canGrow(long deviceBytes) {
        return deviceBytes >= sizeBytes + blockBytes;
    }

    private static Optional<Superblock> ext4(ByteBuffer bytes) {
        if ((bytes.getShort(EXT_AT + 0x38) & 0xffff) != 0xef53) {
            return Optional.empty();
        }
        long blockBytes = 1024L << (bytes.getInt(EXT_AT + 0x18) & 31);
        boolean wide = (bytes.getInt(EXT_AT + 0x60) & EXT_64BIT) != 0;
        long high = wide ? Integer.toUnsignedLong(bytes.getInt(EXT_AT + 0x150)) << 32 : 0;
        long blocks = high | Integer.toUnsignedLong(bytes.getInt(EXT_AT + 0x04));
        boolean errors = (bytes.getShort(EXT_AT + 0x3a) & EXT_ERROR_FS) != 0;
        return Optional.of(new Superblock(blocks * blockBytes, blockBytes, errors, false));
    }

    private static Optional<Superblock> xfs(ByteBuffer bytes) {
        if (bytes.getInt(0) != XFS_MAGIC) {
            return Optional.empty();
        }
        long blockBytes = Integer.toUnsignedLong(bytes.getInt(4));
        boolean inProgress = bytes.get(126) != 0; // sb_inprogress, cleared by mkfs at its end
        return Optional.of(
                new Superblock(
                        bytes.getLong(8) * blockBytes,
                        blockBytes,
                        false,
                        inProgress && xfsIsIntact(bytes)));
    }

    /** Version 5 has a CRC32c of its sector, in which the sum itself counts as zero. */
    private static boolean xfsIsIntact(ByteBuffer bytes) {
        int version = bytes.getShort(100) & 0xf; // sb_versionnum
        int sectorBytes = bytes.getShort(102) & 0xffff; // sb_sectsize
        if (version != 5 || sectorBytes < XFS_SUM_AT + 4 || sectorBytes > READ_BYTES) {
            return false;
        }
        var sum = new CRC32C();
        sum.update(bytes.array(), 0, XFS_SUM_AT);
        sum.update(new byte[4]);
        sum.update(bytes.array(), XFS_SUM_AT + 4, sectorBytes - XFS_SUM_AT - 4);
        return Integer.reverseBytes(bytes.getInt(XFS_SUM_AT)) == (int) sum.getValue();
    }

    private static Optional<Superblock> btrfs(ByteBuffer bytes) {
        if (bytes.getLong(BTRFS_AT + 0x40) != 0x4d5f53665248425fL) { // "_BHRfS_M"
            return Optional.empty();
        }
        long sectorBytes = Integer.toUnsignedLong(bytes.getInt(BTRFS_AT + 0x90));
        long size = bytes.getLong(BTRFS_AT + 0x70);
        return Optional.of(new Superblock(size, sectorBytes, false, false));
    }
}
