package lvms.node;

import lvms.csi.CallMetrics;
import lvms.csi.Calls;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.erasure.QuarantineWatch;
import lvms.node.lvmd.ClassVolumes;
import lvms.node.lvmd.HealthService;
import lvms.node.lvmd.LvService;
import lvms.node.lvmd.Messages;
import lvms.node.lvmd.Removal;
import lvms.node.lvmd.VgService;
import lvms.node.lvmd.Watchers;
import lvms.node.socket.SocketKeeper;
import lvms.node.volume.GroupLedgers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Serves lvmd's gRPC services on a Unix socket of mode 0600.
 *
 * <p>Threads: {@link #start} and {@link #close} belong to one thread, {@link #changed} to any.
 */
public final class Lvmd implements ClassServer, AutoCloseable {
    private final LiveDeviceClasses classes;
    private final GroupLedgers groups;
    private final Watchers watchers;
    private final SocketKeeper socket;

    /** Beside the other parts of an agent it is one of those. */
    private Optional<QuarantineWatch> quarantine = Optional.empty();

    /**
     * Puts together a stand-alone lvmd; nothing is started yet.
     *
     * @param lvm its LVM, which stays open when lvmd is closed
     */
    public Lvmd(LvmdSettings settings, Lvm lvm, MetricsRegistry metrics) {
        this(
                settings.socket(),
                LiveDeviceClasses.of(settings.classes()),
                new GroupLedgers(lvm),
                true,
                () -> {},
                metrics);
        quarantine = Optional.of(new QuarantineWatch(classes, groups, groups.erasures()));
    }

    /**
     * Puts together an lvmd that runs beside the other parts of an agent; nothing is started yet.
     *
     * @param socket path of the socket; its folder is made if it is missing
     * @param classes the device classes; watching clients are told when they change
     * @param groups reservations in the volume groups, shared with every other part that makes
     *     volumes
     * @param activation whether volumes are active on this machine; if false, only metadata is
     *     managed
     * @param changed called after each LVM change; it must return at once
     */
    Lvmd(
            Path socket,
            LiveDeviceClasses classes,
            GroupLedgers groups,
            boolean activation,
            Runnable changed,
            MetricsRegistry metrics) {
        this.classes = classes;
        this.groups = groups;
        var calls = Calls.of("lvmd");
        var volumes = new ClassVolumes(classes, groups, activation);
        watchers = new Watchers(calls, volumes::state);
        Runnable told =
                () -> {
                    changed.run();
                    watchers.changed();
                };
        var services =
                List.of(
                        new LvService(calls, volumes, new Removal(volumes, groups), told),
                        new VgService(calls, volumes, watchers),
                        new HealthService(calls));
        this.socket =
                SocketKeeper.inSharedFolder(socket, CallMetrics.ofServer(metrics).over(services));
        classes.onChange(this::changed);
    }

    /**
     * Serves until {@link #close}.
     *
     * @throws IOException if the socket cannot be served
     */
    public void start() throws IOException {
        quarantine.ifPresent(QuarantineWatch::start);
        socket.start();
    }

    /**
     * Sends the state to watching clients after somebody else has changed a group. Returns at once.
     */
    public void changed() {
        watchers.changed();
    }

    @Override
    public void take(LvmdSettings next) {
        classes.publish(next.classes());
    }

    /** A stand-alone lvmd does not serve until all groups and pools are there. */
    @Override
    public Optional<String> missing(LvmdSettings wanted) throws LvmException, InterruptedException {
        return missing(wanted.classes(), groups).entrySet().stream()
                .map(each -> "device class " + each.getKey() + ": " + each.getValue())
                .findFirst();
    }

    /** Returns the classes whose group or pool is not on this node, and what is missing. */
    static Map<String, String> missing(DeviceClasses classes, GroupLedgers groups)
            throws LvmException, InterruptedException {
        var missing = new TreeMap<String, String>();
        for (var deviceClass : classes.classes()) {
            var report = groups.fresh(deviceClass.volumeGroup());
            missing(deviceClass, report).ifPresent(what -> missing.put(deviceClass.name(), what));
        }
        return missing;
    }

    private static Optional<String> missing(
            NodeDeviceClass deviceClass, Optional<VolumeGroupReport> report) {
        var vg = deviceClass.volumeGroup();
        if (report.isEmpty()) {
            return Optional.of(
                    "there is no volume group " + vg + ": create it, or correct volume-group");
        }
        var thin = deviceClass.thin();
        if (thin.isEmpty() || Messages.pool(report.get(), thin.get()).isPresent()) {
            return Optional.empty();
        }
        var pool = thin.get().pool();
        return Optional.of(
                report.get().logicalVolume(pool).isPresent()
                        ? "%s/%s is no thin pool: correct thin-pool".formatted(vg, pool)
                        : "volume group %s has no thin pool %s: create it, or correct thin-pool"
                                .formatted(vg, pool));
    }

    /** Ends the streams, then the server; running calls get five seconds. */
    @Override
    public void close() {
        watchers.close();
        socket.close();
        quarantine.ifPresent(QuarantineWatch::close);
        groups.erasures().close();
    }
}
