package lvms.operator.unit;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pods of the node agents. They are read only while something is missing, so nothing follows
 * them.
 *
 * @param kube reads pods and events
 */
public record AgentPods(KubeClient kube) {
    private static final String SELECTOR =
            AgentDaemonSet.LABELS.entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .sorted()
                    .collect(Collectors.joining(","));

    List<KubeObject> list(String namespace) throws ApiException, InterruptedException {
        return kube.list(Types.POD, ListOptions.all().namespace(namespace).labels(SELECTOR))
                .items();
    }

    /** Returns the pods by their nodes; while one takes another's place, the newer one. */
    public Map<String, KubeObject> byNode(String namespace)
            throws ApiException, InterruptedException {
        return list(namespace).stream()
                .collect(
                        Collectors.toMap(
                                PodTrouble::node,
                                Function.identity(),
                                BinaryOperator.maxBy(
                                        Comparator.comparing(
                                                pod -> pod.creationTimestamp().orElseThrow()))));
    }

    /** Returns the nodes on which the agent's program has started. */
    Set<String> running(String namespace) throws ApiException, InterruptedException {
        return list(namespace).stream()
                .filter(PodTrouble::runs)
                .map(PodTrouble::node)
                .collect(Collectors.toSet());
    }

    /**
     * Returns why agents do not run, in the words of whoever keeps them from it.
     *
     * @param wanted how many there should be
     */
    List<String> troubles(String namespace, long wanted) throws ApiException, InterruptedException {
        var pods = list(namespace);
        if (pods.size() >= wanted && pods.stream().allMatch(PodTrouble::runs)) {
            return List.of();
        }
        var warnings = ListOptions.all().namespace(namespace).fields("type=Warning");
        var events = kube.list(Types.EVENT, warnings).items();
        var ofPods =
                pods.stream().sorted(PodTrouble.BY_NODE).map(pod -> PodTrouble.of(pod, events));
        return Stream.concat(
                        refusal(pods, wanted, events).stream(), ofPods.flatMap(Optional::stream))
                .toList();
    }

    private static Optional<String> refusal(
            List<KubeObject> pods, long wanted, List<KubeObject> events) {
        return pods.size() >= wanted
                ? Optional.empty()
                : PodTrouble.newest(events, e -> isOfDaemonSet(e)).map(PodTrouble::note);
    }

    private static boolean isOfDaemonSet(KubeObject event) {
        return event.text("regarding", "kind").equals(Optional.of(Types.DAEMON_SET.kind()))
                && event.text("regarding", "name").equals(Optional.of(Names.VG_MANAGER));
    }
}
