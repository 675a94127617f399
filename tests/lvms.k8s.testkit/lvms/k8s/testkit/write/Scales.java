package lvms.k8s.testkit.write;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Resource;
import lvms.k8s.testkit.patch.MergePatch;

import java.util.List;

/** The scale subresource: the number of replicas as an object of its own. */
public final class Scales {
    private Scales() {}

    public static JsonObject of(Resource resource, JsonObject object) {
        var scale = resource.scale().orElseThrow();
        var status =
                Json.of("replicas", Json.number(object, 0, scale.statusReplicas().split("\\.")));
        if (!scale.labelSelector().isEmpty()) {
            status.addProperty("selector", Json.text(object, scale.labelSelector().split("\\.")));
        }
        var metadata = object.getAsJsonObject("metadata");
        var own = new JsonObject();
        for (var name :
                List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            if (metadata.has(name)) {
                own.add(name, metadata.get(name));
            }
        }
        return Json.of(
                "kind",
                "Scale",
                "apiVersion",
                "autoscaling/v1",
                "metadata",
                own,
                "spec",
                Json.of("replicas", Json.number(object, 0, scale.specReplicas().split("\\."))),
                "status",
                status);
    }

    /** The object with the replicas that a scale, or a patch of one, asks for. */
    public static JsonObject changed(Call call, JsonObject present, JsonElement body) {
        var scale =
                call.http().method().equals("PATCH")
                        ? MergePatch.apply(of(call.resource(), present), body)
                        : body;
        long replicas = Json.number(scale.getAsJsonObject(), 0, "spec", "replicas");
        var path = call.resource().scale().orElseThrow().specReplicas().split("\\.");
        var here = present;
        for (int i = 0; i < path.length - 1; i++) {
            here = Json.child(here, path[i]);
        }
        here.add(path[path.length - 1], new JsonPrimitive(replicas));
        return present;
    }
}
