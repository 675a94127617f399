package lvms.lvm2;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a report says about one kind of volume beyond what all volumes have. A value is empty if LVM
 * did not report it, because the volume is inactive or LVM is too old for the column.
 */
public sealed interface LvDetails {
    /**
     * Linear, striped, a thin volume that is not a snapshot, a pool, or a kind without further
     * details.
     */
    record Plain() implements LvDetails {}

    /**
     * A RAID volume; {@link LogicalVolume#syncPercent} says how far it is in sync.
     *
     * @param level the most specific of the layout's words, such as {@code raid1} or {@code
     *     raid5_ls}
     * @param health judged by attributes, synchronization and mismatches together
     * @param mismatches sectors that differed between images in the last check
     */
    record Raid(String level, RaidHealth health, OptionalLong mismatches) implements LvDetails {}

    /**
     * A snapshot; {@link LogicalVolume#origin} names its origin.
     *
     * @param thin whether it is a thin volume of its own, or a thick one that fills up
     * @param merging whether it is being merged into its origin, or will be when the origin is
     *     activated
     * @param invalid whether a thick one overflowed: its content is lost
     * @param fillPercent how much of a thick snapshot's store is used, or of a thin snapshot is
     *     mapped
     */
    record Snapshot(boolean thin, boolean merging, boolean invalid, OptionalDouble fillPercent)
            implements LvDetails {}

    /**
     * A volume with a cache, or a cache pool. Blocks have the cache's own block size.
     *
     * @param writeCache whether it is dm-writecache, which holds only writes
     * @param totalBlocks blocks of the cache
     * @param usedBlocks blocks in use
     * @param dirtyBlocks blocks that are not on the slow device yet
     * @param errors write errors of a write cache
     */
    record Cache(
            boolean writeCache,
            OptionalLong totalBlocks,
            OptionalLong usedBlocks,
            OptionalLong dirtyBlocks,
            OptionalLong errors)
            implements LvDetails {}

    /**
     * A VDO pool, or a volume in one; this library only reports them.
     *
     * @param operatingMode such as {@code normal}, {@code recovering}, {@code read-only}
     * @param compressionState such as {@code online}
     * @param indexState state of the deduplication index, such as {@code online}
     * @param usedBytes space in use
     * @param savingPercent space saved
     */
    record Vdo(
            Optional<String> operatingMode,
            Optional<String> compressionState,
            Optional<String> indexState,
            OptionalLong usedBytes,
            OptionalDouble savingPercent)
            implements LvDetails {}
}
