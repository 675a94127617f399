package lvms.lvm2.report;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvName;
import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.Segment;
import lvms.lvm2.ThinPool;
import lvms.lvm2.VolumeGroup;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Columns of LVM's reports, and the records their rows become. Sizes are asked for in bytes. */
public final class Columns {
    public static final String VG =
            "vg_name,vg_uuid,vg_size,vg_free,vg_extent_size,pv_count,vg_missing_pv_count,lv_count,max_lv,"
                + "vg_mda_size,vg_mda_free,vg_lock_type,vg_systemid,vg_attr,vg_tags";
    public static final String PV =
            "pv_name,vg_name,pv_uuid,pv_fmt,pv_size,pv_free,pv_pe_count,pv_pe_alloc_count,pe_start,dev_size,"
                + "pv_mda_size,pv_mda_free,pv_mda_used_count,pv_attr,pv_missing,pv_duplicate,"
                + "pv_tags";
    public static final String LV =
            "lv_uuid,lv_name,vg_name,lv_path,lv_size,lv_attr,lv_kernel_major,lv_kernel_minor,"
                + "origin,origin_size,pool_lv,data_percent,metadata_percent,sync_percent,"
                + "lv_metadata_size,lv_layout,lv_health_status,raid_sync_action,lv_tags,lv_time,"
                    + DetailColumns.NAMES;
    public static final String POOL =
            LV + ",chunk_size,zero,discards,lv_when_full,thin_count,transaction_id";
    public static final String SEGMENT =
            "lv_name,vg_name,segtype,seg_start,seg_size,stripes,stripe_size,chunk_size,devices";
    public static final String PHYSICAL_SEGMENT =
            "pv_uuid,pv_name,pvseg_start,pvseg_size,lv_name,segtype,seg_start_pe,seg_pe_ranges";

