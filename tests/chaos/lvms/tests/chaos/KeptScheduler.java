package lvms.tests.chaos;

import lvms.tests.cluster.ClusterControl;
import lvms.tests.cluster.PlaneOptions.Part;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Starts the cluster's scheduler again when it has ended, as kubelet does elsewhere: after an
 * outage of the API server it may find its cache corrupted, and ends by itself.
 */
final class KeptScheduler implements AutoCloseable {
    private static final long PAUSE_SECONDS = 2;

    private final CountDownLatch closed = new CountDownLatch(1);

    private KeptScheduler() {}

    static KeptScheduler start(ClusterControl control) {
        var kept = new KeptScheduler();
        Thread.ofVirtual().start(() -> kept.keep(control));
        return kept;
    }

    private void keep(ClusterControl control) {
        try {
            while (!closed.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
                control.startPart(Part.SCHEDULER);
            }
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException("the scheduler is no longer kept", e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
