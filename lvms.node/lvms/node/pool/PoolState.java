package lvms.node.pool;

import lvms.lvm2.LvHealth;
import lvms.lvm2.LvName;
import lvms.lvm2.device.ThinPoolUsage;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A pool of any kind as it is now.
 *
 * @param name its name
 * @param data the space that volumes are written to
 * @param metadata the space that says which volume has which block
 * @param condition whether it works
 * @param extentBytes what it grows by
 * @param leastFreeMetadataBytes below this much free metadata LVM makes no volume
 */
public record PoolState(
        LvName name,
        PoolUse data,
        PoolUse metadata,
        Condition condition,
        long extentBytes,
        long leastFreeMetadataBytes) {
    private static final long FREE_METADATA_BYTES = 4L << 20;

    /** Whether a pool works. */
    public enum Condition {
        /** Volumes can be written. */
        WRITABLE,
        /** Writes that need space wait or fail. */
        OUT_OF_DATA,
        /** Its metadata cannot be written: no volume gets space, none can be made. */
        READ_ONLY,
        /** Its metadata has to be checked before it may be written again. */
        CHECK_NEEDED,
        /** It does no I/O. */
        FAILED;

        static Condition of(ThinPoolUsage usage) {
            return switch (usage.mode()) {
                case "Fail", "Error" -> FAILED;
                case String _ when usage.needsCheck() -> CHECK_NEEDED;
                case "out_of_data_space" -> OUT_OF_DATA;
                case "ro" -> READ_ONLY;
                default -> WRITABLE;
            };
        }

        /** Returns what a report of LVM says; problems that are not the pool's own do not count. */
        public static Condition of(Optional<LvHealth> health) {
            return switch (health.orElse(LvHealth.RAID_MISMATCHES)) {
                case POOL_FAILED -> FAILED;
                case CHECK_NEEDED -> CHECK_NEEDED;
                case POOL_METADATA_READ_ONLY -> READ_ONLY;
                case POOL_OUT_OF_DATA -> OUT_OF_DATA;
                default -> WRITABLE;
            };
        }
    }

    /** A thin pool, for which LVM wants 4 MiB of free metadata, or a quarter if that is less. */
    public static PoolState thin(
            LvName name, PoolUse data, PoolUse metadata, Condition condition, long extentBytes) {
        long least = Math.min(FREE_METADATA_BYTES, metadata.sizeBytes() / 4);
        return new PoolState(name, data, metadata, condition, extentBytes, least);
    }

    /** Returns why LVM makes no volume in it, whatever the user wants; empty if it would. */
    public Optional<String> refusalOfLvm() {
        return illness()
                .or(
                        () ->
                                condition == Condition.OUT_OF_DATA || data.reaches(100)
                                        ? Optional.of("its data is full")
                                        : Optional.empty())
                .or(
                        () ->
                                lacksMetadata()
                                        ? Optional.of("its metadata is nearly full")
                                        : Optional.empty());
    }

    private boolean lacksMetadata() {
        return metadata.sizeBytes() > 0
                && (1 - metadata.used()) * metadata.sizeBytes() <= leastFreeMetadataBytes;
    }

    /** Says what growth cannot cure, and what to do; empty if the pool works or is only full. */
    Optional<String> illness() {
        return switch (condition) {
            case WRITABLE, OUT_OF_DATA -> Optional.empty();
            case READ_ONLY -> Optional.of("its metadata is read-only");
            case CHECK_NEEDED ->
                    Optional.of(
                            "its metadata needs a check: stop its pods and run lvconvert --repair "
                                    + name);
            case FAILED ->
                    Optional.of(
                            "it has failed and does no I/O: stop its pods and run lvconvert"
                                    + " --repair "
                                    + name);
        };
    }

    /** Returns the same with the use that the kernel tells, which is newer than LVM's report. */
    PoolState with(ThinPoolUsage usage) {
        return thin(
                name,
                new PoolUse(data.sizeBytes(), usage.dataUse(), data.roomBytes()),
                new PoolUse(metadata.sizeBytes(), usage.metadataUse(), metadata.roomBytes()),
                Condition.of(usage),
                extentBytes);
    }

    /** Returns the same with as much room for data as a limit leaves; empty is no limit. */
    PoolState upTo(OptionalLong limitBytes) {
        long left = Math.max(0, limitBytes.orElse(Long.MAX_VALUE) - data.sizeBytes());
        long most = left / extentBytes * extentBytes;
        return new PoolState(
                name,
                new PoolUse(data.sizeBytes(), data.used(), Math.min(data.roomBytes(), most)),
                metadata,
                condition,
                extentBytes,
                leastFreeMetadataBytes);
    }
}
