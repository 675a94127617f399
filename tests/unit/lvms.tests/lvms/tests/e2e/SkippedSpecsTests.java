package lvms.tests.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.cluster.ginkgo.Case;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

/** A skip has a reason of ours only if it is one of those that we know, as the suite words it. */
class SkippedSpecsTests {
    private static Case skipped(String message) {
        return new Case("External Storage / a spec", Case.State.SKIPPED, message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Driver \"topolvm.io\" does not support snapshots - skipping",
                "Driver \"topolvm.io\" does not support volume snapshots - skipping",
                "Driver \"topolvm.io\" does not support populating data from snapshot - skipping",
                "Driver \"topolvm.io\" does not support cloning - skipping",
                "Driver \"topolvm.io\" does not support volume clone - skipping",
                "Driver topolvm.io doesn't specify snapshot stress test options -- skipping",
            })
    void copiesAreMissedNowhere(String message) {
        assertEquals(Optional.empty(), SkippedSpecs.reason(skipped(message)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Snapshot controller metrics not found -- skipping",
                "the cluster serves no VolumeSnapshot",
                "Driver \"topolvm.io\" does not support snapshotting - skipping",
            })
    void anotherSkipAroundSnapshotsIsAFailure(String message) {
        assertEquals(Optional.empty(), SkippedSpecs.reason(skipped(message)));
    }

    /** The suite asks for snapshots first, in words of their own, so that one stays a failure. */
    @Test
    void aSpecWithoutVariantsIsToldFromADriverWithoutSnapshots() {
        var name =
                "multiVolume [Slow] / should concurrently access the volume and restored snapshot"
                        + " from pods on the same node [LinuxOnly]";
        var none = "Driver \"topolvm.io\" does not support snapshots - skipping";
        var dropped = "Driver \"topolvm.io\" does not support volume snapshots - skipping";
        assertEquals(
                Optional.of("the suite has no such variant"),
                SkippedSpecs.reason(new Case(name, Case.State.SKIPPED, none)));
        assertEquals(
                Optional.empty(), SkippedSpecs.reason(new Case(name, Case.State.SKIPPED, dropped)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Driver \"topolvm.io\" does not support group snapshots - skipping",
                "Driver topolvm.io doesn't specify volume group snapshot stress test options"
                        + " -- skipping",
            })
    void groupsAreTriedElsewhere(String message) {
        var reason = SkippedSpecs.reason(skipped(message)).orElse("");
        assertTrue(reason.contains("SameInstantTests"), reason);
    }
}
