package lvms.tests.bench.cluster;

import lvms.api.LogicalVolume;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** What a watching client sees, and when. */
public final class Watched implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final Duration SYNC = Duration.ofSeconds(30);
    private static final List<ResourceType> TYPES =
            List.of(Types.PVC, Types.PV, Types.POD, LogicalVolume.TYPE);

    private final Map<ResourceType, Informer> informers = new LinkedHashMap<>();
    private final Object changed = new Object();

    public static Watched open(KubeClient kube) throws Exception {
        return open(kube, TYPES);
    }

    /** The same with Nodes, whose status changes often. */
    static Watched openWithNodes(KubeClient kube) throws Exception {
        return open(kube, Stream.concat(TYPES.stream(), Stream.of(Types.NODE)).toList());
    }

    private static Watched open(KubeClient kube, List<ResourceType> types) throws Exception {
        var watched = new Watched();
        for (var type : types) {
            var informer = Informer.of(kube, type).build();
            informer.addHandler((_, _) -> watched.tell());
            informer.start();
            informer.awaitSync(SYNC);
            watched.informers.put(type, informer);
        }
        return watched;
    }

    private void tell() {
        synchronized (changed) {
            changed.notifyAll();
        }
    }

    /** The objects of a namespace; of the whole cluster for {@code ""}. */
    public List<KubeObject> list(ResourceType type, String namespace) {
        return informers.get(type).list().stream()
                .filter(object -> object.namespace().equals(namespace))
                .toList();
    }

    /** Waits for a condition of the objects seen; returns milliseconds since {@code began}. */
    public double await(String what, long began, BooleanSupplier condition)
            throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        synchronized (changed) {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("not within " + PATIENCE + ": " + what);
                }
                TimeUnit.SECONDS.timedWait(changed, 1);
            }
        }
        return (System.nanoTime() - began) / 1e6;
    }

    @Override
    public void close() {
        informers.values().forEach(Informer::close);
    }
}
