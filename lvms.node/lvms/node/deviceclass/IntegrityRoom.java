package lvms.node.deviceclass;

/**
 * What the checksums of {@code --raidintegrity y} take beside each image, as LVM counts it ({@code
 * lib/metadata/integrity_manip.c}): 4 MiB for each 500 MiB begun, and a journal.
 */
final class IntegrityRoom {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private IntegrityRoom() {}

    /** Returns the largest size whose checksums fit beside it into this many bytes. */
    static long without(long bytes, int stripes, long extentBytes) {
        long low = 0;
        long high = bytes / extentBytes;
        while (low < high) {
            long middle = high - (high - low) / 2;
            long image = Math.ceilDiv(middle * extentBytes, stripes);
            if ((image + checksums(image, extentBytes)) * stripes <= bytes) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low / stripes * stripes * extentBytes;
    }

    private static long checksums(long image, long extentBytes) {
        long bytes = (image / (500 * MIB) + 1) * 4 * MIB + journal(image);
        return Math.ceilDiv(bytes, extentBytes) * extentBytes;
    }

    private static long journal(long image) {
        if (image <= 512 * MIB) {
            return 4 * MIB;
        }
        if (image <= GIB) {
            return 8 * MIB;
        }
        return image <= 4 * GIB ? 32 * MIB : 64 * MIB;
    }
}
