package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.disk.DeviceSelection;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.LogicalVolume;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestLvm;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Situations;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Alerts about RAID go by five gauges of a class and node. */
class RaidMetricsTests {
    private static final KnownPv SDB = TestLvm.on("/dev/sdb", "vg1");
    private static final KnownPv SDC = TestLvm.on("/dev/sdc", "vg1");

    private final MetricsRegistry registry = new MetricsRegistry();
    private final RaidMetrics metrics = new RaidMetrics(registry, "n1");

    private static Situation raid(List<KnownPv> pvs, LogicalVolume... volumes) {
        var s = Situations.existing(Situations.RAID1, DeviceSelection.EVERYTHING, pvs);
        var report = TestLvm.ours("vg1", TestLvm.pvsOf(pvs), volumes);
        return Situations.with(s, report, Optional.empty());
    }

    /** Health, synchronizing, members, missing ones, percent. */
    private void assertShown(String... values) {
        var names =
                List.of(
                        "health_status",
                        "sync_in_progress",
                        "member_count",
                        "degraded_count",
                        "sync_percent");
        var lines = registry.text().lines().filter(line -> line.startsWith("lvms_raid_")).sorted();
        var shown = lines.collect(Collectors.toList());
        assertEquals(values.length, shown.size(), shown::toString);
        for (int i = 0; i < values.length; i++) {
            var name = names.get(i);
            var line = "lvms_raid_" + name + "{node=\"n1\",device_class=\"vg1\"} " + values[i];
            assertEquals(
                    List.of(line),
                    shown.stream().filter(l -> l.startsWith("lvms_raid_" + name)).toList());
        }
    }

    @Test
    void aHealthyClassIsInSync() {
        metrics.update(raid(List.of(SDB, SDC), TestLvm.raid("a", "rwi-a-r---", "", 100)));
        assertShown("0", "0", "2", "0", "100");
    }

    @Test
    void theLeastProgressIsShownWhileItSynchronizes() {
        metrics.update(
                raid(
                        List.of(SDB, SDC),
                        TestLvm.raid("a", "rwi-a-r---", "", 100),
                        TestLvm.raid("b", "rwi-a-r---", "", 42.99)));
        assertShown("0", "1", "2", "0", "42");
    }

    @Test
    void aMissingDeviceIsCounted() {
        var pvs = List.of(SDB, TestLvm.missing("vg1"));
        metrics.update(raid(pvs, TestLvm.raid("a", "rwi-a-r-p-", "partial", 100)));
        assertShown("1", "0", "2", "1", "100");
    }

    @Test
    void volumesThatHaveFailedAreTwo() {
        var failed = TestLvm.raid("a", "rwi-a-r-m-", "mismatches exist", 100);
        metrics.update(raid(List.of(SDB, SDC), failed));
        assertShown("2", "0", "2", "0", "100");
    }

    @Test
    void aGroupThatIsNotThereYetHasNothingToComplainOf() {
        metrics.update(Situations.blank(Situations.RAID1));
        assertShown("0", "0", "0", "0", "100");
    }

    @Test
    void aClassThatIsRemovedHasNoSeriesAndOneWithoutRaidNever() {
        metrics.update(Situations.blank(Situations.RAID1));
        metrics.remove("vg1");
        assertShown();
        metrics.update(Situations.blank(Situations.THICK));
        assertShown();
    }
}
