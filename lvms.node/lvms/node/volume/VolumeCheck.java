package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.UnclaimedVolume;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Compares, every few minutes, the volumes in LVM with the LogicalVolumes of this node. A volume
 * without an object is reported and kept; an object without a volume says so in its status, until
 * the volume is back. Any thread may ask.
 */
public final class VolumeCheck implements AutoCloseable {
    private static final Logger LOG = System.getLogger(VolumeCheck.class.getName());
    private static final Duration PERIOD = Duration.ofMinutes(5);
    private static final Duration UNTIL_KNOWN = Duration.ofSeconds(1);
    private static final String MISSING = "its logical volume is not on this node: ";

    private final Supplier<Optional<List<NodeVolumes>>> objects;
    private final LiveDeviceClasses classes;
    private final GroupLedgers groups;
    private final VolumeMetrics metrics;
    private final Map<String, List<UnclaimedVolume>> unclaimed = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile Consumer<String> listener = _ -> {};

    /** Objects of one group that had their volumes before a report of LVM. */
    private record Before(NodeVolumes group, List<LogicalVolume> objects) {}

    /**
     * @param objects the objects of each group; empty while they are not all known
     */
    VolumeCheck(
            Supplier<Optional<List<NodeVolumes>>> objects,
            LiveDeviceClasses classes,
            GroupLedgers groups,
            VolumeMetrics metrics) {
        this.objects = objects;
        this.classes = classes;
        this.groups = groups;
        this.metrics = metrics;
        thread = Thread.ofVirtual().name("volume-check").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Calls the listener with the name of a class whose unclaimed volumes have changed. */
    public void onChange(Consumer<String> next) {
        listener = next;
    }

    /** Returns the volumes of a device class that no object names, as last seen. */
    public List<UnclaimedVolume> unclaimed(String deviceClass) {
        return unclaimed.getOrDefault(deviceClass, List.of());
    }

    private void run() {
        try {
            while (true) {
                var known = objects.get();
                if (known.isPresent()) {
                    forgetGone();
                    for (var deviceClass : classes.current().classes()) {
                        check(deviceClass, known.get());
                    }
                }
                Thread.sleep(known.isPresent() ? PERIOD : UNTIL_KNOWN);
            }
        } catch (InterruptedException _) {
            LOG.log(Level.DEBUG, "volume check ended"); // by close()
        }
    }

    private void forgetGone() {
        var names = classes.current().classes().stream().map(NodeDeviceClass::name).toList();
        for (var gone : List.copyOf(unclaimed.keySet())) {
            if (!names.contains(gone)) {
                unclaimed.remove(gone);
                metrics.forget(gone);
            }
        }
    }

    /** Looks at one class; another one may be well although this one cannot be read. */
    void check(NodeDeviceClass deviceClass, List<NodeVolumes> known) throws InterruptedException {
        try {
            var before = known.stream().map(group -> new Before(group, group.all())).toList();
            var report = groups.fresh(deviceClass.volumeGroup());
            if (report.isPresent()) {
                compare(deviceClass, report.get(), before);
            }
        } catch (LvmException | ApiException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "class not checked class=" + deviceClass.name() + ": " + e.getMessage());
        }
    }

    private void compare(NodeDeviceClass deviceClass, VolumeGroupReport report, List<Before> before)
            throws ApiException, LvmException, InterruptedException {
        int missing = 0;
        for (var group : before) {
            missing += missing(deviceClass, report, group);
        }
        var found = report.logicalVolumes().stream().filter(lv -> isOf(lv, deviceClass)).toList();
        var now = before.stream().flatMap(group -> group.group().all().stream()).toList();
        var withoutObject = TwoSides.unclaimed(found, now);
        metrics.compared(deviceClass.name(), withoutObject.size(), missing);
        keep(deviceClass.name(), withoutObject);
    }

    /** Tells the objects of a group whose volumes are missing, and counts them. */
    private int missing(NodeDeviceClass deviceClass, VolumeGroupReport report, Before before)
            throws ApiException, LvmException, InterruptedException {
        var ofClass = before.objects().stream().filter(o -> isOf(o, deviceClass)).toList();
        var missing = TwoSides.missing(report.logicalVolumes(), ofClass);
        for (var object : missing) {
            tell(object, before.group(), deviceClass, report.group().uuid());
        }
        for (var object : ofClass) {
            if (!missing.contains(object)) {
                compareHome(object, before.group(), report.group());
            }
        }
        return missing.size();
    }

    /** The volume may be in a copy of its group, or back where it belongs. */
    private static void compareHome(LogicalVolume object, NodeVolumes known, VolumeGroup group)
            throws ApiException, InterruptedException {
        var writer = new VolumeStatusWriter(known.informer());
        var mismatch = VolumeHomes.mismatch(object, Optional.empty(), group.name(), group.uuid());
        if (mismatch.isPresent()) {
            writer.failed(object, StatusCode.FAILED_PRECONDITION, mismatch.get());
        } else if (object.status().message().startsWith(MISSING)
                || VolumeHomes.isMismatch(object)) {
            writer.recovered(object);
        }
    }

    private boolean isOf(LogicalVolume object, NodeDeviceClass deviceClass) {
        return classes.current()
                .find(object.spec().deviceClass())
                .filter(deviceClass::equals)
                .isPresent();
    }

    /**
     * Two classes may share a group: a thin one has the volumes of its pool, the other the rest.
     */
    private static boolean isOf(lvms.lvm2.LogicalVolume volume, NodeDeviceClass deviceClass) {
        return deviceClass.thin().isPresent()
                ? volume.pool().equals(deviceClass.thin().map(thin -> thin.pool()))
                : volume.pool().isEmpty();
    }

    /** A volume may be in another group than its class says. */
    private void tell(
            LogicalVolume object, NodeVolumes known, NodeDeviceClass deviceClass, String uuid)
            throws ApiException, LvmException, InterruptedException {
        var id = object.status().volumeId();
        if (groups.locate(id, List.of(deviceClass.volumeGroup())).isEmpty()) {
            var vg = deviceClass.volumeGroup();
            var mismatch = VolumeHomes.mismatch(object, Optional.empty(), vg, uuid);
            LOG.log(Level.WARNING, () -> "volume is missing name=" + object.name() + " lv=" + id);
            new VolumeStatusWriter(known.informer())
                    .failed(
                            object,
                            StatusCode.NOT_FOUND,
                            mismatch.map(m -> MISSING + id + "; " + m).orElse(MISSING + id));
        }
    }

    private void keep(String deviceClass, List<UnclaimedVolume> found) {
        var before = unclaimed.put(deviceClass, found);
        if (!found.equals(before == null ? List.of() : before)) {
            listener.accept(deviceClass);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
