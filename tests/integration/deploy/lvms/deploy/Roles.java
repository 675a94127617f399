package lvms.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.testkit.Faults.Seen;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a file of roles allows; the roles of kind Role hold in the one namespace of the file. */
public final class Roles {
    /** The right of an operator with {@code --cross-namespace-volume-data-source}. */
    public static final Path CROSS_NAMESPACE = Path.of("deploy/cross-namespace/rbac.yaml");

    /** The rights of an operator with {@code --nativestor}. */
    public static final Path NATIVE_STOR = Path.of("deploy/nativestor/rbac.yaml");

    /** What the operator may do. */
    public static final Path OPERATOR = Path.of("deploy/base/operator-rbac.yaml");

    /** What a node agent may do. */
    public static final Path AGENT = Path.of("deploy/base/vg-manager-rbac.yaml");

    /** What a node agent may do besides with {@code deploy/nativestor}. */
    public static final Path RAW_DEVICES = Path.of("deploy/nativestor/raw-device-rbac.yaml");

    /** What the operator needs for raw devices. */
    public static final Path RAW_DEVICE_OPERATOR =
            Path.of("deploy/nativestor/raw-device-operator-rbac.yaml");

    /** What a node agent may do with NativeStor's volumes, in the same folder. */
    public static final Path OLD_VOLUMES = Path.of("deploy/nativestor/old-volumes-rbac.yaml");

    private static final String NAMESPACE = "lvms-system";
    private static final String BY_NAME = "metadata.name=";

    private record Rule(boolean everywhere, ObjectTree tree) {
        boolean allows(Request r) {
            return (everywhere || r.namespace().equals(NAMESPACE))
                    && holds("apiGroups", r.group())
                    && holds("resources", r.resource())
                    && holds("verbs", r.verb())
                    && (!tree.has("resourceNames") || holds("resourceNames", r.name()));
        }

        private boolean holds(String list, String value) {
            return tree.at(list).asList().elements().stream()
                    .anyMatch(e -> e.asText().equals(value));
        }
    }

    /** One request as the authorizer sees it. */
    public record Request(
            String verb, String group, String resource, String namespace, String name) {
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
            var verb = verb(seen, name);
            return new Request(
                    verb, group, resource, namespace, name.isEmpty() ? selected(seen) : name);
        }

        /** A list or watch of one name counts as a request about that object. */
        private static String selected(Seen seen) {
            var selector = seen.query().getOrDefault("fieldSelector", "");
            return selector.startsWith(BY_NAME) ? selector.substring(BY_NAME.length()) : "";
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

    /** Reads files of {@code deploy/}. */
    public static Roles read(Path... files) throws IOException {
        var roles = new Roles();
        for (var file : files) {
            for (var document : Yaml.readAll(Files.readString(file))) {
                var object = KubeObject.of(document.asObject());
                boolean everywhere = object.kind().equals("ClusterRole");
                object.objects("rules").forEach(r -> roles.rules.add(new Rule(everywhere, r)));
            }
        }
        return roles;
    }

    /** Returns whether a rule allows the request. */
    public boolean allow(Request request) {
        return rules.stream().anyMatch(rule -> rule.allows(request));
    }

    /** Returns the verbs on a resource that hold in all namespaces. */
    public List<String> verbsEverywhere(String resource) {
        return rules.stream()
                .filter(Rule::everywhere)
                .filter(r -> r.holds("resources", resource))
                .flatMap(r -> r.tree().at("verbs").asList().elements().stream())
                .map(Tree::asText)
                .sorted()
                .toList();
    }

    /** Returns whether the request is about an object, rather than about what there is. */
    private static boolean isResource(Seen seen) {
        var steps = seen.target().substring(1).split("/");
        return steps[0].equals("api") && steps.length > 2
                || steps[0].equals("apis") && steps.length > 3;
    }

    /** Fails if the files do not allow a request of the client with this name. */
    public static void requireAllowed(List<Seen> seen, String client, Path... files)
            throws IOException {
        var roles = read(files);
        var refused = new TreeSet<String>();
        for (var request : seen) {
            if (isResource(request)
                    && request.headers().getOrDefault("user-agent", "").equals(client)) {
                var asked = Request.of(request);
                if (!roles.allow(asked)) {
                    refused.add(asked.toString());
                }
            }
        }
        assertEquals(Set.of(), refused);
    }
}
