package lvms.operator.overview;

import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.agent.OperatorImage;
import lvms.operator.unit.DiskPod;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Looks at nodes, such as at their disks, by a pod on each, with the caller's rights. The pods are
 * removed by {@link #remove()}; one that a killed command left ends by itself and is removed by the
 * next.
 */
public final class DiskPods {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final String LABEL = "app.kubernetes.io/name";

    private final KubeClient kube;
    private final String namespace;
    private final OperatorImage image;
    private final List<ObjectKey> pods = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private boolean ended;

    /**
     * @param namespace where privileged pods may be
     */
    public DiskPods(KubeClient kube, String namespace, OperatorImage image) {
        this.kube = kube;
        this.namespace = namespace;
        this.image = image;
    }

    /** Returns the nodes that could not be looked at, one line each. */
    public List<String> gaps() {
        return List.copyOf(gaps);
    }

    /**
     * Looks at the disks of nodes, all at once.
     *
     * @param patience how long a pod may take to end
     */
    public Map<String, List<Disk>> look(List<String> nodes, Duration patience)
            throws ApiException, InterruptedException {
        var found = new LinkedHashMap<String, List<Disk>>();
        ask(nodes, List.of("disks", "--local", "-o=json"), patience)
                .forEach((node, answer) -> found.put(node, disks(answer)));
        return found;
    }

    /**
     * Runs lvms on nodes, all at once.
     *
     * @param words what prints a JSON object
     * @param patience how long a pod may take to end
     */
    public Map<String, ObjectTree> ask(List<String> nodes, List<String> words, Duration patience)
            throws ApiException, InterruptedException {
        removeLeftovers();
        var run = UUID.randomUUID().toString().substring(0, 8);
        var byNode = new LinkedHashMap<String, ObjectKey>();
        for (var node : nodes) {
            var key = ObjectKey.of(namespace, "lvms-disks-" + run + "-" + byNode.size());
            create(DiskPod.of(key, node, image, words));
            byNode.put(node, key);
        }
        var end = Instant.now().plus(patience);
        var found = new LinkedHashMap<String, ObjectTree>();
        for (var entry : byNode.entrySet()) {
            await(entry.getKey(), entry.getValue(), end)
                    .ifPresent(answer -> found.put(entry.getKey(), answer));
        }
        return found;
    }

    private synchronized void create(KubeObject pod) throws ApiException, InterruptedException {
        if (ended) {
            throw new InterruptedException("the command ends");
        }
        pods.add(pod.key()); // first, since a request that is cut short may have made it
        kube.create(Types.POD, pod);
    }

    private Optional<ObjectTree> await(String node, ObjectKey key, Instant end)
            throws ApiException, InterruptedException {
        while (true) {
            var pod = kube.find(Types.POD, key);
            var phase = pod.flatMap(p -> p.text("status", "phase")).orElse("");
            if (phase.equals("Succeeded")) {
                return Optional.of(answer(key));
            }
            if (pod.isEmpty() || phase.equals("Failed") || Instant.now().isAfter(end)) {
                gaps.add("node " + node + ": " + why(pod));
                return Optional.empty();
            }
            Thread.sleep(PERIOD);
        }
    }

    private static String why(Optional<KubeObject> pod) {
        return pod.map(DiskPods::why).orElse("somebody deleted the pod that looked at it");
    }

    private static String why(KubeObject pod) {
        var states = pod.objects("status", "containerStatuses").stream();
        var reason =
                states.flatMap(status -> status.object("state", "waiting").stream())
                        .flatMap(waiting -> waiting.text("reason").stream())
                        .findFirst()
                        .or(() -> pod.text("status", "message"))
                        .or(() -> pod.text("status", "reason"));
        return "the pod that looks at it did not end well"
                + reason.map(text -> ": " + text).orElse("");
    }

    /** Each line of the log begins with its time. */
    private ObjectTree answer(ObjectKey key) throws ApiException, InterruptedException {
        var log = kube.log(key, DiskPod.CONTAINER, false, Optional.empty());
        var json = new String(log, StandardCharsets.UTF_8).replaceAll("(?m)^\\S+ ", "");
        return Json.parse(json).asObject();
    }

    private static List<Disk> disks(ObjectTree answer) {
        return answer.objects("disks").stream().map(Disk::of).toList();
    }

    /** Those of a command that runs at the same time are younger. */
    private void removeLeftovers() throws ApiException, InterruptedException {
        var old = Instant.now().minusSeconds(DiskPod.LIFE_SECONDS);
        var selector = LABEL + "=" + DiskPod.LABELS.get(LABEL);
        var options = ListOptions.all().namespace(namespace).labels(selector);
        for (var pod : kube.list(Types.POD, options).items()) {
            if (pod.creationTimestamp().filter(old::isAfter).isPresent()) {
                kube.delete(Types.POD, pod.key(), DeleteOptions.uid(pod.uid()));
            }
        }
    }

    /** Removes all pods that it made; also while another thread waits for them. */
    public synchronized void remove() throws ApiException, InterruptedException {
        ended = true;
        while (!pods.isEmpty()) {
            kube.delete(Types.POD, pods.getLast(), DeleteOptions.any());
            pods.removeLast();
        }
    }
}
