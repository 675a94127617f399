package lvms.node.capacity;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What this node's Node object says of its capacity: annotations, and the finalizer of a node that
 * has classes.
 *
 * @param name name of the Node
 */
record NodeCapacity(KubeClient kube, String name) {
    private static final System.Logger LOG = System.getLogger(NodeCapacity.class.getName());

    NodeCapacity {
        Objects.requireNonNull(kube);
        Objects.requireNonNull(name);
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
        var next = wanted.apply(present);
        var patch = CapacityAnnotations.patch(drivers, present, next);
        var reported = present;
        if (patch.isPresent()) {
            reported = kube.mergePatch(Types.NODE, patch.get());
            LOG.log(INFO, () -> "capacity reported node=" + name + " bytes=" + next);
        }
        if (!next.isEmpty()) {
            hold(drivers, reported);
        }
    }

    /**
     * A Node that holds volumes is not gone before the operator has let go of them. For those of a
     * converted driver, the finalizer of the present one holds it: the old one would stay when
     * nobody serves that driver any more.
     */
    private void hold(Drivers drivers, KubeObject present)
            throws ApiException, InterruptedException {
        var node = Optional.of(present);
        for (var driver : drivers.all()) {
            var finalizer = driver.nodeFinalizer();
            if (node.isEmpty() || node.get().terminating()) {
                return;
            }
            boolean held = node.get().finalizers().contains(finalizer);
            if (driver.equals(Driver.CONVERTED)) {
                node = held ? kube.removeFinalizer(Types.NODE, node.get(), finalizer) : node;
            } else if (!held) {
                node = Optional.of(kube.addFinalizer(Types.NODE, node.get(), finalizer));
            }
        }
    }
}