    private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,17}");

    private Columns() {}

    public static VolumeGroup volumeGroup(Map<String, String> row) {
        var attr = row.getOrDefault("vg_attr", "");
        return new VolumeGroup(
                text(row, "vg_name"),
                text(row, "vg_uuid"),
                number(row, "vg_size"),
                number(row, "vg_free"),
                number(row, "vg_extent_size"),
                number(row, "pv_count"),
                number(row, "vg_missing_pv_count"),
                number(row, "lv_count"),
                number(row, "max_lv"),
                number(row, "vg_mda_size"),
                number(row, "vg_mda_free"),
                text(row, "vg_lock_type"),
                optional(row, "vg_systemid"),
                attr.startsWith("w"),
                at(attr, 1) == 'z',
                at(attr, 2) == 'x',
                at(attr, 3) == 'p',
                AllocationPolicy.of(at(attr, 4)),
                set(row, "vg_tags"));
    }

    public static PhysicalVolume physicalVolume(Map<String, String> row) {
        var attr = text(row, "pv_attr");
        return new PhysicalVolume(
                text(row, "pv_name"),
                text(row, "pv_uuid"),
                text(row, "vg_name"),
                text(row, "pv_fmt"),
                number(row, "pv_size"),
                number(row, "pv_free"),
                number(row, "pv_pe_count"),
                number(row, "pv_pe_alloc_count"),
                number(row, "pe_start"),
                number(row, "dev_size"),
                number(row, "pv_mda_size"),
                number(row, "pv_mda_free"),
                number(row, "pv_mda_used_count"),
                at(attr, 0) == 'a',
                at(attr, 1) == 'x',
                at(attr, 2) == 'm' || !text(row, "pv_missing").isEmpty(),
                at(attr, 0) == 'd' || !text(row, "pv_duplicate").isEmpty(),
                set(row, "pv_tags"));
    }

    public static LogicalVolume logicalVolume(Map<String, String> row) {
        return new LogicalVolume(
                new LvName(text(row, "vg_name"), bare(text(row, "lv_name"))),
                text(row, "lv_uuid"),
                optional(row, "lv_path").map(Path::of),
                number(row, "lv_size"),
                LvAttributes.parse(text(row, "lv_attr")),
                device(row, "lv_kernel_major"),
                device(row, "lv_kernel_minor"),
                optional(row, "origin").map(Columns::bare),
                number(row, "origin_size"),
                optional(row, "pool_lv").map(Columns::bare),
                percent(row, "data_percent"),
                percent(row, "metadata_percent"),
                percent(row, "sync_percent"),
                number(row, "lv_metadata_size"),
                set(row, "lv_layout"),
                text(row, "lv_health_status"),
                text(row, "raid_sync_action"),
                DetailColumns.details(row),
                set(row, "lv_tags"),
                time(row, "lv_time"));
    }

    public static ThinPool thinPool(Map<String, String> row) {
        return new ThinPool(
                logicalVolume(row),
                number(row, "chunk_size"),
                number(row, "lv_metadata_size"),
                text(row, "zero").equals("zero") || text(row, "zero").equals("1"),
                text(row, "discards"),
                text(row, "lv_when_full"),
                number(row, "thin_count"),
                number(row, "transaction_id"));
    }

    public static Segment segment(Map<String, String> row) {
        return new Segment(
                new LvName(text(row, "vg_name"), bare(text(row, "lv_name"))),
                text(row, "segtype"),
                number(row, "seg_start"),
                number(row, "seg_size"),
                number(row, "stripes"),
                number(row, "stripe_size"),
                number(row, "chunk_size"),
                list(row, "devices"));
    }

    public static PhysicalSegment physicalSegment(Map<String, String> row) {
        return new PhysicalSegment(
                text(row, "pv_uuid"),
                number(row, "pvseg_start"),
                number(row, "pvseg_size"),
                optional(row, "lv_name").map(Columns::bare),
                text(row, "segtype"),
                number(row, "seg_start_pe"),
                area(row));
    }

    /** Ranges are in the order of the areas, as in {@code /dev/sdb:0-9 /dev/sdc:4-13}. */
    private static int area(Map<String, String> row) {
        var first = text(row, "pv_name") + ":" + text(row, "pvseg_start") + "-";
        var ranges = List.of(text(row, "seg_pe_ranges").split(" "));
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).startsWith(first)) {
                return i;
            }
        }
        return 0;
    }

    /** Volumes that only LVM uses are printed in brackets. */
    public static boolean isHidden(String name) {
        return name.startsWith("[") && name.endsWith("]");
    }

    public static String bare(String name) {
        return isHidden(name) ? name.substring(1, name.length() - 1) : name;
    }

    private static char at(String attr, int position) {
        return position < attr.length() ? attr.charAt(position) : '-';
    }

    public static String text(Map<String, String> row, String column) {
        return row.getOrDefault(column, "");
    }

    public static Optional<String> optional(Map<String, String> row, String column) {
        return Optional.of(text(row, column)).filter(value -> !value.isEmpty());
    }

    /** LVM leaves a number empty, or prints -1, where it does not apply. */
    public static long number(Map<String, String> row, String column) {
        var value = text(row, column);
        return value.isEmpty() ? 0 : Math.max(0, Long.parseLong(value));
    }

    private static OptionalInt device(Map<String, String> row, String column) {
        var value = text(row, column);
        return value.isEmpty() || value.startsWith("-")
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(value));
    }

    /** Reads seconds since 1970, as our configuration asks for; volumes of LVM 1 have no time. */
    private static Optional<Instant> time(Map<String, String> row, String column) {
        return optional(row, column)
                .filter(value -> SECONDS.matcher(value).matches())
                .map(value -> Instant.ofEpochSecond(Long.parseLong(value)));
    }

    public static OptionalDouble percent(Map<String, String> row, String column) {
        var value = text(row, column);
        return value.isEmpty() || value.startsWith("-")
                ? OptionalDouble.empty()
                : OptionalDouble.of(Double.parseDouble(value));
    }

    public static List<String> list(Map<String, String> row, String column) {
        return Arrays.stream(text(row, column).split(",")).filter(s -> !s.isEmpty()).toList();
    }

    public static Set<String> set(Map<String, String> row, String column) {
        return list(row, column).stream().collect(Collectors.toUnmodifiableSet());
    }
}
