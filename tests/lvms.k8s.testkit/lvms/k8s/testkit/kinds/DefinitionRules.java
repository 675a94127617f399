package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.JsonPath;
import lvms.k8s.testkit.schema.Cause;
import lvms.k8s.testkit.schema.StructuralChecks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** CustomResourceDefinitions: completes names, and checks schemas before they are served. */
final class DefinitionRules implements Rules {
    private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    @Override
    public List<String> finalizers() {
        return List.of(CLEANUP);
    }

    @Override
    public void prepareCreate(JsonObject definition) {
        completeNames(definition);
        definition.add(
                "status",
                Json.of(
                        "conditions", Json.arrayOf(),
                        "acceptedNames", Json.of("plural", "", "kind", ""),
                        "storedVersions", Json.arrayOf(storageVersion(definition))));
    }

    @Override
    public void prepareUpdate(JsonObject definition, JsonObject old) {
        completeNames(definition);
    }

    private static void completeNames(JsonObject definition) {
        var names = Json.child(Json.child(definition, "spec"), "names");
        var kind = Json.text(names, "kind");
        if (!kind.isEmpty()) {
            Checks.fill(names, "singular", kind.toLowerCase(Locale.ROOT));
            Checks.fill(names, "listKind", kind + "List");
        }
    }

    private static String storageVersion(JsonObject definition) {
        return Json.objects(definition, "spec", "versions").stream()
                .filter(v -> Json.flag(v, "storage"))
                .map(v -> Json.text(v, "name"))
                .findFirst()
                .orElse("");
    }

    @Override
    public List<Cause> validate(JsonObject definition) {
        var causes = new ArrayList<Cause>();
        var group = Json.text(definition, "spec", "group");
        var wanted = Json.text(definition, "spec", "names", "plural") + "." + group;
        var name = Json.text(definition, "metadata", "name");
        if (!name.equals(wanted)) {
            causes.add(
                    Cause.invalid(
                            "metadata.name",
                            new JsonPrimitive(name),
                            "must be spec.names.plural+\".\"+spec.group"));
        }
        checkApproval(causes, definition, group);
        Checks.oneOf(causes, definition, List.of("Cluster", "Namespaced"), "spec.scope");
        checkVersions(causes, definition);
        if (!List.of("", "None")
                .contains(Json.text(definition, "spec", "conversion", "strategy"))) {
            causes.add(
                    Cause.forbidden(
                            "spec.conversion.strategy", "this server converts nothing but None"));
        }
        return causes;
    }

    private static void checkApproval(List<Cause> causes, JsonObject definition, String group) {
        boolean ours = group.endsWith(".k8s.io") || group.endsWith(".kubernetes.io");
        var approval = "api-approved.kubernetes.io";
        boolean said = !Json.text(definition, "metadata", "annotations", approval).isEmpty();
        if (ours && !said) {
            causes.add(
                    Cause.required(
                            "metadata.annotations[" + approval + "]",
                            "protected groups must have approval annotation \""
                                    + approval
                                    + "\", see"
                                    + " https://github.com/kubernetes/enhancements/pull/1111"));
        }
    }

    private static void checkVersions(List<Cause> causes, JsonObject definition) {
        var versions = Json.objects(definition, "spec", "versions");
        long stored = versions.stream().filter(v -> Json.flag(v, "storage")).count();
        if (stored != 1) {
            causes.add(
                    Cause.invalid(
                            "spec.versions",
                            Json.list(definition, "spec", "versions").isEmpty()
                                    ? Json.arrayOf()
                                    : definition.getAsJsonObject("spec").get("versions"),
                            "must have exactly one version marked as storage version"));
        }
        checkSchemas(causes, versions);
        for (int i = 0; i < versions.size(); i++) {
            checkColumns(causes, versions.get(i), "spec.versions[" + i + "]");
        }
    }

    /**
     * If all versions have the same schema, errors name it by its old path, {@code
     * spec.validation}.
     */
    private static void checkSchemas(List<Cause> causes, List<JsonObject> versions) {
        var schemas =
                versions.stream().map(v -> Json.object(v, "schema", "openAPIV3Schema")).toList();
        boolean same = schemas.stream().distinct().count() == 1;
        for (int i = 0; i < (same ? 1 : schemas.size()); i++) {
            var field =
                    same
                            ? "spec.validation.openAPIV3Schema"
                            : "spec.versions[" + i + "].schema.openAPIV3Schema";
            if (schemas.get(i).isEmpty()) {
                causes.add(Cause.required(field, "schemas are required"));
            } else {
                StructuralChecks.check(schemas.get(i).get(), field, causes);
            }
        }
    }

    private static void checkColumns(List<Cause> causes, JsonObject version, String field) {
        var columns = Json.objects(version, "additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            var path = Json.text(columns.get(i), "jsonPath");
            if (!JsonPath.supported(path)) {
                causes.add(
                        Cause.invalid(
                                field + ".additionalPrinterColumns[" + i + "].jsonPath",
                                new JsonPrimitive(path),
                                "is not a JSONPath this server supports"));
            }
        }
    }

    @Override
    public List<Cause> validateUpdate(JsonObject definition, JsonObject old) {
        var causes = new ArrayList<Cause>();
        Checks.immutable(causes, definition, old, "spec.scope", "spec.scope");
        Checks.immutable(causes, definition, old, "spec.group", "spec.group");
        for (var name : List.of("kind", "plural")) {
            Checks.immutable(causes, definition, old, "spec.names." + name, "spec.names." + name);
        }
        return causes;
    }
}
