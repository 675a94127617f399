package lvms.lvm2;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Snapshots of several volumes, thin and thick, are of one instant; and if the process is killed
 * with all of its cgroup, no volume waits.
 */
@Lasts(seconds = 60)
@Safety(47)
@FullOnly("a minute; CopyTests take a snapshot under writes")
class SnapshotsAtOnceLabTests extends OperationsCase {
    @ParameterizedTest
    @ValueSource(strings = {"atonce", "atonce-thick", "atonce-mixed"})
    void theyKeepTheOrderOfWrites(String story) throws Exception {
        boolean full = Boolean.getBoolean("lvms.full");
        assumeTrue(full || story.equals("atonce-mixed"), "only with --full");
        guest(LvmOptions.Engine.WORKER, story);
    }
}
