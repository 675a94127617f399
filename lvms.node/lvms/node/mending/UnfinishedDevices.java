package lvms.node.mending;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.LvmException;
import lvms.node.deviceclass.LiveDeviceClasses;

import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Repairs what killed commands left in the groups of this node: above all suspended devices, on
 * which the I/O of pods hangs until somebody acts. The engine does so after its own commands. This
 * is for commands of an earlier process that was killed, for a worker that was killed again during
 * the repair, and for commands that people run. A look only asks the device-mapper. Each group has
 * a thread for its look, so one that gives no answer keeps no other group waiting.
 */
public final class UnfinishedDevices implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(UnfinishedDevices.class.getName());

    /** How long after a look at all groups the next one begins. */
    public static final Duration PERIOD = Duration.ofSeconds(10);

    private final LiveDeviceClasses classes;
    private final Mender mender;
    private final Duration period;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;

    /** Mends what is unfinished in a group, if anything is. */
    public interface Mender {
        void mend(String vg) throws LvmException, InterruptedException;
    }

    /**
     * Prepares the looks.
     *
     * @param period how long after one look the next begins
     */
    public UnfinishedDevices(LiveDeviceClasses classes, Mender mender, Duration period) {
        this.classes = classes;
        this.mender = mender;
        this.period = period;
        this.thread = Thread.ofVirtual().name("unfinished-devices").unstarted(this::run);
    }

    /** Begins to look, at once. */
    public void start() {
        classes.onChange(wake::release);
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        var looks = new HashMap<String, Thread>();
        try {
            while (true) {
                wake.drainPermits();
                var groups = classes.current().volumeGroups();
                looks.values().removeIf(look -> !look.isAlive());
                groups.stream()
                        .filter(vg -> !looks.containsKey(vg))
                        .forEach(vg -> looks.put(vg, look(vg)));
                boolean _ = wake.tryAcquire(period.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "watch of unfinished devices ended"); // by close()
        } finally {
            looks.values().forEach(Thread::interrupt);
        }
    }

    private Thread look(String vg) {
        return Thread.ofVirtual().name("unfinished-devices " + vg).start(() -> mend(vg));
    }

    private void mend(String vg) {
        try {
            mender.mend(vg);
        } catch (LvmException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "cannot repair unfinished devices, will retry vg="
                                    + vg
                                    + ": "
                                    + e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(ERROR, "cannot repair unfinished devices, will retry vg=" + vg, e);
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "a look for unfinished devices was ended"); // by close()
        }
    }
}
