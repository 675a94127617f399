package lvms.node.disk;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.device.DeviceEvent;
import lvms.lvm2.device.DeviceEvents;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notices within a second that a disk came, went or changed its size, or that somebody edited
 * lvmd.yaml. It reads the devices when the kernel reports an event, and for some seconds more,
 * since udev makes its links later. If the kernel's events cannot be received, it reads the devices
 * every second. It reads a few small files and starts no process.
 */
public final class DeviceWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeviceWatch.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** Making volumes has many events, and each look costs as much as there are volumes. */
    private static final Duration BURST = Duration.ofMillis(200);

    /** How many periods after an event the links may still change. */
    private static final int SETTLING = 5;

    /**
     * The devices are read this often even without an event: a process in its own user namespace
     * receives none.
     */
    private static final int SELDOM = 30;

    /** Where events come from. */
    interface Source {
        /**
         * Starts calling the listener.
         *
         * @return stops it
         */
        Runnable start(Consumer<DeviceEvent> listener) throws IOException;
    }

    /** The kernel; of logical volumes it tells nothing. */
    public static final Source UEVENTS =
            listener ->
                    DeviceEvents.start(new WithoutVolumes(SystemHost.SYS_BLOCK, listener))::close;

    /** A file that is watched as well: a different fingerprint is a change. */
    public interface Fingerprint {
        String read() throws IOException;
    }

    private final Host host;
    private final Fingerprint file;
    private final Source source;
    private final Runnable onChange;
    private final Semaphore happened = new Semaphore(1); // the first look is due
    private final Thread thread;
    private String devices = "";
    private boolean failing;

    public DeviceWatch(Host host, Fingerprint file, Source source, Runnable onChange) {
        this.host = host;
        this.file = file;
        this.source = source;
        this.onChange = onChange;
        this.thread = Thread.ofVirtual().name("device-watch").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        var subscription = subscribe();
        try {
            watch(subscription.isEmpty());
        } catch (InterruptedException e) {
            LOG.log(DEBUG, "device watch ended"); // only close() interrupts this thread
        } finally {
            subscription.ifPresent(Runnable::run);
        }
    }

    private Optional<Runnable> subscribe() {
        try {
            return Optional.of(source.start(_ -> happened.release()));
        } catch (IOException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "cannot receive kernel events, will read the devices every second: "
                                    + e.getMessage());
            return Optional.empty();
        }
    }

    private void watch(boolean always) throws InterruptedException {
        var last = "";
        int looks = 0;
        for (int round = 0; true; round++) {
            if (happened.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                if (round > 0) {
                    Thread.sleep(BURST);
                }
                happened.drainPermits();
                looks = SETTLING;
            }
            var now = look(always || looks-- > 0 || round % SELDOM == 0, last);
            if (!now.equals(last)) {
                last = now;
                onChange.run();
            }
        }
    }

    private String look(boolean atDevices, String last) {
        try {
            if (atDevices) {
                devices = host.fingerprint();
            }
            var now = devices + file.read();
            failing = false;
            return now;
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                LOG.log(WARNING, () -> "cannot read the devices, will retry: " + e.getMessage());
            }
            return last;
        }
    }
}
