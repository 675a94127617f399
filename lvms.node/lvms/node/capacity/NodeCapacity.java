package lvms.node.capacity;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * What this node's Node object says of its capacity: annotations, and the finalizer of a node that
 * has classes.
 *
 * <p>Threads: {@link #seen} may be called from any; the rest belongs to one.
 */
final class NodeCapacity implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(NodeCapacity.class.getName());

    private final KubeClient kube;
    private final String name;
    private final Corrections corrections = new Corrections(InstantSource.system());
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile Written written = new Written(Drivers.DEFAULT, Map.of());
    private volatile boolean closed;
    private volatile Thread waiter = Thread.currentThread();

    /** What the Node has to say, by the last report. */
    private record Written(Drivers drivers, Map<String, String> annotations) {
        Written {
            annotations = Collections.unmodifiableMap(annotations);
        }

        boolean isMissingIn(KubeObject node) {
            boolean held =
                    drivers.all().stream()
                            .allMatch(
                                    d ->
                                            node.finalizers().contains(d.nodeFinalizer())
                                                    == holds(drivers, d));
            return !annotations.isEmpty()
                    && (!held || CapacityAnnotations.patch(drivers, node, annotations).isPresent());
        }
    }

    /**
     * @param name name of the Node
     */
    NodeCapacity(KubeClient kube, String name) {
        this.kube = Objects.requireNonNull(kube);
        this.name = Objects.requireNonNull(name);
    }

    String name() {
        return name;
    }

    /**
     * Writes the annotations that differ. A Node that is being deleted is left alone.
     *
     * @param drivers drivers that are served; each has annotations of its own
     * @param wanted gives all annotations of the Node's capacity for the Node as it is; none takes
     *     them away
     */
    void write(Drivers drivers, Function<KubeObject, Map<String, String>> wanted)
            throws ApiException, InterruptedException {
        var present = kube.get(Types.NODE, ObjectKey.cluster(name));
        if (present.terminating()) {
            return;
        }
        var next = new Written(drivers, new TreeMap<>(wanted.apply(present)));
        boolean again = next.equals(written);
        written = next; // before our own change is seen
        if (again && next.isMissingIn(present)) {
            corrections.made();
        }
        var patch = CapacityAnnotations.patch(drivers, present, next.annotations());
        var reported = present;
        if (patch.isPresent()) {
            reported = kube.mergePatch(Types.NODE, patch.get());
            LOG.log(INFO, () -> "capacity reported node=" + name + " bytes=" + next.annotations());
        }
        if (!next.annotations().isEmpty()) {
            hold(drivers, reported);
        }
    }

    /** A Node that holds volumes is not gone before the operator has let go of them. */
    private void hold(Drivers drivers, KubeObject present)
            throws ApiException, InterruptedException {
        var node = Optional.of(present);
        for (var driver : drivers.all()) {
            var finalizer = driver.nodeFinalizer();
            if (node.isEmpty() || node.get().terminating()) {
                return;
            }
            boolean held = node.get().finalizers().contains(finalizer);
            if (!holds(drivers, driver)) {
                node = held ? kube.removeFinalizer(Types.NODE, node.get(), finalizer) : node;
            } else if (!held) {
                node = Optional.of(kube.addFinalizer(Types.NODE, node.get(), finalizer));
            }
        }
    }

    /**
     * For volumes of the old driver, the finalizer of ours holds the Node: the old one would stay
     * when nobody serves that driver any more.
     */
    private static boolean holds(Drivers drivers, Driver driver) {
        return !drivers.oldBesideOurs().equals(Optional.of(driver));
    }

    /**
     * Has the Node written again if somebody else changed what it says; returns at once.
     *
     * @param node the Node as it is now
     * @param again asks for a report
     */
    void seen(KubeObject node, Runnable again) {
        boolean changed = !node.terminating() && written.isMissingIn(node);
        if (changed && !closed && waiting.compareAndSet(false, true)) {
            waiter = Thread.ofVirtual().name("node-correction").start(() -> later(again));
        }
    }

    private void later(Runnable again) {
        try {
            Thread.sleep(corrections.delay());
            waiting.set(false);
            again.run();
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "ended before the Node was corrected"); // by close()
        }
    }

    @Override
    public void close() {
        closed = true;
        if (waiting.get()) {
            waiter.interrupt();
        }
    }
}
