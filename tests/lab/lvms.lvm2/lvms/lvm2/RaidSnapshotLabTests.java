package lvms.lvm2;

import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Thick snapshots keep what was, while the RAID below them loses a disk and is repaired. */
@Lasts(seconds = 30)
@EnabledIfSystemProperty(named = "lvms.full", matches = "true", disabledReason = "only with --full")
class RaidSnapshotLabTests extends OperationsCase {
    @Test
    void aRaidIsRepairedBelowItsSnapshots() throws Exception {
        guest(LvmOptions.Engine.WORKER, "origin");
    }
}
