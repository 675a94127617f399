package lvms.node;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.ThinPoolConfig;
import lvms.csi.BuildInfo;
import lvms.csi.SelfCheck;
import lvms.csi.SocketProbe;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.tree.ListTree;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.node.capacity.OwnNode;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.format.Formats;
import lvms.node.pool.PoolKeeper;
import lvms.node.pool.PoolOwner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * TopoLVM's node service with lvmd in it: volumes of the groups that people made and named in
 * lvmd.yaml. It makes no group and no pool, changes none, and needs no LVMCluster. Registering with
 * kubelet is a sidecar's work, or its own where there is none.
 *
 * <p>Threads: any may ask whether it is ready; the rest belongs to one thread.
 */
public final class TopolvmNode implements ClassServer, AutoCloseable {
    private final Settings settings;
    private final KubeClient kube;
    private final Lvm lvm;
    private final LiveDeviceClasses classes;
    private final GroupParts parts;
    private final CsiNode csi;
    private final PoolKeeper pools;
    private final OldDriver old;
    private final MissingGroups missing;
    private final OwnNode follower;

    /**
     * How it works.
     *
     * @param driver whose volumes these are
     * @param nodeName name of this node's Node object
     * @param version version that callers are told
     * @param socket path of the CSI socket
     * @param registers whether it registers the driver with kubelet itself
     */
    public record Settings(
            Driver driver, String nodeName, String version, Path socket, boolean registers) {}

    /**
     * Puts the parts together; nothing is started yet.
     *
     * @param file the device classes at the beginning
     * @param lvm the LVM of this node; closed with this
     */
    public TopolvmNode(
            Settings settings,
            LvmdSettings file,
            KubeClient kube,
            Lvm lvm,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.settings = settings;
        this.kube = kube;
        this.lvm = lvm;
        classes = LiveDeviceClasses.of(file.classes());
        BuildInfo.of(settings.version()).show(metrics);
        var node = settings.nodeName();
        var drivers = Drivers.of(settings.driver());
        var places =
                CsiNodeSettings.at(
                        settings.socket(),
                        settings.registers(),
                        settings.driver(),
                        node,
                        settings.version());
        var formats = Formats.notedIn(places.formatNotes());
        parts =
                GroupParts.of(
                        lvm, kube, drivers, classes, node, formats, this::foreignChange, metrics);
        var groups = parts.groups();
        var front = new CsiFront(places, formats, metrics);
        csi = new CsiNode(front, kube, groups, classes, this::changed, events, metrics);
        pools =
                new PoolKeeper(
                        classes,
                        groups,
                        new Guest(),
                        parts.refusals(),
                        parts.host(),
                        metrics,
                        node,
                        places.kubeletFolder());
        old =
                new OldDriver(
                        () -> Drivers.servedWith(kube, settings.driver()),
                        csi::alsoServe,
                        parts.capacity()::serve,
                        () -> {});
        follower = new OwnNode(kube, node, parts.capacity()::nodeSeen);
        missing = new MissingGroups(now -> Lvmd.missing(now, groups), parts.capacity()::changed);
    }

    /** The pools are somebody else's: nothing is wanted of them, so none is grown. */
    private final class Guest implements PoolOwner {
        @Override
        public Optional<ThinPoolConfig> wanted(LvName pool) {
            return Optional.empty();
        }

        @Override
        public void refusalChanged(LvName pool) {
            parts.capacity().changed(pool.vg());
        }

        @Override
        public void grew(LvName pool, String note) {
            parts.capacity().changed(pool.vg());
        }
    }

    private void changed(String vg) {
        parts.capacity().changed(vg);
        pools.groupChanged();
    }

    private void foreignChange() {
        parts.groups().forget();
        parts.capacity().changed();
        pools.groupChanged();
        missing.groupsChanged();
    }

    /**
     * Starts working; returns once the socket is served.
     *
     * @throws IOException if the socket cannot be served
     */
    public void start() throws IOException {
        csi.probedBy(NodeCheck.of(lvm).then(SelfCheck.ofDriver(kube, settings.driver())));
        parts.capacity().start();
        follower.start();
        csi.start();
        pools.start();
        old.start();
    }

    /** Nothing keeps the other classes from being served; a class without its group has no room. */
    @Override
    public Optional<String> missing(LvmdSettings wanted) {
        return Optional.empty();
    }

    /** Says which groups and pools are missing or back; to be called about once a second. */
    public void look() throws InterruptedException {
        missing.look(classes.current());
    }

    @Override
    public void take(LvmdSettings next) {
        classes.publish(next.classes());
        missing.groupsChanged();
    }

    /** Returns how full the pools were during the last day, for {@code HistorySocket}. */
    public ListTree poolHistory() {
        return pools.history().json();
    }

    /** Returns whether volumes can be served: their objects are known. */
    public boolean ready() {
        return csi.ready();
    }

    /** Returns whether the socket is answered; it may take three seconds. */
    public boolean answers() {
        return SocketProbe.answers(settings.socket());
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    public boolean registered() {
        return csi.registered();
    }

    @Override
    public void close() {
        old.close();
        csi.close();
        pools.close();
        follower.close();
        parts.capacity().close();
        lvm.close();
    }
}
