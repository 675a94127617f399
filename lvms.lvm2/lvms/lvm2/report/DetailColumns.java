package lvms.lvm2.report;

import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvDetails;
import lvms.lvm2.LvHealth;
import lvms.lvm2.RaidHealth;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Columns that only some kinds of volumes have, and the details their rows become. */
public final class DetailColumns {
    /** If an older LVM lacks one of these, its value is empty; see {@link KnownColumns}. */
    public static final String NAMES =
            "raid_mismatch_count,lv_merging,cache_total_blocks,cache_used_blocks,"
                    + "cache_dirty_blocks,writecache_total_blocks,writecache_free_blocks,"
                    + "writecache_writeback_blocks,writecache_error,vdo_operating_mode,"
                    + "vdo_compression_state,vdo_index_state,vdo_used_size,vdo_saving_percent";

    private DetailColumns() {}

    public static LvDetails details(Map<String, String> row) {
        var layout = Columns.set(row, "lv_layout");
        if (layout.contains("raid")) {
            return raid(row);
        }
        if (layout.contains("cache") || layout.contains("writecache")) {
            return cache(row, layout);
        }
        if (layout.contains("vdo")) {
            return vdo(row);
        }
        return Columns.optional(row, "origin").isPresent() ? snapshot(row) : new LvDetails.Plain();
    }

    /** The layout of RAID 5 is {@code raid,raid5,raid5_ls}. */
    private static LvDetails raid(Map<String, String> row) {
        var level =
                Columns.list(row, "lv_layout").stream()
                        .filter(word -> word.startsWith("raid"))
                        .reduce("raid", (a, b) -> b.length() > a.length() ? b : a);
        var mismatches = count(row, "raid_mismatch_count");
        var attributes = LvAttributes.parse(Columns.text(row, "lv_attr"));
        var sync = Columns.percent(row, "sync_percent");
        return new LvDetails.Raid(level, RaidHealth.of(attributes, sync, mismatches), mismatches);
    }

    private static LvDetails snapshot(Map<String, String> row) {
        var attributes = LvAttributes.parse(Columns.text(row, "lv_attr"));
        boolean merging =
                !Columns.text(row, "lv_merging").isEmpty()
                        || attributes.type() == LvAttributes.Type.SNAPSHOT_MERGING;
        return new LvDetails.Snapshot(
                Columns.set(row, "lv_layout").contains("thin"),
                merging,
                attributes.health().filter(LvHealth.INVALID_SNAPSHOT::equals).isPresent(),
                Columns.percent(row, "data_percent"));
    }

    private static LvDetails cache(Map<String, String> row, Set<String> layout) {
        if (!layout.contains("writecache")) {
            return new LvDetails.Cache(
                    false,
                    count(row, "cache_total_blocks"),
                    count(row, "cache_used_blocks"),
                    count(row, "cache_dirty_blocks"),
                    OptionalLong.empty());
        }
        var total = count(row, "writecache_total_blocks");
        var free = count(row, "writecache_free_blocks");
        return new LvDetails.Cache(
                true,
                total,
                total.isPresent() && free.isPresent()
                        ? OptionalLong.of(total.getAsLong() - free.getAsLong())
                        : OptionalLong.empty(),
                count(row, "writecache_writeback_blocks"),
                count(row, "writecache_error"));
    }

    private static LvDetails vdo(Map<String, String> row) {
        return new LvDetails.Vdo(
                Columns.optional(row, "vdo_operating_mode"),
                Columns.optional(row, "vdo_compression_state"),
                Columns.optional(row, "vdo_index_state"),
                count(row, "vdo_used_size"),
                Columns.percent(row, "vdo_saving_percent"));
    }

    private static OptionalLong count(Map<String, String> row, String column) {
        var value = Columns.text(row, column);
        return value.isEmpty() || value.startsWith("-")
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(value));
    }
}
