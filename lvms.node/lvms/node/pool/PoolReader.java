package lvms.node.pool;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.AllocationSettings;
import lvms.lvm2.plan.Capacity;
import lvms.lvm2.plan.GroupPlanner;
import lvms.node.pool.PoolState.Condition;

import java.util.Optional;

/** Reads the state of a thin pool from the report of its group. */
public final class PoolReader {
    /** More metadata than this need not be able to double. */
    private static final long MOST_RESERVE_BYTES = 128L << 20;

    private PoolReader() {}

    /** Returns the state without room to grow: enough to know what LVM refuses. */
    public static PoolState glance(LogicalVolume pool, long extentBytes) {
        return state(pool, extentBytes, 0, 0);
    }

    /**
     * Returns the state. The room for data leaves as much as the metadata and its spare need to
     * double; both come out of the same free space.
     */
    static PoolState read(
            VolumeGroupReport report, LogicalVolume pool, AllocationSettings settings) {
        var planner = new GroupPlanner(report, settings);
        long reserve = 2 * Math.min(pool.metadataSizeBytes(), MOST_RESERVE_BYTES);
        long data = bytes(planner.dataGrowth(pool.name().lv()));
        long metadata = bytes(planner.metadataGrowth(pool.name().lv()));
        return state(pool, report.group().extentSizeBytes(), Math.max(0, data - reserve), metadata);
    }

    private static long bytes(Optional<Capacity> growth) {
        return growth.map(Capacity::sizeBytes).orElse(0L);
    }

    private static PoolState state(
            LogicalVolume pool, long extentBytes, long dataRoom, long metadataRoom) {
        return PoolState.thin(
                pool.name(),
                new PoolUse(pool.sizeBytes(), pool.dataPercent().orElse(0) / 100, dataRoom),
                new PoolUse(
                        pool.metadataSizeBytes(),
                        pool.metadataPercent().orElse(0) / 100,
                        metadataRoom),
                Condition.of(pool.attributes().health()),
                extentBytes);
    }
}
