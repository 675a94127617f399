package lvms.node.pool;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.LvName;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Looks after the thin pools of this node: each pool of a device class is followed, grows before it
 * is full, and promises nothing where it cannot. A node without thin classes has no thread of it.
 */
public final class PoolKeeper implements AutoCloseable {
    private final LiveDeviceClasses classes;
    private final PoolGrower grower;
    private final PoolRefusals refusals;
    private final PoolMetrics metrics;
    private final PoolHistory history = new PoolHistory(InstantSource.system());
    private final PoolTrimmer.Shared trimming;
    private final Map<LvName, PoolFollower> followers = new HashMap<>();
    private boolean started;
    private boolean closed;

    /**
     * @param refusals gets the pools that get no new volumes
     * @param host how the machine is set up
     * @param kubelet kubelet's folder, below which the filesystems are that may be trimmed
     */
    public PoolKeeper(
            LiveDeviceClasses classes,
            PoolGroups groups,
            PoolOwner owner,
            PoolRefusals refusals,
            PoolHost host,
            MetricsRegistry registry,
            String nodeName,
            Path kubelet) {
        this.classes = classes;
        this.refusals = refusals;
        this.grower = new PoolGrower(groups, owner, DeviceMapper.system(), host);
        this.metrics = new PoolMetrics(registry, nodeName);
        this.trimming =
                new PoolTrimmer.Shared(
                        nodeName,
                        kubelet,
                        groups,
                        pool -> trim(owner, pool),
                        DeviceMapper.system(),
                        new TrimMetrics(registry, nodeName),
                        InstantSource.system(),
                        new Semaphore(1, true));
    }

    private Optional<PoolTrim> trim(PoolOwner owner, LvName pool) {
        var config = owner.wanted(pool);
        return config.isPresent()
                ? PoolTrim.of(config.get())
                : PoolTrim.of(classes.current(), pool);
    }

    /** Begins to follow the pools of all classes that there are and will be. */
    public void start() {
        synchronized (this) {
            started = true;
        }
        classes.onChange(this::follow);
        follow();
    }

    private synchronized void follow() {
        if (closed || !started) {
            return;
        }
        var wanted = new HashMap<LvName, String>();
        for (var deviceClass : classes.current().classes()) {
            pool(deviceClass, name -> wanted.putIfAbsent(name, deviceClass.name()));
        }
        for (var gone : new HashSet<>(followers.keySet())) {
            if (!wanted.containsKey(gone)) {
                followers.remove(gone).end();
            }
        }
        wanted.forEach(
                (pool, deviceClass) ->
                        followers.computeIfAbsent(pool, _ -> follower(pool, deviceClass)));
    }

    private static void pool(NodeDeviceClass deviceClass, Consumer<LvName> then) {
        deviceClass
                .thin()
                .ifPresent(thin -> then.accept(new LvName(deviceClass.volumeGroup(), thin.pool())));
    }

    private PoolFollower follower(LvName pool, String deviceClass) {
        var trimmer = new PoolTrimmer(pool, deviceClass, trimming);
        var follower =
                new PoolFollower(pool, deviceClass, grower, refusals, metrics, history, trimmer);
        follower.start();
        return follower;
    }

    /** How full the pools were before. */
    public PoolHistory history() {
        return history;
    }

    /** Looks at all pools at once: the device-mapper has reported an event. */
    public synchronized void look() {
        followers.values().forEach(PoolFollower::look);
    }

    /** Decides anew about pools that refuse volumes: there may be space again. */
    public synchronized void groupChanged() {
        followers.values().forEach(PoolFollower::groupChanged);
    }

    @Override
    public synchronized void close() {
        closed = true;
        followers.values().forEach(PoolFollower::end);
    }
}
