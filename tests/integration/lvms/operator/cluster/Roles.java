package lvms.operator.cluster;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;
import lvms.tests.apiserver.Faults.Seen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a file of roles allows; the roles of kind Role hold in the one namespace of the file. */
final class Roles {
    private static final String NAMESPACE = "lvms-system";

    private record Rule(boolean everywhere, JsonObject tree) {
        boolean allows(Request r) {
            return (everywhere || r.namespace().equals(NAMESPACE))
                    && holds("apiGroups", r.group())
                    && holds("resources", r.resource())
                    && holds("verbs", r.verb())
                    && (!tree.has("resourceNames") || holds("resourceNames", r.name()));
        }

        private boolean holds(String list, String value) {
            return tree.getAsJsonArray(list).asList().stream()
                    .anyMatch(e -> e.getAsString().equals(value));
        }
    }

    /** One request as the authorizer sees it. */
    record Request(String verb, String group, String resource, String namespace, String name) {
        static Request of(Seen seen) {
            var steps = new ArrayList<>(Arrays.asList(seen.target().substring(1).split("/")));
            var group = steps.removeFirst().equals("apis") ? steps.removeFirst() : "";
            steps.removeFirst(); // version
            var namespace = "";
            if (steps.size() > 2 && steps.getFirst().equals("namespaces")) {
                steps.removeFirst();
                namespace = steps.removeFirst();
            }
            var resource = steps.removeFirst();
            var name = steps.isEmpty() ? "" : steps.removeFirst();
            if (!steps.isEmpty()) {
                resource += "/" + steps.getFirst();
            }
            return new Request(verb(seen, name), group, resource, namespace, name);
        }

        private static String verb(Seen seen, String name) {
            return switch (seen.method()) {
                case "POST" -> "create";
                case "PATCH" -> "patch";
                case "PUT" -> "update";
                case "DELETE" -> "delete";
                default ->
                        seen.query().containsKey("watch")
                                ? "watch"
                                : name.isEmpty() ? "list" : "get";
            };
        }
    }

    private final List<Rule> rules = new ArrayList<>();

    static Roles read(Path file) throws IOException {
        var roles = new Roles();
        for (var document : Yaml.readAll(Files.readString(file))) {
            var object = KubeObject.of(document.getAsJsonObject());
            boolean everywhere = object.kind().equals("ClusterRole");
            object.objects("rules").forEach(r -> roles.rules.add(new Rule(everywhere, r)));
        }
        return roles;
    }

    /** Returns whether a rule allows the request. */
    boolean allow(Request request) {
        return rules.stream().anyMatch(rule -> rule.allows(request));
    }

    /** Returns the verbs on a resource that hold in all namespaces. */
    List<String> verbsEverywhere(String resource) {
        return rules.stream()
                .filter(Rule::everywhere)
                .filter(r -> r.holds("resources", resource))
                .flatMap(r -> r.tree().getAsJsonArray("verbs").asList().stream())
                .map(JsonElement::getAsString)
                .sorted()
                .toList();
    }

    /** Returns whether the request is about an object, rather than about what there is. */
    static boolean isResource(Seen seen) {
        var steps = seen.target().substring(1).split("/");
        return steps[0].equals("api") && steps.length > 2
                || steps[0].equals("apis") && steps.length > 3;
    }

    /** Returns who wrote, empty for reads and deletions. */
    static String writer(Seen seen) {
        var manager = seen.query().get("fieldManager");
        return manager == null ? "" : manager;
    }
}
