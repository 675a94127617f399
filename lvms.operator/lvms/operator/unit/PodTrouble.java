package lvms.operator.unit;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Why a pod of the node agent does not run. Pure functions. */
final class PodTrouble {
    static final Comparator<KubeObject> BY_NODE = Comparator.comparing(PodTrouble::node);

    private static final int LIMIT = 300; // characters; conditions are read by people

    /** Reasons to wait that say nothing about the cause. */
    private static final Set<String> ORDINARY =
            Set.of("ContainerCreating", "PodInitializing", "CrashLoopBackOff");

    private static final Comparator<KubeObject> BY_TIME = Comparator.comparing(PodTrouble::time);

    private PodTrouble() {}

    /** Returns the node of a pod, or the one that its DaemonSet made it for. */
    static String node(KubeObject pod) {
        return pod.text("spec", "nodeName")
                .or(
                        () ->
                                terms(pod).stream()
                                        .flatMap(term -> term.objects("matchFields").stream())
                                        .flatMap(field -> field.texts("values").stream())
                                        .findFirst())
                .orElse("");
    }

    private static List<ObjectTree> terms(KubeObject pod) {
        return pod.objects(
                "spec",
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution",
                "nodeSelectorTerms");
    }

    static boolean runs(KubeObject pod) {
        return container(pod).flatMap(c -> c.object("state", "running")).isPresent();
    }

    private static Optional<ObjectTree> container(KubeObject pod) {
        return pod.objects("status", "containerStatuses").stream().findFirst();
    }

    /**
     * Returns a line that names the node and the reason, empty if the pod runs or says nothing.
     *
     * @param events warnings of its namespace
     */
    static Optional<String> of(KubeObject pod, List<KubeObject> events) {
        if (runs(pod)) {
            return Optional.empty();
        }
        return waiting(pod)
                .map(reason -> line(pod, "cannot start", reason))
                .or(() -> ended(pod).map(reason -> line(pod, "ends", reason)))
                .or(() -> held(pod, events).map(reason -> line(pod, "cannot start", reason)));
    }

    private static String line(KubeObject pod, String what, String reason) {
        return "node " + node(pod) + ": the vg-manager pod " + what + ": " + shortened(reason);
    }

    private static Optional<String> ended(KubeObject pod) {
        return container(pod)
                .flatMap(
                        c ->
                                c.object("state", "terminated")
                                        .or(() -> c.object("lastState", "terminated")))
                .map(
                        end ->
                                end.text("message")
                                        .filter(text -> !text.isBlank())
                                        .or(() -> end.text("reason"))
                                        .orElse("exit code " + end.number("exitCode").orElse(0)));
    }

    private static Optional<String> held(KubeObject pod, List<KubeObject> events) {
        return newest(events, e -> isAbout(e, pod))
                .map(PodTrouble::note)
                .or(() -> unscheduled(pod));
    }

    private static Optional<String> waiting(KubeObject pod) {
        return container(pod)
                .flatMap(c -> c.object("state", "waiting"))
                .filter(waiting -> !ORDINARY.contains(waiting.text("reason").orElse("")))
                .map(
                        waiting ->
                                waiting.text("reason").orElse("")
                                        + waiting.text("message").map(": "::concat).orElse(""));
    }

    private static Optional<String> unscheduled(KubeObject pod) {
        return pod.condition("PodScheduled")
                .filter(condition -> !condition.holds())
                .map(condition -> condition.message());
    }

    private static boolean isAbout(KubeObject event, KubeObject pod) {
        return event.text("regarding", "uid").equals(Optional.of(pod.uid()));
    }

    static Optional<KubeObject> newest(List<KubeObject> events, Predicate<KubeObject> about) {
        return events.stream().filter(about).max(BY_TIME);
    }

    // Old reporters set one time, new ones the other; all are of one form, so their texts compare.
    private static String time(KubeObject event) {
        return event.text("series", "lastObservedTime")
                .or(() -> event.text("deprecatedLastTimestamp"))
                .or(() -> event.text("eventTime"))
                .orElse("");
    }

    static String note(KubeObject event) {
        return shortened(event.text("note").orElse(event.text("reason").orElse("")));
    }

    private static String shortened(String text) {
        var line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= LIMIT ? line : line.substring(0, LIMIT) + "...";
    }
}
