package lvms.operator.overview;

import lvms.api.Names;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

import java.util.Optional;

/**
 * A pod of the operator or of a node agent.
 *
 * @param object the pod
 * @param program what runs in it: the name of the Deployment or DaemonSet
 */
public record ProductPod(KubeObject object, String program) {
    static Optional<ProductPod> of(KubeObject pod) {
        return pod.label("app.kubernetes.io/name")
                .filter(name -> name.equals(Names.OPERATOR) || name.equals(Names.VG_MANAGER))
                .map(name -> new ProductPod(pod, name));
    }

    public boolean isAgent() {
        return program.equals(Names.VG_MANAGER);
    }

    public String node() {
        return object.text("spec", "nodeName").orElse("");
    }

    boolean ready() {
        return object.condition("Ready").map(Condition::holds).orElse(false);
    }

    String image() {
        return container().flatMap(c -> c.text("image")).orElse("");
    }

    /**
     * The image that runs, by its digest, if the container runtime says it; one tag has several.
     */
    String imageId() {
        return status().flatMap(c -> c.text("imageID")).orElse("");
    }

    /** The name of the container that the program runs in. */
    public String containerName() {
        return container().flatMap(c -> c.text("name")).orElse(program);
    }

    /** The path in its image of another program that is shipped with this one. */
    public String program(String other) {
        return container()
                .flatMap(c -> c.texts("command").stream().findFirst())
                .map(path -> path.substring(0, path.lastIndexOf('/') + 1) + other)
                .orElse("/opt/lvms/bin/" + other);
    }

    long restarts() {
        return status().map(c -> c.number("restartCount").orElse(0)).orElse(0L);
    }

    private Optional<ObjectTree> container() {
        return object.objects("spec", "containers").stream().findFirst();
    }

    private Optional<ObjectTree> status() {
        return object.objects("status", "containerStatuses").stream().findFirst();
    }

    /** Why it does not work, in the pod's own words; empty if it is ready. */
    Optional<String> problem() {
        if (ready()) {
            return Optional.empty();
        }
        return status().flatMap(ProductPod::waiting)
                .or(() -> condition("PodScheduled"))
                .or(() -> condition("ContainersReady"))
                .or(() -> Optional.of("not ready"));
    }

    private static Optional<String> waiting(ObjectTree status) {
        return status.object("state", "waiting")
                .or(() -> status.object("state", "terminated"))
                .map(
                        state ->
                                state.text("reason").orElse("waiting")
                                        + state.text("message").map(m -> ": " + m).orElse(""));
    }

    private Optional<String> condition(String type) {
        return object.condition(type)
                .filter(condition -> !condition.holds())
                .map(condition -> condition.reason() + ": " + condition.message());
    }
}
