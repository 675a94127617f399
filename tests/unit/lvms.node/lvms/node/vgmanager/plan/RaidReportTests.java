package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.RaidHealth;
import lvms.api.RaidType;
import lvms.lvm2.LogicalVolume;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The health of a group's RAID volumes, as the node status has it. */
class RaidReportTests {
    private static RaidReport report(List<KnownPv> pvs, LogicalVolume... volumes) {
        return RaidReport.of(TestLvm.ours("vg1", TestLvm.pvsOf(pvs), volumes), RaidType.RAID1)
                .orElseThrow();
    }

    private static final List<KnownPv> TWO =
            List.of(TestLvm.on("/dev/sdb", "vg1"), TestLvm.on("/dev/sdc", "vg1"));

    @Test
    void isHealthyWithoutVolumes() {
        var report = report(TWO);
        assertEquals(RaidHealth.HEALTHY, report.health());
        assertEquals(OptionalInt.empty(), report.minimumSyncPercent());
        assertEquals(2, report.members());
    }

    @Test
    void hasNoReportOfAnEmptyGroup() {
        assertEquals(
                Optional.empty(), RaidReport.of(TestLvm.ours("vg1", List.of()), RaidType.RAID1));
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "'', '', HEALTHY",
        "'', partial, DEGRADED",
        "'', refresh needed, DEGRADED",
        "partial, partial, DEGRADED",
        "refresh needed, mismatches exist, FAILED"
    })
    void isAsIllAsItsVolumes(String first, String second, RaidHealth health) {
        var report =
                report(
                        TWO,
                        TestLvm.raid("a", "rwi-a-r---", first, 100),
                        TestLvm.raid("b", "Rwi-a-r---", second, 100));
        assertEquals(health, report.health());
    }

    @Test
    void isDegradedByThePartialFlagAlone() {
        assertEquals(
                RaidHealth.DEGRADED,
                report(TWO, TestLvm.raid("a", "rwi-a-r-p-", "", 100)).health());
    }

    @Test
    void isDegradedByAMissingDevice() {
        var report = report(List.of(TWO.getFirst(), TestLvm.missing("vg1")));
        assertEquals(RaidHealth.DEGRADED, report.health());
        assertEquals(1, report.degradedMembers());
    }

    @Test
    void tellsTheLeastProgressCutDown() {
        var report =
                report(
                        TWO,
                        TestLvm.raid("a", "rwi-a-r---", "", 42.99),
                        TestLvm.raid("b", "rwi-a-r---", "", -1),
                        TestLvm.lv("vg1", "plain", "-wi-a-----", 1));
        assertEquals(OptionalInt.of(42), report.minimumSyncPercent());
        assertEquals(List.of("a", "b"), report.volumes().stream().map(v -> v.name()).toList());
        assertEquals(100, report.volumes().getLast().syncPercent());
    }
}
