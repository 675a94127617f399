package lvms.operator;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.unit.OtherInstallation;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Holds the controllers back while a CSIDriver of ours belongs to another installation. Whose the
 * old driver's is does not matter beside ours: it is served because of the mark on it.
 */
final class DriverGate implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DriverGate.class.getName());
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    // Not all that is in the way shows in the CSIDriver.
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

    private final Map<Driver, Informer> informers = new LinkedHashMap<>();
    private final OtherInstallation other;
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread;
    private volatile boolean failed;

    /**
     * Prepares it; nothing is sent yet.
     *
     * @param namespace where this operator is
     * @param open run once, on a thread of its own, when nothing is in the way
     */
    DriverGate(KubeClient kube, Drivers drivers, String namespace, Runnable open) {
        this.other = new OtherInstallation(kube, namespace);
        var beside = drivers.oldBesideOurs();
        var gated = drivers.all().stream().filter(d -> !beside.equals(Optional.of(d))).toList();
        for (var driver : gated) {
            var informer =
                    Informer.of(kube, Types.CSI_DRIVER)
                            .fieldSelector("metadata.name=" + driver.name())
                            .build();
            informer.addHandler((_, _) -> changes.release());
            informers.put(driver, informer);
        }
        this.thread = Thread.ofVirtual().name("driver-gate").unstarted(() -> await(open));
    }

    void start() {
        informers.values().forEach(Informer::start);
        thread.start();
    }

    private void await(Runnable open) {
        try {
            for (var informer : informers.values()) {
                while (!informer.synced()) {
                    awaitSync(informer);
                }
            }
            var told = Optional.<String>empty();
            for (var now = foreign(); now.isPresent(); now = foreign()) {
                if (!now.equals(told)) {
                    var why = now.get();
                    LOG.log(WARNING, () -> "claims are not served reason=\"" + why + "\"");
                }
                told = now;
                changes.tryAcquire(LOOK_AGAIN.toSeconds(), TimeUnit.SECONDS);
            }
            informers.values().forEach(Informer::close);
            open.run();
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "driver gate ended"); // by close()
        } catch (RuntimeException | Error e) {
            failed = true;
            LOG.log(ERROR, "claims are not served: the driver gate failed", e);
        }
    }

    /** Returns whether it can never open. */
    boolean failed() {
        return failed;
    }

    private void awaitSync(Informer informer) throws InterruptedException {
        try {
            informer.awaitSync(PATIENCE);
        } catch (TimeoutException e) {
            LOG.log(DEBUG, () -> "claims are not served yet: " + e.getMessage());
        }
    }

    private Optional<String> foreign() throws InterruptedException {
        for (var entry : informers.entrySet()) {
            var csiDriver = entry.getValue().get(ObjectKey.cluster(entry.getKey().name()));
            try {
                var why = other.of(csiDriver);
                if (why.isPresent()) {
                    return why;
                }
            } catch (ApiException e) {
                return Optional.of(
                        "whether somebody else is at work is unknown: " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        thread.interrupt();
        informers.values().forEach(Informer::close);
    }
}
