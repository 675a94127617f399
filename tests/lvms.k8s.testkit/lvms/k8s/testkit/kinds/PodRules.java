package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Cause;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Pods: hardly anything may change after creation; deleting one takes its grace period. */
final class PodRules implements Rules {
    private static final String IMMUTABLE =
            "pod updates may not change fields other than"
                    + " `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing"
                    + " tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1"
                    + " if it was previously negative)\n";

    @Override
    public void prepareCreate(JsonObject pod) {
        pod.add("status", Json.of("phase", "Pending", "qosClass", "BestEffort"));
        var spec = Json.child(pod, "spec");
        Checks.fill(spec, "serviceAccountName", "default");
        completeSpec(spec);
        if (!spec.has("priority")) {
            spec.addProperty("priority", 0);
        }
    }

    /** Completes a pod's spec, in pods and in templates. */
    static void completeSpec(JsonObject spec) {
        for (var list : List.of("initContainers", "containers")) {
            for (var container : Json.objects(spec, list)) {
                var image = Json.text(container, "image");
                var tag = image.substring(image.lastIndexOf('/') + 1);
                boolean latest =
                        !tag.contains(":") && !tag.contains("@") || tag.endsWith(":latest");
                Checks.fill(container, "imagePullPolicy", latest ? "Always" : "IfNotPresent");
                copyLimits(container);
            }
        }
        if (spec.has("serviceAccountName")) {
            spec.add("serviceAccount", spec.get("serviceAccountName"));
        }
    }

    /** A limit without a request is also the request. */
    private static void copyLimits(JsonObject container) {
        Json.object(container, "resources", "limits")
                .ifPresent(
                        limits -> {
                            var requests =
                                    Json.child(container.getAsJsonObject("resources"), "requests");
                            limits.entrySet().stream()
                                    .filter(e -> !requests.has(e.getKey()))
                                    .forEach(e -> requests.add(e.getKey(), e.getValue()));
                        });
    }

    @Override
    public void prepareUpdate(JsonObject pod, JsonObject old) {
        completeSpec(Json.child(pod, "spec"));
    }

    @Override
    public List<Cause> validate(JsonObject pod) {
        return validateSpec(pod.getAsJsonObject("spec"), "spec");
    }

    static List<Cause> validateSpec(JsonObject spec, String field) {
        var causes = new ArrayList<Cause>();
        var containers = Json.objects(spec, "containers");
        if (containers.isEmpty()) {
            causes.add(Cause.required(field + ".containers", ""));
        }
        var volumes = new HashSet<String>();
        var named = Json.objects(spec, "volumes");
        for (int i = 0; i < named.size(); i++) {
            var name = Json.text(named.get(i), "name");
            if (!volumes.add(name)) {
                causes.add(
                        Cause.duplicate(
                                field + ".volumes[" + i + "].name", new JsonPrimitive(name)));
            }
        }
        for (var list : List.of("initContainers", "containers")) {
            validateContainers(causes, Json.objects(spec, list), volumes, field + "." + list);
        }
        return causes;
    }

    private static void validateContainers(
            List<Cause> causes, List<JsonObject> containers, Set<String> volumes, String field) {
        var names = new HashSet<String>();
        for (int i = 0; i < containers.size(); i++) {
            var at = field + "[" + i + "]";
            var container = containers.get(i);
            if (Json.text(container, "image").isEmpty()) {
                causes.add(Cause.required(at + ".image", ""));
            }
            var name = Json.text(container, "name");
            if (!names.add(name)) {
                causes.add(Cause.duplicate(at + ".name", new JsonPrimitive(name)));
            }
            var mounts = Json.objects(container, "volumeMounts");
            for (int m = 0; m < mounts.size(); m++) {
                var volume = Json.text(mounts.get(m), "name");
                if (!volumes.contains(volume)) {
                    causes.add(
                            new Cause(
                                    "FieldValueNotFound",
                                    "Not found: \"" + volume + "\"",
                                    at + ".volumeMounts[" + m + "].name"));
                }
            }
        }
    }

    @Override
    public List<Cause> validateUpdate(JsonObject pod, JsonObject old) {
        if (Objects.equals(fixed(pod), fixed(old))) {
            return List.of();
        }
        return List.of(Cause.forbidden("spec", IMMUTABLE));
    }

    private static JsonObject fixed(JsonObject pod) {
        var spec = Json.child(pod, "spec").deepCopy();
        for (var list : List.of("initContainers", "containers")) {
            Json.objects(spec, list).forEach(container -> container.remove("image"));
        }
        for (var name : List.of("activeDeadlineSeconds", "tolerations", "ephemeralContainers")) {
            spec.remove(name);
        }
        return spec;
    }

    /** A pod on a node gets its grace period; one that was never scheduled goes at once. */
    @Override
    public long gracePeriodSeconds(JsonObject pod) {
        var phase = Json.text(pod, "status", "phase");
        if (Json.text(pod, "spec", "nodeName").isEmpty()
                || phase.equals("Failed")
                || phase.equals("Succeeded")) {
            return 0;
        }
        return Json.number(pod, 30, "spec", "terminationGracePeriodSeconds");
    }

    @Override
    public Set<String> subresources() {
        return Set.of("binding");
    }
}
