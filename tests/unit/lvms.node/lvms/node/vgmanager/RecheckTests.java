package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.disk.DeviceSelection;
import lvms.lvm2.LogicalVolume;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestLvm;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Situations;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A group is looked at again as soon as nothing else would tell that it has changed. */
class RecheckTests {
    private static final List<KnownPv> TWO =
            List.of(TestLvm.on("/dev/sdb", "vg1"), TestLvm.on("/dev/sdc", "vg1"));

    private static Situation raid(List<KnownPv> pvs, LogicalVolume volume) {
        var s = Situations.existing(Situations.RAID1, DeviceSelection.EVERYTHING, pvs);
        var report = TestLvm.ours("vg1", TestLvm.pvsOf(pvs), volume);
        return Situations.with(s, report, Optional.empty());
    }

    private static LogicalVolume synced(double percent) {
        return TestLvm.raid("a", "rwi-a-r---", "", percent);
    }

    @Test
    void aBlockedGroupIsLookedAtSoon() {
        assertEquals(Duration.ofSeconds(30), Recheck.ofBlocked(Situations.blank(Situations.THICK)));
        var missing = List.of(TWO.getFirst(), TestLvm.missing("vg1"));
        assertEquals(Duration.ofSeconds(60), Recheck.ofBlocked(raid(missing, synced(100))));
    }

    /** The default of an LVMVolumeGroup that does not say how it finds its devices. */
    @Test
    void aClassThatTakesWhateverAppearsIsLookedAtSoon() {
        var s = Situations.existing(Situations.THICK, DeviceSelection.EVERYTHING, TWO);
        assertEquals(Duration.ofSeconds(30), Recheck.ofReady(s, true));
    }

    @Test
    void raidVolumesAreLookedAtEachMinuteUnlessTheyTellThemselves() {
        assertEquals(Duration.ofSeconds(60), Recheck.ofReady(raid(TWO, synced(100)), false));
        assertEquals(Duration.ofMinutes(10), Recheck.ofReady(raid(TWO, synced(100)), true));
        assertEquals(Duration.ofSeconds(60), Recheck.ofReady(raid(TWO, synced(42)), true));
    }
}
