package lvms.node.capacity;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Drivers;
import lvms.api.VolumeCounts;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.queue.Backoff;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.erasure.Marks;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Keeps the capacity annotations of this node's Node object current: {@code
 * capacity.topolvm.io/CLASS} and {@code capacity.topolvm.io/00default}, in bytes.
 *
 * <p>Whoever changed a volume calls {@link #changed(String)}; if it is not known what has changed,
 * {@link #changed()}. Calls that come during a report, or within half a second after it, lead to
 * one more report, which reads the groups that were named and those that somebody else changed.
 * Nothing is read without a call. A failed report is repeated with back-off.
 */
public final class CapacityReporter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(CapacityReporter.class.getName());

    /**
     * In a burst of changes, a report for each change would take LVM time away from the changes.
     */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** How long a group may take before the others are reported without it. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** How long {@link #close} waits for the report that it interrupts. */
    private static final Duration LAST_REPORT = Duration.ofSeconds(2);

    private static final Backoff RETRY =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30), 1);

    /** Reads one volume group as it is now; empty if it is not on this machine. */
    public interface Source {
        Optional<VolumeGroupReport> fresh(String vg) throws LvmException, InterruptedException;
    }

    private volatile Drivers drivers;
    private final GroupReports groups;
    private final LiveDeviceClasses classes;
    private final NodeCapacity node;
    private final ClassCapacity capacity;
    private final MetadataWatch watch;
    private final GroupMetrics metrics;
    private final Semaphore wake = new Semaphore(0);
    private volatile Thread thread;
    private volatile boolean closed;
    private String problem = "";

    /**
     * Prepares a reporter; {@link #start()} makes the first report.
     *
     * @param drivers drivers that are served; each has annotations of its own
     * @param groups reads a volume group as it is now
     * @param nodeName name of this node's Node object
     */
    public CapacityReporter(
            KubeClient kube,
            Drivers drivers,
            Source groups,
            LiveDeviceClasses classes,
            String nodeName) {
        this(
                kube,
                drivers,
                groups,
                classes,
                nodeName,
                ClassCapacity.standard(),
                new MetadataWatch(() -> {}),
                MetricsRegistry.unread());
    }

    /**
     * Prepares a reporter; {@link #start()} makes the first report.
     *
     * @param drivers drivers that are served; each has annotations of its own
     * @param nodeName name of this node's Node object
     * @param capacity computes what the classes can hold
     * @param watch hears of each report, and notices others' changes; started and closed with this
     * @param metrics shows what the reports say
     */
    public CapacityReporter(
            KubeClient kube,
            Drivers drivers,
            Source groups,
            LiveDeviceClasses classes,
            String nodeName,
            ClassCapacity capacity,
            MetadataWatch watch,
            MetricsRegistry metrics) {
        this.metrics = new GroupMetrics(metrics, nodeName);
        this.capacity = capacity;
        this.watch = watch;
        this.drivers = Objects.requireNonNull(drivers);
        this.groups = new GroupReports(groups, this::changed, PATIENCE);
        this.classes = Objects.requireNonNull(classes);
        this.node = new NodeCapacity(kube, nodeName);
    }

    /** Starts reporting. A change of the device classes also leads to a report. */
    public void start() {
        classes.onChange(this::changed);
        changed();
        watch.start();
        thread = Thread.ofVirtual().name("capacity-reporter").start(this::run);
    }

    /** Reports for these drivers from now on. Any thread may call. */
    public void serve(Drivers now) {
        drivers = now;
        changed();
    }

    /**
     * Tells how the Node is now. If somebody else changed what was reported, it is reported again:
     * at once, or later if that goes on. Returns at once. Any thread may call.
     */
    public void nodeSeen(KubeObject now) {
        node.seen(now, wake::release);
    }

    /** Asks for a report of all groups; returns at once. Any thread may call. */
    public void changed() {
        groups.changed();
        wake.release();
    }

    /** Asks for a report, since one group has changed; returns at once. Any thread may call. */
    public void changed(String vg) {
        groups.changed(vg);
        wake.release();
    }

    /**
     * Stops reporting and interrupts a running report. If the last class is gone, no later process
     * will remove our annotations, so this removes them.
     */
    @Override
    public void close() {
        closed = true;
        watch.close();
        node.close();
        var running = thread;
        if (running == null) {
            return;
        }
        running.interrupt();
        try {
            if (running.join(LAST_REPORT) && classes.known() && noClass()) {
                reported();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean noClass() {
        return classes.current().classes().isEmpty();
    }

    private void run() {
        int failures = 1;
        try {
            wake.acquire();
            while (!closed) {
                wake.drainPermits();
                if (reported()) {
                    failures = 1;
                    Thread.sleep(PAUSE);
                    wake.acquire();
                } else if (!wake.tryAcquire(
                        RETRY.after(failures).toMillis(), TimeUnit.MILLISECONDS)) {
                    failures++;
                }
            }
        } catch (InterruptedException e) {
            // only close() interrupts this thread
            LOG.log(DEBUG, "capacity reporter ended");
        }
    }

    private boolean reported() throws InterruptedException {
        try {
            boolean complete = report();
            problem = "";
            return complete;
        } catch (LvmException | ApiException e) {
            var text = e.getMessage();
            LOG.log(
                    text.equals(problem) ? DEBUG : WARNING,
                    () ->
                            "cannot report the capacity, will retry node="
                                    + node.name()
                                    + ": "
                                    + text);
            problem = text;
            return false;
        } catch (RuntimeException e) {
            // A bug triggered by one disk's content must not end the reports for good.
            LOG.log(ERROR, "cannot report the capacity, will retry node=" + node.name(), e);
            return false;
        }
    }

    /**
     * Reads LVM after the last call of {@link #changed()}, so no change is lost. Returns whether
     * each group answered, or has been silent for so long that it counts as having no room.
     */
    private boolean report() throws LvmException, ApiException, InterruptedException {
        if (!classes.known()) {
            return true; // the previous process's annotations are better than none
        }
        var now = classes.current();
        var before = watch.before();
        watch.changed(before).forEach(groups::changed);
        var read = groups.read(now.volumeGroups());
        if (watch.reported(before, read.groups())) {
            changed(); // what happened to the new ones meanwhile is not in the report
        }
        var bytes = capacity.of(now, read.groups());
        metrics.show(now, read.groups(), bytes);
        var served = drivers;
        var wanted = CapacityAnnotations.wanted(served, now, bytes, counts(now, read));
        var unknown = unknown(now, read);
        node.write(
                served,
                present ->
                        CapacityAnnotations.keeping(
                                served, now, wanted, present.annotations(), unknown));
        if (read.failure().isPresent()) {
            throw read.failure().get();
        }
        return read.silent().isEmpty();
    }

    /** What is in a group that cannot be read is not "nothing". */
    private static Optional<VolumeCounts> counts(DeviceClasses classes, GroupReports.Result read) {
        var volumes =
                read.groups().stream().flatMap(group -> group.logicalVolumes().stream()).toList();
        boolean complete =
                read.failure().isEmpty() && read.groups().size() == classes.volumeGroups().size();
        return complete ? Optional.of(Marks.count(volumes)) : Optional.empty();
    }

    /** Classes about which nothing is known for a moment; what was said of them stays. */
    private static Set<String> unknown(DeviceClasses classes, GroupReports.Result read) {
        return classes.classes().stream()
                .filter(deviceClass -> read.silent().contains(deviceClass.volumeGroup()))
                .map(NodeDeviceClass::name)
                .collect(Collectors.toUnmodifiableSet());
    }
}
