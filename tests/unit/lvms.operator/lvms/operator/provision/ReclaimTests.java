package lvms.operator.provision;

import static lvms.operator.provision.Objects.object;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.operator.claim.Retries;
import lvms.operator.provision.ReclaimReconciler.Need;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;

/** A volume is deleted only when it is released, ours, and meant to be deleted. */
class ReclaimTests {
    private static final String FINALIZER =
            "'finalizers':['external-provisioner.volume.kubernetes.io/finalizer'],";
    private static final String DELETING = "'deletionTimestamp':'2026-01-01T00:00:00Z',";
    private static final String MADE_BY = "'annotations':{'pv.kubernetes.io/provisioned-by':'%s'},";

    private static Need need(String metadata, String driver, String policy, String phase) {
        var text =
                "{'metadata':{%s'name':'pv'},'spec':{'csi':{'driver':'%s','volumeHandle':'h'},"
                        + "'persistentVolumeReclaimPolicy':'%s'},'status':{'phase':'%s'}}";
        return ReclaimReconciler.need(
                object(text.formatted(metadata, driver, policy, phase)), Driver.TOPOLVM);
    }

    @ParameterizedTest(name = "{0} {1} made by {2}, finalizer {3}, deleting {4}: {5}")
    @CsvSource({
        "Delete, Released, topolvm.io, true, false, RECLAIM",
        "Delete, Released, topolvm.io, false, false, RECLAIM",
        "Delete, Released, topolvm.io, true, true, RECLAIM",
        "Delete, Released, topolvm.io, false, true, NOTHING",
        "Delete, Released, example.com, true, false, NOTHING",
        "Delete, Released, , true, false, RECLAIM",
        "Delete, Released, , false, false, NOTHING",
        "Delete, Bound, topolvm.io, true, true, NOTHING",
        "Delete, Bound, topolvm.io, false, false, FINALIZER",
        "Delete, Bound, , false, false, FINALIZER",
        "Delete, Available, topolvm.io, true, false, NOTHING",
        "Retain, Released, topolvm.io, false, false, NOTHING",
        "Retain, Released, topolvm.io, true, true, NO_FINALIZER",
        "Retain, Bound, topolvm.io, true, false, NO_FINALIZER"
    })
    void decides(
            String policy,
            String phase,
            String maker,
            boolean finalizer,
            boolean deleting,
            Need expected) {
        var metadata =
                (maker == null ? "" : MADE_BY.formatted(maker))
                        + (finalizer ? FINALIZER : "")
                        + (deleting ? DELETING : "");
        assertEquals(expected, need(metadata, "topolvm.io", policy, phase));
    }

    @Test
    void volumesOfOtherDriversAreNobodysBusiness() {
        assertEquals(Need.NOTHING, need(FINALIZER, "example.com", "Delete", "Released"));
    }

    @Test
    void failuresAreRetriedAtDoublingIntervalsAndOtherTriesAtOnce() {
        var now = Instant.parse("2026-01-01T00:00:00Z");
        var retries = new Retries(() -> now);
        assertEquals(Duration.ZERO, retries.remaining("a", "x"));
        long least = 1;
        for (int i = 0; i < 12; i++) {
            retries.failed("a", "x", false);
            var pause = retries.remaining("a", "x");
            long expected = Math.min(least, 300);
            assertEquals(expected, pause.toMillis() / 1100.0, expected * 0.1, "after " + i);
            least *= 2;
        }
        assertEquals(Duration.ZERO, retries.remaining("a", "y"));
        retries.clear("a");
        assertEquals(Duration.ZERO, retries.remaining("a", "x"));
    }

    @Test
    void theHopelessWaitsLongest() {
        var now = Instant.parse("2026-01-01T00:00:00Z");
        var retries = new Retries(() -> now);
        retries.failed("a", "x", true);
        assertEquals(5, retries.remaining("a", "x").toMinutes());
    }
}
