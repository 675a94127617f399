package lvms.k8s.testkit.admission;

import com.google.gson.JsonObject;

import lvms.k8s.object.LabelSelector;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.store.Store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides whether a webhook or policy wants to judge a request. */
record Match(Store store) {

    /** Checks the rules and selectors of a webhook, or of a policy's constraints. */
    boolean matches(JsonObject holder, String rules, Request request) {
        boolean ruled =
                Json.objects(holder, rules).stream().anyMatch(rule -> matches(rule, request));
        return ruled
                && selects(holder, "namespaceSelector", namespaceLabels(request))
                && (selects(holder, "objectSelector", labels(request.object()))
                        || selects(holder, "objectSelector", labels(request.old())));
    }

    private static boolean matches(JsonObject rule, Request request) {
        var resource = request.resource();
        var names = Json.texts(rule, "resourceNames");
        var scope = Json.text(rule, "scope");
        return fits(Json.texts(rule, "apiGroups"), resource.group())
                && fits(Json.texts(rule, "apiVersions"), resource.version())
                && fits(Json.texts(rule, "operations"), request.operation())
                && (names.isEmpty() || names.contains(request.name()))
                && !scope.equals(resource.namespaced() ? "Cluster" : "Namespaced")
                && Json.texts(rule, "resources").stream().anyMatch(r -> names(r, request));
    }

    private static boolean fits(List<String> patterns, String value) {
        return patterns.contains("*") || patterns.contains(value);
    }

    private static boolean names(String pattern, Request request) {
        var parts = pattern.split("/", 2);
        boolean resource = parts[0].equals("*") || parts[0].equals(request.resource().plural());
        var wanted = parts.length > 1 ? parts[1] : "";
        boolean everything = pattern.equals("*/*") || wanted.equals("*");
        return resource && (everything || wanted.equals(request.subresource()));
    }

    private static boolean selects(JsonObject holder, String name, Map<String, String> labels) {
        return Json.object(holder, name)
                .map(selector -> LabelSelector.of(Json.tree(selector)).matches(labels))
                .orElse(true);
    }

    private Map<String, String> namespaceLabels(Request request) {
        var namespace =
                request.resource().storage().equals("/namespaces")
                        ? request.object().or(request::old)
                        : namespaceOf(request);
        return labels(namespace);
    }

    /** The namespace of the request's object, if it has one. */
    Optional<JsonObject> namespaceOf(Request request) {
        return store.get("/namespaces", new Key("", request.namespace()));
    }

    private static Map<String, String> labels(Optional<JsonObject> object) {
        return object.map(Json::labels).orElse(Map.of());
    }
}
