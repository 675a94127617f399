package lvms.k8s.testkit.kinds;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.cel.CelException;
import lvms.k8s.testkit.cel.Program;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Cause;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** ValidatingAdmissionPolicies and their bindings: what cannot be evaluated here is refused. */
final class AdmissionPolicyRules implements Rules {
    private static final Set<String> VARIABLES =
            Set.of("object", "oldObject", "request", "namespaceObject", "variables", "params");

    private static final List<String> UNSUPPORTED =
            List.of("spec.matchResources", "spec.matchConstraints.excludeResourceRules");

    @Override
    public List<Cause> validate(JsonObject policy) {
        var causes = new ArrayList<Cause>();
        for (var field : UNSUPPORTED) {
            if (Json.at(policy, field.split("\\.")).isPresent()) {
                causes.add(Cause.forbidden(field, "not supported by this server"));
            }
        }
        for (var list : List.of("variables", "matchConditions", "validations")) {
            var entries = Json.objects(policy, "spec", list);
            for (int i = 0; i < entries.size(); i++) {
                var field = "spec." + list + "[" + i + "].expression";
                compile(causes, Json.text(entries.get(i), "expression"), field);
            }
        }
        var rules = Json.objects(policy, "spec", "matchConstraints", "resourceRules");
        for (int i = 0; i < rules.size(); i++) {
            resources(causes, rules.get(i), "spec.matchConstraints.resourceRules[" + i + "]");
        }
        return causes;
    }

    private static void resources(List<Cause> causes, JsonObject rule, String place) {
        var resources = Json.texts(rule, "resources");
        if (resources.contains("*/*") && resources.size() > 1) {
            causes.add(
                    Cause.invalid(
                            place + ".resources",
                            rule.get("resources"),
                            "if '*/*' is present, must not specify other resources"));
        }
    }

    private static void compile(List<Cause> causes, String text, String field) {
        try {
            Program.compile(text, VARIABLES);
        } catch (CelException e) {
            causes.add(
                    Cause.invalid(
                            field,
                            new JsonPrimitive(text),
                            "compilation failed: " + e.getMessage()));
        }
    }
}
