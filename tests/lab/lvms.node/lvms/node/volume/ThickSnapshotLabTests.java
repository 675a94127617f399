package lvms.node.volume;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Snapshots of thick volumes keep what was: runs the guest's tests inside a lab node. */
@Lasts(seconds = 120)
@FullOnly("LvmOperationsLabTests and CopyTests take the same snapshots")
class ThickSnapshotLabTests {
    private static final long MIB = 1L << 20;
    private static final Path CRD = Path.of("deploy/base/crds/topolvm.io_logicalvolumes.yaml");
    private static final Path OLD_CRD =
            Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml");
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    @TempDir static Path folder;

    @Test
    @Safety(17)
    void snapshotsOfThickVolumesKeepWhatWas() throws Exception {
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("thicksnap", List.of(512 * MIB, 512 * MIB)));
            node.boot();
            LabJvm.heap(256).test(node, DEADLINE, ThickSnapshotGuest.class.getName());
        }
    }

    @Test
    @FullOnly("it takes minutes")
    void theyOutliveTheirAgents() throws Exception {
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("thickkill", List.of(512 * MIB, 512 * MIB)));
            node.boot();
            LabJvm.heap(256)
                    .property("lvms.crds", CRD.toAbsolutePath())
                    .test(node, DEADLINE, "lvms.node.ThickKillGuest");
        }
    }

    @Test
    @Safety(17)
    void theirObjectsSayWhatBecomesOfThem() throws Exception {
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("thickvolume", List.of(1024 * MIB, 1024 * MIB)));
            node.boot();
            LabJvm.heap(256)
                    .property("lvms.crds", CRD.toAbsolutePath() + "," + OLD_CRD.toAbsolutePath())
                    .test(node, DEADLINE, ThickVolumeGuest.class.getName());
        }
    }
}
