package lvms.operator.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.operator.volume.SidecarCalls.Method;

import org.junit.jupiter.api.Test;

/** A deletion is one call, however many passes and watchers see its end. */
class DeletionCallsTests {
    private final MetricsRegistry metrics = new MetricsRegistry();
    private final SidecarCalls calls = SidecarCalls.of(new Driver("d"), metrics);
    private boolean there = true;

    private void pass(Progress<Boolean> progress) throws Exception {
        calls.deletion(Method.DELETE_VOLUME, "pvc-1", () -> there, () -> progress);
    }

    private void isGone() {
        there = false;
        calls.gone("pvc-1");
    }

    private long ended() {
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith("csi_sidecar_operations_seconds_count"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void itEndsWithItsObject() throws Exception {
        pass(new Progress.Pending<>("pvc-1"));
        assertEquals(0, ended());
        isGone();
        assertEquals(1, ended());
    }

    @Test
    void aPassAfterTheEndIsNoOtherCall() throws Exception {
        pass(new Progress.Pending<>("pvc-1"));
        isGone();
        pass(new Progress.Converged<>(true));
        assertEquals(1, ended());
    }

    @Test
    void passesThatSeeTheEndFirstAreOneCall() throws Exception {
        pass(new Progress.Converged<>(true));
        pass(new Progress.Converged<>(true));
        isGone();
        assertEquals(1, ended());
    }

    @Test
    void whatSomebodyElseDeletedIsNoCall() throws Exception {
        isGone();
        pass(new Progress.Converged<>(true));
        assertEquals(0, ended());
    }
}
