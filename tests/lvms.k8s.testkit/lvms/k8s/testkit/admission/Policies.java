package lvms.k8s.testkit.admission;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.cel.CelException;
import lvms.k8s.testkit.cel.Program;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.store.Store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Evaluates the ValidatingAdmissionPolicies that are bound. */
public final class Policies {
    private static final String POLICIES =
            "admissionregistration.k8s.io/validatingadmissionpolicies";
    private static final String BINDINGS =
            "admissionregistration.k8s.io/validatingadmissionpolicybindings";
    private static final Set<String> VARIABLES =
            Set.of("object", "oldObject", "request", "namespaceObject", "variables", "params");

    private final Store store;
    private final Match match;

    /** Policies of a cluster. */
    public Policies(Store store) {
        this.store = store;
        match = new Match(store);
    }

    /** Lets every bound policy judge the request; adds the texts of warning policies. */
    public void validate(Request request, List<String> warnings) throws Denial {
        for (var binding : store.list(BINDINGS).objects()) {
            var policy = store.get(POLICIES, new Key("", Json.text(binding, "spec", "policyName")));
            if (policy.isPresent()) {
                judge(policy.get(), binding, request, warnings);
            }
        }
    }

    private void judge(
            JsonObject policy, JsonObject binding, Request request, List<String> warnings)
            throws Denial {
        var constraints =
                Json.object(policy, "spec", "matchConstraints").orElseGet(JsonObject::new);
        if (!match.matches(constraints, "resourceRules", request)) {
            return;
        }
        for (var parameter : parameters(policy, binding)) {
            var failure = firstFailure(policy, request, parameter);
            if (failure.isPresent()) {
                refuse(policy, binding, request, failure.get(), warnings);
            }
        }
    }

    /**
     * The parameter objects that the policy is evaluated with, one by one. A policy without a
     * parameter kind is evaluated once; one whose parameters do not exist is not evaluated.
     */
    private List<JsonElement> parameters(JsonObject policy, JsonObject binding) {
        var kind = Json.text(policy, "spec", "paramKind", "kind");
        if (kind.isEmpty()) {
            return List.of(JsonNull.INSTANCE);
        }
        var group = Json.text(policy, "spec", "paramKind", "apiVersion").replaceAll("/.*", "/");
        var namespace = Json.text(binding, "spec", "paramRef", "namespace");
        var found = new ArrayList<JsonElement>();
        for (var type : store.types()) {
            if (type.startsWith(group)) {
                store.list(type).objects().stream()
                        .filter(o -> Json.text(o, "kind").equals(kind))
                        .filter(o -> Json.text(o, "metadata", "namespace").equals(namespace))
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static void refuse(
            JsonObject policy,
            JsonObject binding,
            Request request,
            Failure failure,
            List<String> warnings)
            throws Denial {
        var text =
                "ValidatingAdmissionPolicy '"
                        + Json.text(policy, "metadata", "name")
                        + "' with binding '"
                        + Json.text(binding, "metadata", "name")
                        + "' denied request: "
                        + failure.message();
        var actions = Json.texts(binding, "spec", "validationActions");
        if (actions.contains("Deny")) {
            throw denial(failure.reason(), request, text);
        }
        if (actions.contains("Warn")) {
            warnings.add(text.replace("' denied request: ", "': "));
        }
    }

    private record Failure(String reason, String message) {}

    private Optional<Failure> firstFailure(
            JsonObject policy, Request request, JsonElement parameter) {
        boolean strict = !Json.text(policy, "spec", "failurePolicy").equals("Ignore");
        try {
            var values = variables(policy, request, parameter);
            for (var condition : Json.objects(policy, "spec", "matchConditions")) {
                if (!truth(condition, values)) {
                    return Optional.empty();
                }
            }
            for (var validation : Json.objects(policy, "spec", "validations")) {
                if (!truth(validation, values)) {
                    return Optional.of(failed(validation, values));
                }
            }
            return Optional.empty();
        } catch (CelException e) {
            return strict
                    ? Optional.of(new Failure("Invalid", "expression: " + e.getMessage()))
                    : Optional.empty();
        }
    }

    private static Failure failed(JsonObject validation, Map<String, Object> values) {
        var reason = Json.text(validation, "reason");
        var message = Json.text(validation, "message");
        var expression = Json.text(validation, "messageExpression");
        if (!expression.isEmpty()) {
            try {
                message = String.valueOf(Program.compile(expression, VARIABLES).evaluate(values));
            } catch (CelException _) {
                // The plain message stays, as in the real server.
            }
        }
        if (message.isEmpty()) {
            message = "failed expression: " + Json.text(validation, "expression");
        }
        return new Failure(reason.isEmpty() ? "Invalid" : reason, message);
    }

    private static boolean truth(JsonObject holder, Map<String, Object> values)
            throws CelException {
        var program = Program.compile(Json.text(holder, "expression"), VARIABLES);
        return Boolean.TRUE.equals(program.evaluate(values));
    }

    private Map<String, Object> variables(
            JsonObject policy, Request request, JsonElement parameter) {
        var values = new HashMap<String, Object>();
        values.put("object", Program.value(Request.orNull(request.object())));
        values.put("oldObject", Program.value(Request.orNull(request.old())));
        values.put("params", Program.value(parameter));
        values.put("request", Program.value(request.review()));
        JsonElement namespace =
                match.namespaceOf(request).map(n -> (JsonElement) n).orElse(JsonNull.INSTANCE);
        values.put("namespaceObject", Program.value(namespace));
        var named = new HashMap<String, Object>();
        values.put("variables", named);
        for (var variable : Json.objects(policy, "spec", "variables")) {
            try {
                var program = Program.compile(Json.text(variable, "expression"), VARIABLES);
                named.put(Json.text(variable, "name"), program.evaluate(values));
            } catch (CelException _) {
                continue; // It fails only where it is used.
            }
        }
        return values;
    }

    private static Denial denial(String reason, Request request, String text) {
        int code =
                switch (reason) {
                    case "Unauthorized" -> 401;
                    case "Forbidden" -> 403;
                    case "RequestEntityTooLarge" -> 413;
                    default -> 422;
                };
        var about = request.resource().qualifiedPlural() + " \"" + request.name() + "\"";
        return new Denial(code, reason, about + " is forbidden: " + text);
    }
}
