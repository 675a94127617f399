package lvms.node.volume;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.LvmException;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Repairs what killed commands left in the groups of this node: above all suspended devices, on
 * which the I/O of pods hangs until somebody acts. The engine does so after its own commands. This
 * is for commands of an earlier process that was killed, for a worker that was killed again during
 * the repair, and for commands that people run. A look only asks the device-mapper.
 */
final class UnfinishedDevices implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(UnfinishedDevices.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final LiveDeviceClasses classes;
    private final GroupLedgers groups;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;

    UnfinishedDevices(LiveDeviceClasses classes, GroupLedgers groups) {
        this.classes = classes;
        this.groups = groups;
        this.thread = Thread.ofVirtual().name("unfinished-devices").unstarted(this::run);
    }

    void start() {
        classes.onChange(wake::release);
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                wake.drainPermits();
                for (var vg : volumeGroups()) {
                    mend(vg);
                }
                boolean _ = wake.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "watch of unfinished devices ended"); // by close()
        }
    }

    private List<String> volumeGroups() {
        return classes.current().classes().stream()
                .map(NodeDeviceClass::volumeGroup)
                .distinct()
                .toList();
    }

    private void mend(String vg) throws InterruptedException {
        try {
            groups.mend(vg);
        } catch (LvmException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "cannot repair unfinished devices, will retry vg="
                                    + vg
                                    + ": "
                                    + e.getMessage());
        }
    }
}
