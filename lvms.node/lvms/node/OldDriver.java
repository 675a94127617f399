package lvms.node;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.queue.Backoff;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Serves the old driver beside the present one where that is ours to do: its LogicalVolumes were
 * converted, or the place of NativeStor was taken. It asks once, in the background: where there is
 * nothing to serve, that is all.
 */
final class OldDriver implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(OldDriver.class.getName());
    private static final Backoff RETRY =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(10), 0.1);

    private final Question question;
    private final Door door;
    private final Consumer<Drivers> capacity;
    private final Runnable known;
    private final Thread thread;

    /** Asks the server which drivers this node serves. */
    @FunctionalInterface
    interface Question {
        Drivers ask() throws ApiException, InterruptedException;
    }

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
     * @param known told once there is an answer, and what has to be served is
     */
    OldDriver(Question question, Door door, Consumer<Drivers> capacity, Runnable known) {
        this.question = question;
        this.door = door;
        this.capacity = capacity;
        this.known = known;
        thread = Thread.ofVirtual().name("old-driver").unstarted(this::run);
    }

    /** Asks in the background, until there is an answer. Call it once the node serves. */
    void start() {
        thread.start();
    }

    /** Asks until there is an answer, and serves what has to be served. */
    void run() {
        try {
            var drivers = drivers();
            var old = drivers.oldBesideOurs();
            if (old.isPresent()) {
                open(old.get());
                capacity.accept(drivers);
            }
            known.run();
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "ended before it was known whether there is an old driver");
        }
    }

    private Drivers drivers() throws InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return question.ask();
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

    private void open(Driver old) throws InterruptedException {
        for (int failures = 1; !opened(old); failures++) {
            Thread.sleep(RETRY.after(failures));
        }
        LOG.log(
                INFO,
                () ->
                        "the old driver is served too driver="
                                + old.name()
                                + " group="
                                + old.group());
    }

    private boolean opened(Driver old) {
        try {
            door.open(old);
            return true;
        } catch (IOException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "volumes of driver "
                                    + old.name()
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
