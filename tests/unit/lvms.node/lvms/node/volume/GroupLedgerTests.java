package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvDetails;
import lvms.lvm2.LvName;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Space of a thin pool is reserved once, whatever is under way and whatever the report shows. */
class GroupLedgerTests {
    private static final long POOL_BYTES = 100;
    private final GroupLedger ledger = new GroupLedger(report("a", 30L));

    private static VolumeGroupReport report(Object... volumes) {
        var all = new ArrayList<LogicalVolume>();
        all.add(lv("pool", "twi-aotz--", POOL_BYTES, Optional.empty()));
        for (int i = 0; i < volumes.length; i += 2) {
            all.add(
                    lv(
                            (String) volumes[i],
                            "Vwi-a-tz--",
                            (long) volumes[i + 1],
                            Optional.of("pool")));
        }
        var group =
                new VolumeGroup(
                        "vg",
                        "u",
                        1000,
                        500,
                        4,
                        1,
                        0,
                        all.size(),
                        0,
                        1,
                        1,
                        "",
                        Optional.empty(),
                        true,
                        true,
                        false,
                        false,
                        AllocationPolicy.NORMAL,
                        Set.of());
        return new VolumeGroupReport(group, List.of(), all, List.of(), List.of());
    }

    private static LogicalVolume lv(String name, String attr, long size, Optional<String> pool) {
        return new LogicalVolume(
                new LvName("vg", name),
                "u",
                Optional.of(Path.of("/dev/vg", name)),
                size,
                LvAttributes.parse(attr),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                0,
                pool,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                0,
                Set.of(),
                "",
                "",
                new LvDetails.Plain(),
                Set.of(),
                Optional.empty());
    }

    private long free() {
        return ledger.freeBytes("pool", 2.0, "");
    }

    @Test
    void freeIsPoolTimesRatioMinusAllVirtualSizes() {
        assertEquals(170, free());
    }

    @Test
    void aReservationCountsBeforeAReportShowsIt() {
        ledger.reserve("b", "pool", 50);
        assertEquals(120, free());
        ledger.release("b");
        assertEquals(170, free());
    }

    @Test
    void aVolumeCountsOnceWhenAReportShowsItWhileItIsStillReserved() {
        ledger.reserve("b", "pool", 50);
        ledger.replace(report("a", 30L, "b", 50L), ledger.confirmed());
        assertEquals(120, free());
    }

    @Test
    void growingCountsTheLargerSize() {
        ledger.reserve("a", "pool", 80);
        assertEquals(120, free());
        assertEquals(200, ledger.freeBytes("pool", 2.0, "a"));
    }

    @Test
    void aReportThatWasAskedForBeforeTheEndKeepsTheReservation() {
        ledger.reserve("b", "pool", 50);
        var before = ledger.confirmed();
        ledger.confirm("b", "pool", 52, Set.of());
        ledger.replace(report("a", 30L), before);
        assertEquals(118, free());
        ledger.replace(report("a", 30L), ledger.confirmed());
        assertEquals(170, free());
    }

    @Test
    void aRemovedVolumeIsForgottenAtOnce() {
        ledger.remove("a");
        assertEquals(200, free());
        assertFalse(ledger.holds("a"));
    }

    @Test
    void aVolumeIsHeldWhenReportedOrMadeSince() {
        assertTrue(ledger.holds("a"));
        ledger.reserve("b", "pool", 50);
        assertFalse(ledger.holds("b"));
        ledger.confirm("b", "pool", 52, Set.of());
        assertTrue(ledger.holds("b"));
    }

    @Test
    void freeIsNeverNegative() {
        ledger.reserve("b", "pool", 500);
        assertEquals(0, free());
        assertEquals(0, ledger.freeBytes("other", 2.0, ""));
    }
}
