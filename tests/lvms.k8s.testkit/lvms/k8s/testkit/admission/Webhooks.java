package lvms.k8s.testkit.admission;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;

import lvms.k8s.testkit.cel.CelException;
import lvms.k8s.testkit.cel.Program;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.patch.JsonPatch;
import lvms.k8s.testkit.patch.PatchFailure;
import lvms.k8s.testkit.store.Store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls the admission webhooks that are configured. */
public final class Webhooks {
    private static final String GROUP = "admissionregistration.k8s.io/";
    private static final Set<String> VARIABLES = Set.of("object", "oldObject", "request");

    private final Store store;
    private final Match match;
    private final WebhookCall calls;

    /** Webhooks of a cluster; {@code calls} knows how to reach them. */
    public Webhooks(Store store, WebhookCall calls) {
        this.store = store;
        this.calls = calls;
        match = new Match(store);
    }

    /** Lets the mutating webhooks change the new state, one after another. */
    public JsonObject mutate(Request request, List<String> warnings) throws Denial {
        var current = request;
        for (var webhook : matching("mutatingwebhookconfigurations", request)) {
            var response = call(webhook, current, warnings);
            if (response.has("patch")) {
                current = current.with(patched(webhook, current, response));
            }
        }
        return current.object().orElseGet(JsonObject::new);
    }

    /** Lets the validating webhooks judge the request. */
    public void validate(Request request, List<String> warnings) throws Denial {
        for (var webhook : matching("validatingwebhookconfigurations", request)) {
            call(webhook, request, warnings);
        }
    }

    private List<JsonObject> matching(String plural, Request request) throws Denial {
        var result = new ArrayList<JsonObject>();
        if (request.resource().group().equals("admissionregistration.k8s.io")) {
            return result; // Otherwise a broken webhook could never be removed.
        }
        for (var configuration : store.list(GROUP + plural).objects()) {
            for (var webhook : Json.objects(configuration, "webhooks")) {
                if (match.matches(webhook, "rules", request) && conditions(webhook, request)) {
                    result.add(webhook);
                }
            }
        }
        return result;
    }

    private static boolean conditions(JsonObject webhook, Request request) throws Denial {
        for (var condition : Json.objects(webhook, "matchConditions")) {
            var values =
                    Map.of(
                            "object", Program.value(Request.orNull(request.object())),
                            "oldObject", Program.value(Request.orNull(request.old())),
                            "request", Program.value(request.review()));
            try {
                var program = Program.compile(Json.text(condition, "expression"), VARIABLES);
                if (!Boolean.TRUE.equals(program.evaluate(values))) {
                    return false;
                }
            } catch (CelException e) {
                throw new Denial(500, "InternalError", "match condition: " + e.getMessage());
            }
        }
        return true;
    }

    /** The response, if the request is allowed or the failure may be ignored. */
    private JsonObject call(JsonObject webhook, Request request, List<String> warnings)
            throws Denial {
        var name = Json.text(webhook, "name");
        if (request.dryRun()
                && !Set.of("None", "NoneOnDryRun").contains(Json.text(webhook, "sideEffects"))) {
            throw new Denial(
                    400,
                    "BadRequest",
                    "admission webhook \"" + name + "\" does not support dry run");
        }
        var sent = request.review();
        try {
            var response = response(calls.send(webhook, review(sent)), sent);
            Json.texts(response, "warnings").forEach(warnings::add);
            if (!Json.flag(response, "allowed")) {
                throw denied(name, response);
            }
            return response;
        } catch (IOException e) {
            if (Json.text(webhook, "failurePolicy").equals("Ignore")) {
                return new JsonObject();
            }
            throw new Denial(
                    500,
                    "InternalError",
                    "Internal error occurred: failed calling webhook \""
                            + name
                            + "\": failed to call webhook: "
                            + e.getMessage());
        }
    }

    private static JsonObject review(JsonObject request) {
        return Json.of(
                "kind", "AdmissionReview",
                "apiVersion", "admission.k8s.io/v1",
                "request", request);
    }

    private static JsonObject response(String body, JsonObject request) throws IOException {
        try {
            var review = Json.parse(body).root().getAsJsonObject();
            var response =
                    Json.object(review, "response")
                            .orElseThrow(() -> new IOException("webhook response was absent"));
            if (!Json.text(response, "uid").equals(Json.text(request, "uid"))) {
                throw new IOException(
                        "expected response.uid=\"" + Json.text(request, "uid") + "\"");
            }
            if (!Json.text(review, "kind").equals("AdmissionReview")
                    || !Json.text(review, "apiVersion").equals("admission.k8s.io/v1")) {
                throw new IOException("expected webhook response of admission.k8s.io/v1");
            }
            return response;
        } catch (JsonParseException | IllegalStateException e) {
            throw new IOException("not an AdmissionReview: " + e.getMessage(), e);
        }
    }

    private static Denial denied(String name, JsonObject response) {
        var message = Json.text(response, "status", "message");
        var reason = Json.text(response, "status", "reason");
        var why = message.isEmpty() ? reason : message;
        var text = "admission webhook \"" + name + "\" denied the request";
        text += why.isEmpty() ? " without explanation" : ": " + why;
        long code = Json.number(response, 0, "status", "code");
        return new Denial(
                code >= 400 ? (int) code : 400,
                reason.isEmpty() ? (code == 403 ? "Forbidden" : "BadRequest") : reason,
                text);
    }

    private static JsonObject patched(JsonObject webhook, Request request, JsonObject response)
            throws Denial {
        var text =
                new String(
                        Base64.getDecoder().decode(Json.text(response, "patch")),
                        StandardCharsets.UTF_8);
        try {
            var patch = Json.parse(text).root().getAsJsonArray();
            var object = request.object().orElseThrow();
            return JsonPatch.apply(object, patch).getAsJsonObject();
        } catch (PatchFailure | JsonParseException | IllegalStateException e) {
            throw new Denial(
                    500,
                    "InternalError",
                    "Internal error occurred: webhook \""
                            + Json.text(webhook, "name")
                            + "\" answered a patch that does not apply: "
                            + e.getMessage());
        }
    }
}
