package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hidden volumes have devices in a pool too, such as a snapshot that is being merged. */
class PoolRowsTests {
    private final PoolRows rows =
            new PoolRows(
                    List.of(
                            row("pool", "", "", "7", "thin-pool"),
                            row("[pool_tdata]", "", "", "", "linear"),
                            row("data", "pool", "1", "3", "thin"),
                            row("[merging]", "pool", "4", "3", "thin"),
                            row("[hidden]", "", "", "2", "thin-pool"),
                            row("other", "[hidden]", "9", "1", "thin")));

    private static Map<String, String> row(
            String name, String pool, String id, String transaction, String type) {
        return Map.of(
                "lv_name", name,
                "pool_lv", pool,
                "thin_id", id,
                "transaction_id", transaction,
                "segtype", type);
    }

    @Test
    void poolsAndTheirDevicesAreFoundWhetherHiddenOrNot() {
        assertEquals(List.of("pool", "hidden"), rows.pools());
        assertArrayEquals(new int[] {1, 4}, rows.deviceIds("pool").toArray());
        assertArrayEquals(new int[] {9}, rows.deviceIds("hidden").toArray());
    }

    @Test
    void aThinVolumeHasANumberInItsPool() {
        assertEquals(Optional.of(new PoolRows.Thin("pool", 1)), rows.thin("data"));
        assertEquals(Optional.of(new PoolRows.Thin("hidden", 9)), rows.thin("other"));
        assertEquals(Optional.empty(), rows.thin("pool"));
        assertEquals(Optional.empty(), rows.thin("none"));
    }

    @Test
    void theTransactionIsThePools() {
        assertEquals(7, rows.transaction("pool"));
        assertEquals(0, rows.transaction("none"));
    }
}
