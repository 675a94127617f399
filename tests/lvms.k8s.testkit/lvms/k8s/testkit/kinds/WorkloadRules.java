package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.object.LabelSelector;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Cause;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * DaemonSets, Deployments, StatefulSets, ReplicaSets: a template, and a selector that matches it.
 */
record WorkloadRules(String plural) implements Rules {
    @Override
    public void prepareCreate(JsonObject workload) {
        Json.object(workload, "spec", "template", "spec").ifPresent(PodRules::completeSpec);
        completeStrategy(workload);
        addRevision(workload);
        workload.add("status", initialStatus());
    }

    @Override
    public void prepareUpdate(JsonObject workload, JsonObject old) {
        Json.object(workload, "spec", "template", "spec").ifPresent(PodRules::completeSpec);
        completeStrategy(workload);
    }

    /** A rolling update without numbers gets the usual defaults. */
    private void completeStrategy(JsonObject workload) {
        var field = plural.equals("daemonsets") ? "updateStrategy" : "strategy";
        Json.object(workload, "spec", field)
                .filter(s -> Json.text(s, "type").equals("RollingUpdate"))
                .filter(s -> !s.has("rollingUpdate"))
                .ifPresent(
                        s ->
                                s.add(
                                        "rollingUpdate",
                                        plural.equals("daemonsets")
                                                ? Json.of("maxUnavailable", 1, "maxSurge", 0)
                                                : Json.of(
                                                        "maxUnavailable", "25%",
                                                        "maxSurge", "25%")));
    }

    private void addRevision(JsonObject workload) {
        if (plural.equals("daemonsets")) {
            var annotations = Json.child(workload.getAsJsonObject("metadata"), "annotations");
            Checks.fill(annotations, "deprecated.daemonset.template.generation", "1");
        }
    }

    private JsonObject initialStatus() {
        return switch (plural) {
            case "daemonsets" ->
                    Json.of(
                            "currentNumberScheduled", 0,
                            "desiredNumberScheduled", 0,
                            "numberMisscheduled", 0,
                            "numberReady", 0);
            case "statefulsets" -> Json.of("replicas", 0, "availableReplicas", 0);
            case "replicasets" -> Json.of("replicas", 0);
            default -> new JsonObject();
        };
    }

    @Override
    public List<Cause> validate(JsonObject workload) {
        var causes = new ArrayList<Cause>();
        var template = Json.object(workload, "spec", "template").orElseGet(JsonObject::new);
        var labels = Json.object(template, "metadata", "labels").orElseGet(JsonObject::new);
        Json.object(workload, "spec", "selector")
                .filter(selector -> !matches(selector, labels))
                .ifPresent(
                        _ ->
                                causes.add(
                                        Cause.invalid(
                                                "spec.template.metadata.labels",
                                                labels,
                                                "`selector` does not match template `labels`")));
        Json.object(template, "spec")
                .ifPresent(
                        spec -> causes.addAll(PodRules.validateSpec(spec, "spec.template.spec")));
        if (Json.number(workload, 0, "spec", "replicas") < 0) {
            causes.add(
                    Cause.invalid(
                            "spec.replicas",
                            new JsonPrimitive(Json.number(workload, 0, "spec", "replicas")),
                            "must be greater than or equal to 0"));
        }
        return causes;
    }

    private static boolean matches(JsonObject selector, JsonObject labels) {
        var map = new HashMap<String, String>();
        labels.entrySet().forEach(e -> map.put(e.getKey(), e.getValue().getAsString()));
        return LabelSelector.of(Json.tree(selector)).matches(map);
    }

    @Override
    public List<Cause> validateUpdate(JsonObject workload, JsonObject old) {
        var causes = new ArrayList<Cause>();
        Checks.immutable(causes, workload, old, "spec.selector", "spec.selector");
        return causes;
    }
}
