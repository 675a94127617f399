package lvms.k8s.testkit.write;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.store.Key;

import java.time.Instant;

/** Puts pods onto nodes, once. */
public record Bindings(Cluster cluster) {
    private static final String PODS = "/pods";

    /** Binds a pod to the node that is the target of the binding. */
    public void bind(Key pod, JsonObject binding) {
        var node = Json.text(binding, "target", "name");
        var pods = cluster.registry().find("", "v1", "pods").orElseThrow();
        while (true) {
            var present =
                    cluster.get(pods, pod).orElseThrow(() -> Refusal.notFound(pods, pod.name()));
            var already = Json.text(present, "spec", "nodeName");
            if (Cluster.terminating(present)) {
                throw Refusal.conflict(
                        pods,
                        pod.name(),
                        "pod " + pod.name() + " is being deleted, cannot be assigned to a host");
            }
            if (!already.isEmpty()) {
                throw Refusal.conflict(
                        pods,
                        pod.name(),
                        "pod " + pod.name() + " is already assigned to node \"" + already + "\"");
            }
            if (cluster.store().replace(PODS, pod, present, bound(present, node)).isPresent()) {
                return;
            }
        }
    }

    private static JsonObject bound(JsonObject present, String node) {
        var pod = present.deepCopy();
        pod.getAsJsonObject("spec").addProperty("nodeName", node);
        var status = Json.child(pod, "status");
        var conditions = new JsonArray();
        Json.objects(status, "conditions").stream()
                .filter(c -> !Json.text(c, "type").equals("PodScheduled"))
                .forEach(conditions::add);
        conditions.add(
                Json.of(
                        "type", "PodScheduled",
                        "status", "True",
                        "lastTransitionTime", Scalars.time(Instant.now())));
        status.add("conditions", conditions);
        return pod;
    }
}
