package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import lvms.api.Driver;
import lvms.api.LogicalVolume;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** What a pass does follows from the object alone. */
class VolumeStepTests {
    @Test
    void aVolumeThatIsAsAskedButHasNoRecordedPlaceGetsOne() {
        var volume = Volumes.made("1Gi");
        assertInstanceOf(VolumeStep.Record.class, VolumeStep.of(volume, Volumes.NODE, true));
        assertInstanceOf(VolumeStep.Converged.class, VolumeStep.of(volume, Volumes.NODE, false));
    }

    private static VolumeStep step(lvms.k8s.object.KubeObject object) {
        return VolumeStep.of(LogicalVolume.of(object), Volumes.NODE, false);
    }

    @Test
    void aNewVolumeIsMade() {
        assertEquals(new VolumeStep.Make(), step(Volumes.object("pvc-1", "1Gi")));
    }

    @Test
    void oneOfAnotherNodeIsNotTouched() {
        var other = LogicalVolume.of(Volumes.object("pvc-1", "1Gi"));
        assertInstanceOf(VolumeStep.Converged.class, VolumeStep.of(other, "n2", false));
    }

    private static Optional<VolumeStep> lost(lvms.k8s.object.KubeObject object) {
        var snapshot = LogicalVolume.of(object.with("ro", "spec", "accessType"));
        return VolumeStep.ofLost(snapshot, Volumes.NODE, "why");
    }

    @Test
    void aSnapshotThatIsLostIsToldOnce() {
        var made = Volumes.made("1Gi").object();
        assertEquals(Optional.of(new VolumeStep.Lose("why")), lost(made));
        assertEquals(Optional.empty(), lost(made.with(15L, "status", "code")));
    }

    @Test
    void oneThatNobodyHasYetOrWantsAnyMoreIsNotTold() {
        assertEquals(Optional.empty(), lost(Volumes.object("pvc-1", "1Gi")));
        var going =
                Volumes.made("1Gi")
                        .object()
                        .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        assertEquals(Optional.empty(), lost(going));
    }

    @Test
    void oneThatFailedWaitsForItsDeletion() {
        var failed = Volumes.object("pvc-1", "1Gi").with(8L, "status", "code");
        assertInstanceOf(VolumeStep.Converged.class, step(failed));
    }

    @Test
    void aVolumeIdWithoutASizeIsMeasured() {
        // TopoLVM leaves currentSize unset when it finds the volume after a crash.
        var found = Volumes.object("pvc-1", "1Gi").with(Volumes.UID, "status", "volumeID");
        assertEquals(new VolumeStep.Measure(), step(Volumes.claimed(found)));
    }

    @Test
    void aLargerSpecGrowsIt() {
        var made = Volumes.withStatus(Volumes.object("pvc-1", "2Gi"), Volumes.UID, "1Gi");
        assertEquals(new VolumeStep.Grow(), step(Volumes.claimed(made)));
    }

    @Test
    void growingGoesOnAfterAFailure() {
        var made =
                Volumes.withStatus(Volumes.object("pvc-1", "2Gi"), Volumes.UID, "1Gi")
                        .with(8L, "status", "code");
        assertEquals(new VolumeStep.Grow(), step(Volumes.claimed(made)));
    }

    @Test
    void aSmallerSpecIsIgnored() {
        var made = Volumes.withStatus(Volumes.object("pvc-1", "1Gi"), Volumes.UID, "2Gi");
        assertInstanceOf(VolumeStep.Converged.class, step(Volumes.claimed(made)));
    }

    @Test
    void aFinishedVolumeWithoutOurFinalizerIsClaimed() {
        var made = Volumes.withStatus(Volumes.object("pvc-1", "1Gi"), Volumes.UID, "1Gi");
        assertEquals(new VolumeStep.Claim(), step(made));
    }

    @Test
    void aDeletedVolumeIsRemovedAlsoBeforeItsStatusWasWritten() {
        var deleted =
                Volumes.claimed(Volumes.object("pvc-1", "1Gi"))
                        .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        assertEquals(new VolumeStep.Remove(), step(deleted));
    }

    @Test
    void aDeletedVolumeWithoutOurFinalizerRests() {
        var deleted =
                Volumes.object("pvc-1", "1Gi")
                        .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        assertInstanceOf(VolumeStep.Converged.class, step(deleted));
    }

    @Test
    void theDataOfADeletedNodeIsLeftAlone() {
        var pending =
                Volumes.claimed(Volumes.object("pvc-1", "1Gi"))
                        .with(
                                "true",
                                "metadata",
                                "annotations",
                                Driver.TOPOLVM.pendingDeletionAnnotation())
                        .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        assertInstanceOf(VolumeStep.Converged.class, step(pending));
    }

    private static VolumeStep adjusting(String wanted, String applied, String refused) {
        var made = Volumes.withStatus(Volumes.object("pvc-1", "2Gi"), Volumes.UID, "1Gi");
        return step(
                Volumes.claimed(made)
                        .with(wanted, "metadata", "annotations", "topolvm.io/attributes")
                        .with(applied, "metadata", "annotations", "topolvm.io/attributes-applied")
                        .with(refused, "metadata", "annotations", "topolvm.io/attributes-refused"));
    }

    @Test
    void otherAttributesAreGivenBeforeItGrows() {
        assertEquals(new VolumeStep.Adjust(), adjusting("read-ahead=64Ki", "", ""));
        assertEquals(
                new VolumeStep.Adjust(),
                adjusting("read-ahead=64Ki", "", "INTERNAL read-ahead=4Ki no"));
        assertEquals(new VolumeStep.Grow(), adjusting("read-ahead=64Ki", "read-ahead=64Ki", ""));
    }

    @Test
    void attributesThatWereRefusedDoNotHoldItUp() {
        assertEquals(
                new VolumeStep.Grow(),
                adjusting("read-ahead=64Ki", "", "INTERNAL read-ahead=64Ki lvchange failed"));
    }
}
