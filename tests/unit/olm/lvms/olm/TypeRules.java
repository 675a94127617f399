package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a ClusterServiceVersion says of its types, beside their definitions. */
final class TypeRules {
    private static final String INITIAL = "operatorframework.io/initialization-resource";
    private static final String INTERNAL = "operators.operatorframework.io/internal-objects";

    private final KubeObject version;
    private final Map<String, ObjectTree> schemas = new HashMap<>();
    private final List<String> findings = new ArrayList<>();

    private TypeRules(KubeObject version, List<KubeObject> definitions) {
        this.version = version;
        for (var definition : definitions) {
            for (var each : definition.objects("spec", "versions")) {
                var id =
                        definition.name()
                                + " "
                                + each.text("name").orElseThrow()
                                + " "
                                + definition.text("spec", "names", "kind").orElseThrow();
                schemas.put(id, each.object("schema", "openAPIV3Schema").orElseThrow());
            }
        }
    }

    static List<String> findings(KubeObject version, List<KubeObject> definitions) {
        var rules = new TypeRules(version, definitions);
        rules.judgeOwned();
        rules.judgeExamples();
        rules.judgeInternal();
        return rules.findings;
    }

    private List<ObjectTree> owned() {
        return version.objects("spec", "customresourcedefinitions", "owned");
    }

    private static String id(ObjectTree owned) {
        return owned.text("name").orElse("")
                + " "
                + owned.text("version").orElse("")
                + " "
                + owned.text("kind").orElse("");
    }

    private void judgeOwned() {
        var seen = new HashSet<String>();
        for (var owned : owned()) {
            var id = id(owned);
            if (!seen.add(id)) {
                findings.add(id + " is owned twice");
            }
            for (var field : List.of("displayName", "description")) {
                if (owned.text(field).filter(t -> !t.isBlank()).isEmpty()) {
                    findings.add(id + " has no " + field);
                }
            }
            var schema = schemas.get(id);
            if (schema == null) {
                findings.add(id + " is owned, but has no definition");
                continue;
            }
            for (var part : List.of("spec", "status")) {
                judgeDescriptors(id, owned.objects(part + "Descriptors"), schema, part);
            }
        }
        schemas.keySet().stream()
                .filter(id -> !seen.contains(id))
                .forEach(id -> findings.add(id + " is defined, but not owned"));
    }

    private void judgeDescriptors(
            String id, List<ObjectTree> descriptors, ObjectTree schema, String part) {
        var seen = new HashSet<String>();
        for (var descriptor : descriptors) {
            var path = descriptor.text("path").orElse("");
            if (!seen.add(path)) {
                findings.add(id + ": " + part + "." + path + " is described twice");
            }
            if (descriptor.text("displayName").isEmpty()) {
                findings.add(id + ": " + part + "." + path + " has no displayName");
            }
            if (at(schema, part + "." + path).isEmpty()) {
                findings.add(id + ": " + part + "." + path + " is not in the schema");
            }
        }
    }

    private static Optional<ObjectTree> at(ObjectTree schema, String path) {
        var here = Optional.of(schema);
        for (var step : path.replace("[0]", ".[0]").split("[.]")) {
            here =
                    step.equals("[0]")
                            ? here.flatMap(s -> s.object("items"))
                            : here.flatMap(s -> s.object("properties", step));
        }
        return here;
    }

    private Optional<Tree> json(String annotation) {
        try {
            return Optional.of(Json.parse(version.annotation(annotation).orElse("")));
        } catch (JsonException e) {
            findings.add(annotation + " is not JSON");
            return Optional.empty();
        }
    }

    private void judgeExamples() {
        var examples = json("alm-examples");
        if (examples.isPresent()) {
            for (var example : examples.get().asList().objects()) {
                judgeExample("alm-examples", example);
            }
        }
        json(INITIAL).ifPresent(tree -> judgeExample(INITIAL, tree.asObject()));
    }

    private void judgeExample(String annotation, ObjectTree example) {
        var object = KubeObject.of(example);
        var schema =
                owned().stream()
                        .filter(o -> o.text("kind").equals(Optional.of(object.kind())))
                        .filter(
                                o ->
                                        object.apiVersion()
                                                .equals(
                                                        o.text("name")
                                                                        .orElse("")
                                                                        .replaceFirst(
                                                                                "^[^.]*[.]", "")
                                                                + "/"
                                                                + o.text("version").orElse("")))
                        .findFirst()
                        .map(o -> schemas.get(id(o)));
        if (schema.isEmpty()) {
            findings.add(annotation + ": " + object.kind() + " is not owned");
        } else {
            judgeFields(annotation, example.without("metadata"), schema.get());
        }
    }

    private void judgeFields(String annotation, Tree value, ObjectTree schema) {
        switch (value) {
            case ObjectTree object when schema.has("properties") ->
                    object.members()
                            .forEach(
                                    (name, child) ->
                                            schema.object("properties", name)
                                                    .ifPresentOrElse(
                                                            s -> judgeFields(annotation, child, s),
                                                            () ->
                                                                    findings.add(
                                                                            annotation
                                                                                    + ": no field "
                                                                                    + name)));
            case ListTree list ->
                    list.forEach(
                            e -> judgeFields(annotation, e, schema.object("items").orElseThrow()));
            default -> {}
        }
    }

    private void judgeInternal() {
        json(INTERNAL)
                .ifPresent(
                        names -> {
                            for (var name : names.asList().texts()) {
                                if (owned().stream()
                                        .noneMatch(o -> o.text("name").orElse("").equals(name))) {
                                    findings.add(INTERNAL + ": " + name + " is not owned");
                                }
                            }
                        });
    }
}
