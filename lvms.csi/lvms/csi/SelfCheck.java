package lvms.csi;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks each minute, and when asked to, whether this process can do its work, so that the CSI call
 * Probe, which livenessprobe passes on to kubelet, tells the truth and costs nothing. Any thread
 * may ask.
 */
public final class SelfCheck implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SelfCheck.class.getName());
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Look look;
    private final Duration period;
    private final Duration limit;
    private final Semaphore asked = new Semaphore(0);
    private final Thread looker = Thread.ofVirtual().name("self-check").unstarted(this::run);
    private volatile Optional<String> trouble = Optional.empty();
    private volatile boolean passed;

    @FunctionalInterface
    public interface Look {
        /** Says what keeps the process from its work; empty if nothing does. */
        Optional<String> trouble() throws InterruptedException;

        /** Returns a look at this, and if nothing is wrong with it, at something else. */
        default Look then(Look next) {
            return () -> {
                var trouble = trouble();
                return trouble.isPresent() ? trouble : next.trouble();
            };
        }
    }

    SelfCheck(Look look, Duration period, Duration limit) {
        this.look = look;
        this.period = period;
        this.limit = limit;
    }

    /** Looks at once, then each minute; a look that takes ten seconds counts as failed. */
    public static SelfCheck start(Look look) {
        var check = new SelfCheck(look, PERIOD, LIMIT);
        check.start();
        return check;
    }

    /**
     * Looks whether the driver's CSIDriver can be read: without it, kubelet does not let the driver
     * work.
     */
    public static Look ofDriver(KubeClient kube, Driver driver) {
        var name = driver.name();
        return () -> {
            try {
                return kube.find(Types.CSI_DRIVER, ObjectKey.cluster(name)).isPresent()
                        ? Optional.empty()
                        : Optional.of("there is no CSIDriver " + name);
            } catch (ApiException e) {
                return Optional.of("CSIDriver " + name + " cannot be read: " + e.getMessage());
            }
        };
    }

    void start() {
        looker.start();
    }

    /**
     * Returns whether any look has passed yet.
     *
     * @throws VolumeException FAILED_PRECONDITION with what is wrong now
     */
    public boolean ready() throws VolumeException {
        var now = trouble;
        if (now.isPresent()) {
            throw new VolumeException(StatusCode.FAILED_PRECONDITION, now.get());
        }
        return passed;
    }

    /** Asks for a look at once if something is wrong now, since that may be over. */
    public void lookAgain() {
        asked.release();
    }

    private void run() {
        try {
            while (true) {
                asked.drainPermits(); // this look is what they asked for
                note(look());
                rest();
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "self-check ended"); // by close()
        }
    }

    /** Rests for a period; if something is wrong, only until somebody asks for a look. */
    private void rest() throws InterruptedException {
        long end = System.nanoTime() + period.toNanos();
        boolean woken;
        do {
            woken = asked.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } while (woken && trouble.isEmpty());
    }

    private void note(Optional<String> now) {
        if (!now.equals(trouble)) {
            now.ifPresentOrElse(
                    why -> LOG.log(WARNING, () -> "this process cannot work: " + why),
                    () -> LOG.log(INFO, "this process can work again"));
        }
        trouble = now;
        passed |= now.isEmpty();
    }

    private Optional<String> look() throws InterruptedException {
        var task = new FutureTask<>(look::trouble);
        Thread.ofVirtual().name("self-check-look").start(task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return Optional.of("the self-check has no answer after " + limit.toSeconds() + " s");
        } catch (ExecutionException e) {
            return Optional.of("the self-check failed: " + e.getCause());
        } finally {
            task.cancel(true);
        }
    }

    @Override
    public void close() {
        looker.interrupt();
    }
}
