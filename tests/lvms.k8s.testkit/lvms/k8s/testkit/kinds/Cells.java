package lvms.k8s.testkit.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cells of built-in tables that are more than one field. */
public final class Cells {
    private static final String NONE = "<none>";
    private static final Map<String, String> MODES =
            Map.of(
                    "ReadWriteOnce", "RWO",
                    "ReadOnlyMany", "ROX",
                    "ReadWriteMany", "RWX",
                    "ReadWriteOncePod", "RWOP");

    private Cells() {}

    public static JsonElement of(String name, JsonObject object) {
        return switch (name) {
            case "podRestarts" -> number(restarts(object));
            case "dataCount" -> number(size(object, "data") + size(object, "binaryData"));
            case "secretCount" -> number(Json.list(object, "secrets").size());
            case "driverCount" -> number(Json.list(object, "spec", "drivers").size());
            case "webhookCount" -> number(Json.list(object, "webhooks").size());
            case "validationCount" -> number(Json.list(object, "spec", "validations").size());
            default -> new JsonPrimitive(text(name, object));
        };
    }

    private static String text(String name, JsonObject object) {
        return switch (name) {
            case "nodeStatus" -> nodeStatus(object);
            case "nodeRoles" -> nodeRoles(object);
            case "nodeAddress" -> nodeAddress(object);
            case "podReady" -> podReady(object);
            case "podStatus" -> podStatus(object);
            case "podAddress" -> orNone(Json.text(object, "status", "podIP"));
            case "podNode" -> orNone(Json.text(object, "spec", "nodeName"));
            case "attributesClass" -> attributesClass(object);
            case "claimStatus" -> phase(object);
            case "volumeStatus" -> phase(object);
            case "claimModes" -> modes(Json.texts(object, "status", "accessModes"));
            case "volumeModes" -> modes(Json.texts(object, "spec", "accessModes"));
            case "volumeClaim" -> volumeClaim(object);
            case "classExpansion" -> Boolean.toString(Json.flag(object, "allowVolumeExpansion"));
            case "driverModes" ->
                    String.join(",", Json.texts(object, "spec", "volumeLifecycleModes"));
            case "servicePorts" -> servicePorts(object);
            case "nodeSelector" -> nodeSelector(object);
            case "replicasReady" ->
                    Json.number(object, 0, "status", "readyReplicas")
                            + "/"
                            + Json.number(object, 0, "spec", "replicas");
            case "roleRef" ->
                    Json.text(object, "roleRef", "kind")
                            + "/"
                            + Json.text(object, "roleRef", "name");
            case "eventObject" ->
                    Json.text(object, "involvedObject", "kind").toLowerCase(Locale.ROOT)
                            + "/"
                            + Json.text(object, "involvedObject", "name");
            case "eventSeen" -> eventSeen(object);
            default -> NONE;
        };
    }

    private static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    private static String attributesClass(JsonObject object) {
        var name = Json.text(object, "spec", "volumeAttributesClassName");
        return name.isEmpty() ? "<unset>" : name;
    }

    private static String phase(JsonObject object) {
        return leaving(object) ? "Terminating" : Json.text(object, "status", "phase");
    }

    private static String nodeStatus(JsonObject node) {
        var ready =
                CustomResources.condition(node, "Ready")
                        .map(c -> Json.text(c, "status").equals("True") ? "Ready" : "NotReady")
                        .orElse("Unknown");
        return Json.flag(node, "spec", "unschedulable") ? ready + ",SchedulingDisabled" : ready;
    }

    private static String nodeRoles(JsonObject node) {
        var prefix = "node-role.kubernetes.io/";
        var roles =
                Json.object(node, "metadata", "labels").orElseGet(JsonObject::new).keySet().stream()
                        .filter(label -> label.startsWith(prefix))
                        .map(label -> label.substring(prefix.length()))
                        .sorted()
                        .toList();
        return roles.isEmpty() ? NONE : String.join(",", roles);
    }

    private static String nodeAddress(JsonObject node) {
        return Json.objects(node, "status", "addresses").stream()
                .filter(a -> Json.text(a, "type").equals("InternalIP"))
                .map(a -> Json.text(a, "address"))
                .findFirst()
                .orElse(NONE);
    }

    private static String podReady(JsonObject pod) {
        long ready =
                Json.objects(pod, "status", "containerStatuses").stream()
                        .filter(s -> Json.flag(s, "ready"))
                        .count();
        return ready + "/" + Json.list(pod, "spec", "containers").size();
    }

    private static String podStatus(JsonObject pod) {
        if (leaving(pod)) {
            return "Terminating";
        }
        for (var status : Json.objects(pod, "status", "containerStatuses")) {
            var waiting = Json.text(status, "state", "waiting", "reason");
            if (!waiting.isEmpty()) {
                return waiting;
            }
        }
        var reason = Json.text(pod, "status", "reason");
        return reason.isEmpty() ? Json.text(pod, "status", "phase") : reason;
    }

    private static long restarts(JsonObject pod) {
        return Json.objects(pod, "status", "containerStatuses").stream()
                .mapToLong(s -> Json.number(s, 0, "restartCount"))
                .sum();
    }

    private static String modes(List<String> modes) {
        return String.join(",", modes.stream().map(m -> MODES.getOrDefault(m, m)).toList());
    }

    private static String volumeClaim(JsonObject volume) {
        return Json.object(volume, "spec", "claimRef")
                .map(c -> Json.text(c, "namespace") + "/" + Json.text(c, "name"))
                .orElse("");
    }

    private static String servicePorts(JsonObject service) {
        var ports = new ArrayList<String>();
        for (var port : Json.objects(service, "spec", "ports")) {
            ports.add(Json.number(port, 0, "port") + "/" + Json.text(port, "protocol"));
        }
        return ports.isEmpty() ? NONE : String.join(",", ports);
    }

    private static String nodeSelector(JsonObject daemonSet) {
        var pairs = new ArrayList<String>();
        Json.object(daemonSet, "spec", "template", "spec", "nodeSelector")
                .ifPresent(
                        selector ->
                                selector.entrySet()
                                        .forEach(
                                                e ->
                                                        pairs.add(
                                                                e.getKey()
                                                                        + "="
                                                                        + e.getValue()
                                                                                .getAsString())));
        return pairs.isEmpty() ? NONE : String.join(",", pairs);
    }

    private static String eventSeen(JsonObject event) {
        for (var path : List.of("lastTimestamp", "eventTime", "firstTimestamp")) {
            var time = Json.text(event, path);
            if (!time.isEmpty()) {
                return Ages.since(time);
            }
        }
        return "<unknown>";
    }

    private static boolean leaving(JsonObject object) {
        return Json.at(object, "metadata", "deletionTimestamp").isPresent();
    }

    private static int size(JsonObject object, String field) {
        return Json.object(object, field).map(JsonObject::size).orElse(0);
    }

    private static JsonPrimitive number(long value) {
        return new JsonPrimitive(value);
    }
}
