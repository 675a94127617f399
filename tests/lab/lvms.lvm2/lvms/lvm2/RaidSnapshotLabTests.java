package lvms.lvm2;

import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

/** Thick snapshots keep what was, while the RAID below them loses a disk and is repaired. */
@Lasts(seconds = 30)
@FullOnly("LVM's own RAID below a snapshot; each alone is in another test")
class RaidSnapshotLabTests extends OperationsCase {
    @Test
    void aRaidIsRepairedBelowItsSnapshots() throws Exception {
        guest(LvmOptions.Engine.WORKER, "origin");
    }
}
