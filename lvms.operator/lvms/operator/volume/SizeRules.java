package lvms.operator.volume;

import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.util.Map;

/**
 * How a requested size becomes the size of a volume.
 *
 * @param minimumBlockBytes smallest raw device, in bytes
 * @param minimumFilesystemBytes smallest volume for each filesystem type, in bytes
 */
public record SizeRules(long minimumBlockBytes, Map<String, Long> minimumFilesystemBytes) {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long SECTOR = 4096;

    /** The sizes that TopoLVM documents. */
    public static final SizeRules DEFAULT =
            new SizeRules(8 * MIB, Map.of("ext4", 32 * MIB, "xfs", 300 * MIB, "btrfs", 200 * MIB));

    /** Keeps a private copy. */
    public SizeRules {
        minimumFilesystemBytes = Map.copyOf(minimumFilesystemBytes);
    }

    /**
     * Returns the range with its lower bound raised to the smallest volume of this access.
     *
     * @throws VolumeException OUT_OF_RANGE if the upper bound is below that
     */
    public CapacityRange raised(CapacityRange range, Access access) throws VolumeException {
        long minimum =
                switch (access) {
                    case Access.Block() -> minimumBlockBytes;
                    case Access.Mount(var fsType, _, _) ->
                            minimumFilesystemBytes.getOrDefault(
                                    fsType.isEmpty() ? Names.FILESYSTEMS.getFirst() : fsType, 0L);
                };
        boolean raise = range.requiredBytes() >= 0 && range.requiredBytes() < minimum;
        if (!raise || range.any()) {
            return range;
        }
        boolean possible = range.requiredBytes() <= range.limitBytes(); // else it is no range
        if (possible && range.limitBytes() < minimum) {
            throw new VolumeException(
                    StatusCode.OUT_OF_RANGE,
                    "such a volume has at least %d bytes, the limit is %d"
                            .formatted(minimum, range.limitBytes()));
        }
        return new CapacityRange(minimum, range.limitBytes());
    }

    /**
     * Returns the size of the volume to make, a multiple of 4096 bytes.
     *
     * @throws VolumeException INVALID_ARGUMENT for bounds that contradict each other, OUT_OF_RANGE
     *     if no size lies between them
     */
    public static long normalise(CapacityRange range) throws VolumeException {
        long required = range.requiredBytes();
        long limit = range.limitBytes();
        if (required < 0 || limit < 0) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, "a size is negative");
        }
        if (limit != 0 && required > limit) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "the required size, "
                            + required
                            + " bytes, is above the limit, "
                            + limit
                            + " bytes");
        }
        if (required == 0) {
            return limit == 0 || limit >= GIB ? GIB : floor(limit);
        }
        if (required > Long.MAX_VALUE - SECTOR) {
            throw new VolumeException(
                    StatusCode.OUT_OF_RANGE, required + " bytes are more than a volume can have");
        }
        long bytes = (required + SECTOR - 1) / SECTOR * SECTOR;
        if (limit != 0 && bytes > limit) {
            throw new VolumeException(
                    StatusCode.OUT_OF_RANGE,
                    "no multiple of 4096 lies between " + required + " and " + limit + " bytes");
        }
        return bytes;
    }

    private static long floor(long limit) throws VolumeException {
        long bytes = limit / SECTOR * SECTOR;
        if (bytes == 0) {
            throw new VolumeException(
                    StatusCode.OUT_OF_RANGE,
                    "a volume of at most " + limit + " bytes is too small");
        }
        return bytes;
    }

    /** Returns a size for people, such as {@code 9.5GiB}. */
    public static String text(long bytes) {
        if (bytes < 1024) {
            return bytes + "B";
        }
        int unit = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
        long tenths = Math.round((double) bytes / (1L << (10 * unit)) * 10);
        String digits = tenths % 10 == 0 ? "" + tenths / 10 : tenths / 10 + "." + tenths % 10;
        return digits + "KMGTPE".charAt(unit - 1) + "iB";
    }
}
