package lvms.node.capacity;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.queue.Backoff;
import lvms.node.client.LvmdWatch;
import lvms.node.pool.PoolMetrics;
import lvms.proto.lvmd.WatchItem;
import lvms.proto.lvmd.WatchResponse;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the capacity annotations of this node's Node object as the lvmd of another process tells
 * it. If lvmd is away for longer than a restart takes, the classes have no room until it is back:
 * nothing could be made.
 */
public final class LvmdCapacity implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LvmdCapacity.class.getName());

    /** At most one report in this time, as many changes as there may be. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final Duration RESTART = Duration.ofSeconds(60);
    private static final Backoff RETRY =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30), 1);

    private volatile Drivers drivers;
    private final LvmdWatch watch;
    private final NodeCapacity node;
    private final OwnNode follower;
    private final GroupMetrics metrics;
    private final PoolMetrics pools;
    private final Duration restart;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread = Thread.ofVirtual().name("lvmd-capacity").unstarted(this::run);
    private String problem = "";

    /**
     * Prepares it; nothing is reported yet.
     *
     * @param nodeName name of this node's Node object
     */
    public LvmdCapacity(
            KubeClient kube,
            Drivers drivers,
            LvmdWatch watch,
            String nodeName,
            MetricsRegistry metrics) {
        this(kube, drivers, watch, nodeName, metrics, RESTART);
    }

    /**
     * @param restart how long lvmd may be away before the classes have no room
     */
    LvmdCapacity(
            KubeClient kube,
            Drivers drivers,
            LvmdWatch watch,
            String nodeName,
            MetricsRegistry metrics,
            Duration restart) {
        this.drivers = drivers;
        this.watch = watch;
        this.restart = restart;
        node = new NodeCapacity(kube, nodeName);
        follower = new OwnNode(kube, nodeName, now -> node.seen(now, wake::release));
        this.metrics = new GroupMetrics(metrics, nodeName);
        pools = new PoolMetrics(metrics, nodeName);
    }

    public void start() {
        watch.onState(wake::release);
        thread.start();
        follower.start();
    }

    /** Reports for these drivers from now on. Any thread may call. */
    public void serve(Drivers now) {
        drivers = now;
        wake.release();
    }

    private void run() {
        try {
            int failures = 0;
            while (true) {
                if (failures > 0) {
                    wake.tryAcquire(RETRY.after(failures).toMillis(), TimeUnit.MILLISECONDS);
                } else {
                    wake.acquire();
                }
                if (!watch.connected()) {
                    wake.tryAcquire(restart.toMillis(), TimeUnit.MILLISECONDS);
                }
                wake.drainPermits();
                failures = reported() ? 0 : failures + 1;
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "the capacity of lvmd is not reported any more"); // by close()
        }
    }

    private boolean reported() throws InterruptedException {
        var state = watch.state();
        if (state.isEmpty()) {
            return true; // the previous process's annotations are better than none
        }
        var now = watch.connected() ? state.get() : withoutRoom(state.get());
        metrics.show(now);
        now.getItemsList().forEach(this::showPool);
        var served = drivers;
        var wanted = CapacityAnnotations.all(served, bytes(now), now.getFreeBytes());
        try {
            node.write(served, _ -> wanted);
            problem = "";
            return true;
        } catch (ApiException e) {
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
        }
    }

    private void showPool(WatchItem item) {
        var pool = item.getThinPool();
        if (item.hasThinPool() && watch.connected()) {
            pools.told(
                    item.getDeviceClass(),
                    pool.getSizeBytes(),
                    pool.getDataPercent(),
                    pool.getMetadataPercent());
        } else {
            pools.remove(item.getDeviceClass());
        }
    }

    /** Returns what each class can hold, in TopoLVM's reading of the message. */
    static Map<String, Long> bytes(WatchResponse state) {
        var bytes = new TreeMap<String, Long>();
        for (var item : state.getItemsList()) {
            bytes.put(item.getDeviceClass(), bytes(item));
        }
        return bytes;
    }

    static long bytes(WatchItem item) {
        return item.hasThinPool()
                ? item.getThinPool().getOverprovisionBytes()
                : item.getFreeBytes();
    }

    private static WatchResponse withoutRoom(WatchResponse last) {
        var none = WatchResponse.newBuilder();
        for (var item : last.getItemsList()) {
            none.addItems(
                    WatchItem.newBuilder()
                            .setDeviceClass(item.getDeviceClass())
                            .setSizeBytes(item.getSizeBytes()));
        }
        return none.build();
    }

    @Override
    public void close() {
        follower.close();
        node.close();
        thread.interrupt();
    }
}
