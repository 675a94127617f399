package lvms.node;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.queue.Backoff;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Serves the old driver beside the present one in a cluster whose LogicalVolumes were converted. It
 * asks once, in the background: where nothing was converted, that is all.
 */
final class ConvertedDriver implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ConvertedDriver.class.getName());
    private static final Backoff RETRY =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(10), 0.1);

    private final KubeClient kube;
    private final Driver driver;
    private final Door door;
    private final Consumer<Drivers> capacity;
    private final Thread thread;

    /** Where kubelet reaches a further driver of the node. */
    @FunctionalInterface
    interface Door {
        /**
         * Serves it.
         *
         * @throws IOException if it cannot be served
         */
        void open(Driver driver) throws IOException;
    }

    /**
     * Prepares it; nothing is asked yet.
     *
     * @param capacity has the capacity reported for these drivers
     */
    ConvertedDriver(KubeClient kube, Driver driver, Door door, Consumer<Drivers> capacity) {
        this.kube = kube;
        this.driver = driver;
        this.door = door;
        this.capacity = capacity;
        thread = Thread.ofVirtual().name("converted-driver").unstarted(this::run);
    }

    /** Asks in the background, until there is an answer. Call it once the node serves. */
    void start() {
        thread.start();
    }

    /** Asks until there is an answer, and serves what has to be served. */
    void run() {
        try {
            var drivers = drivers();
            // Not by the name, which the driver of an installation under its old name has too.
            if (drivers.all().contains(Driver.CONVERTED)) {
                open(drivers);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "ended before it was known whether there is an old driver");
        }
    }

    private Drivers drivers() throws InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return Drivers.servedWith(kube, driver);
            } catch (ApiException e) {
                LOG.log(
                        WARNING,
                        () ->
                                "CSIDriver "
                                        + Driver.LEGACY.name()
                                        + " not read, will retry: "
                                        + e.getMessage());
                Thread.sleep(RETRY.after(failures));
            }
        }
    }

    private void open(Drivers drivers) throws InterruptedException {
        var name = Driver.CONVERTED.name();
        for (int failures = 1; !opened(name); failures++) {
            Thread.sleep(RETRY.after(failures));
        }
        capacity.accept(drivers);
        LOG.log(INFO, () -> "the old driver is served too driver=" + name);
    }

    private boolean opened(String name) {
        try {
            door.open(Driver.CONVERTED);
            return true;
        } catch (IOException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "volumes of driver "
                                    + name
                                    + " cannot be mounted, will retry: "
                                    + e.getMessage()
                                    + "; mount kubelet's plugins_registry at its own path");
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
