package lvms.lvm2.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What LVM knows about the thin pools of a group.
 *
 * @param rows of its volumes, hidden ones too
 */
public record PoolRows(List<Map<String, String>> rows) {
    /** What to ask {@code lvs -a} for. */
    public static final String COLUMNS = "lv_name,lv_uuid,pool_lv,thin_id,transaction_id,segtype";

    /** Reads a report of {@link #COLUMNS}. */
    public static PoolRows of(CommandOutput report) {
        return new PoolRows(report.rows("lv"));
    }

    public List<String> pools() {
        return rows.stream()
                .filter(row -> Columns.text(row, "segtype").equals("thin-pool"))
                .map(row -> name(row, "lv_name"))
                .toList();
    }

    /** Returns the numbers of the devices of a pool's volumes. */
    public IntStream deviceIds(String pool) {
        return rows.stream()
                .filter(row -> name(row, "pool_lv").equals(pool))
                .mapToInt(row -> (int) Columns.number(row, "thin_id"));
    }

    /**
     * A thin volume.
     *
     * @param pool name of its pool
     * @param deviceId its number there
     */
    public record Thin(String pool, int deviceId) {}

    /** Returns where a thin volume is; empty if there is none of this name. */
    public Optional<Thin> thin(String volume) {
        return named(volume)
                .filter(row -> Columns.text(row, "segtype").equals("thin"))
                .map(row -> new Thin(name(row, "pool_lv"), (int) Columns.number(row, "thin_id")))
                .findFirst();
    }

    /** Returns the number of a pool's last transaction, or of the one that made a thin volume. */
    public long transaction(String volume) {
        return named(volume)
                .mapToLong(row -> Columns.number(row, "transaction_id"))
                .findFirst()
                .orElse(0);
    }

    /** Returns the UUID of a pool or a volume; empty if there is none of this name. */
    public Optional<String> uuid(String volume) {
        return named(volume).map(row -> Columns.text(row, "lv_uuid")).findFirst();
    }

    private Stream<Map<String, String>> named(String volume) {
        return rows.stream().filter(row -> name(row, "lv_name").equals(volume));
    }

    private static String name(Map<String, String> row, String column) {
        return Columns.bare(Columns.text(row, column));
    }
}
