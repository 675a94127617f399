package lvms.operator.overview;

import lvms.api.Names;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.topolvm.TopolvmPrograms;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pod of the operator or of a node agent, or of TopoLVM's programs in their place.
 *
 * @param object the pod
 * @param program what runs in it: the name of the Deployment or DaemonSet, or TopoLVM's name of it
 */
public record ProductPod(KubeObject object, String program) {
    private static final List<String> PROGRAMS =
            List.of(TopolvmPrograms.CONTROLLER, TopolvmPrograms.NODE, TopolvmPrograms.LVMD);

    /** Returns those among the pods of a namespace. */
    static List<ProductPod> of(List<KubeObject> pods) {
        return pods.stream().flatMap(pod -> of(pod).stream()).toList();
    }

    private static Optional<ProductPod> of(KubeObject pod) {
        return pod.label("app.kubernetes.io/name")
                .filter(name -> name.equals(Names.OPERATOR) || name.equals(Names.VG_MANAGER))
                .or(() -> topolvm(pod))
                .map(name -> new ProductPod(pod, name));
    }

    private static Optional<String> topolvm(KubeObject pod) {
        return PROGRAMS.stream().filter(name -> container(pod, name).isPresent()).findFirst();
    }

    private static Optional<ObjectTree> container(KubeObject pod, String program) {
        return pod.objects("spec", "containers").stream()
                .filter(container -> TopolvmPrograms.starts(container, program))
                .findFirst();
    }

    /** Whether it serves its node's volumes to pods. */
    public boolean isAgent() {
        return Set.of(Names.VG_MANAGER, TopolvmPrograms.NODE).contains(program);
    }

    /** Whether claims get their volumes by it. */
    boolean isController() {
        return Set.of(Names.OPERATOR, TopolvmPrograms.CONTROLLER).contains(program);
    }

    /** What it is to its node, in a word. */
    String role() {
        return program.equals(TopolvmPrograms.LVMD) ? TopolvmPrograms.LVMD : "agent";
    }

    /** Whether LVM runs in it, so that it can say what is on the node. */
    public boolean runsLvm() {
        return program.equals(Names.VG_MANAGER)
                || program.equals(TopolvmPrograms.LVMD)
                || program.equals(TopolvmPrograms.NODE)
                        && container().stream()
                                .flatMap(container -> container.texts("command").stream())
                                .anyMatch(word -> word.equals("--embed-lvmd"));
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
                .filter(path -> path.lastIndexOf('/') > 0) // TopoLVM's programs are links in /
                .map(path -> path.substring(0, path.lastIndexOf('/') + 1) + other)
                .orElse("/opt/lvms/bin/" + other);
    }

    long restarts() {
        return status().map(c -> c.number("restartCount").orElse(0)).orElse(0L);
    }

    private Optional<ObjectTree> container() {
        return container(object, program)
                .or(() -> object.objects("spec", "containers").stream().findFirst());
    }

    private Optional<ObjectTree> status() {
        var name = container().flatMap(c -> c.text("name")).orElse("");
        return object.objects("status", "containerStatuses").stream()
                .filter(status -> status.text("name").orElse("").equals(name))
                .findFirst();
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
