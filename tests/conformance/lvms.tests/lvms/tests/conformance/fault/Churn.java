package lvms.tests.conformance.fault;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Claims that come and go: thin and thick, on all nodes, some with a pod, some deleted before they
 * have a volume. Requests that the server cannot take now are repeated.
 */
final class Churn {
    private static final int POD_OF_EACH = 10;
    private static final int MOST_OPEN = 10;
    private static final int MOST_LIVING = 20;
    private static final List<String> CLASSES = List.of(Product.THIN_CLASS, Product.THICK_CLASS);

    private final Product product;
    private final Sandbox sandbox;
    private final Random random;
    private final List<String> nodes;
    private final List<String> living = new ArrayList<>();

    /** Claims without a pod, of which Kubernetes' scheduler knows nothing. */
    private final Set<String> scheduledHere = new HashSet<>();

    private int made;

    Churn(Product product, Sandbox sandbox, long seed) throws Exception {
        this.product = product;
        this.sandbox = sandbox;
        this.random = new Random(seed);
        this.nodes = product.cluster().nodes().stream().map(node -> node.name()).toList();
    }

    /**
     * Makes one more claim and, when many live, deletes one of them; does nothing while many wait
     * for their volume.
     *
     * @return whether it did something
     */
    boolean step() throws Exception {
        if (open().size() >= MOST_OPEN) {
            return false;
        }
        var name = "c-" + made++;
        var storageClass = CLASSES.get(random.nextInt(CLASSES.size()));
        if (made % POD_OF_EACH == 0) {
            var claim = Claim.of(name, Product.THICK_CLASS, "24Mi");
            Product.insist(() -> create(claim.object(sandbox.namespace())));
            Product.insist(() -> create(Pod.with(name, name).object(sandbox.namespace())));
        } else {
            var claim = Claim.of(name, storageClass, "16Mi");
            var node = nodes.get(random.nextInt(nodes.size()));
            Product.insist(() -> create(Claims.on(node, claim.object(sandbox.namespace()))));
            scheduledHere.add(name);
        }
        living.add(name);
        if (living.size() > MOST_LIVING) {
            delete(living.remove(random.nextInt(living.size())));
        }
        return true;
    }

    /** Makes so many claims, as fast as they are served. */
    void steps(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            sandbox.patience().until("claims are served", this::step);
        }
    }

    private List<String> open() throws Exception {
        var claims =
                product.kube()
                        .list(Types.PVC, ListOptions.all().namespace(sandbox.namespace()))
                        .items();
        for (var claim : claims) {
            scheduleAgain(claim);
        }
        var bound =
                claims.stream()
                        .filter(c -> c.text("status", "phase").filter("Bound"::equals).isPresent())
                        .map(KubeObject::name)
                        .collect(Collectors.toSet());
        return living.stream().filter(name -> !bound.contains(name)).toList();
    }

    /**
     * A claim that could not be served on its node, such as one whose agent tells no capacity yet,
     * is given back to the scheduler, which chooses for its pod again.
     */
    private void scheduleAgain(KubeObject claim) throws Exception {
        boolean givenBack =
                scheduledHere.contains(claim.name())
                        && !claim.terminating()
                        && claim.text("spec", "volumeName").isEmpty()
                        && claim.annotation(Names.SELECTED_NODE_ANNOTATION).isEmpty();
        if (givenBack) {
            var node = nodes.get(random.nextInt(nodes.size()));
            var chosen =
                    ObjectTree.EMPTY.with(
                            Tree.of(node),
                            "metadata",
                            "annotations",
                            Names.SELECTED_NODE_ANNOTATION);
            Product.insist(() -> product.kube().mergePatch(Types.PVC, claim.key(), chosen));
        }
    }

    private Void create(KubeObject object) throws ApiException, InterruptedException {
        try {
            product.kube().create(object.kind().equals("Pod") ? Types.POD : Types.PVC, object);
        } catch (ApiException.AlreadyExists _) {
            return null; // an earlier attempt, whose answer was lost
        }
        return null;
    }

    private void delete(String name) throws Exception {
        var key = ObjectKey.of(sandbox.namespace(), name);
        Product.insist(() -> product.kube().delete(Types.POD, key, DeleteOptions.any()));
        Product.insist(() -> product.kube().delete(Types.PVC, key, DeleteOptions.any()));
    }

    /** Returns the claims that were not deleted. */
    List<String> living() {
        return List.copyOf(living);
    }

    /** Waits until every claim that was not deleted has its volume. */
    void awaitBound() throws Exception {
        sandbox.patience()
                .untilNothingMissing("all claims are bound", () -> String.join(" ", open()));
    }

    /** Deletes what is left. */
    void end() throws Exception {
        for (var name : living) {
            delete(name);
        }
        living.clear();
    }
}
