package lvms.k8s.testkit.read;

import com.google.gson.JsonObject;

import lvms.k8s.object.FieldSelector;
import lvms.k8s.object.LabelSelector;
import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.json.Json;

import java.util.Optional;

/** Which objects of a resource a list or watch is about. */
record Selection(Call call, LabelSelector labels, FieldSelector fields) {

    static Selection of(Call call) {
        var fields = parseFields(call.http().parameter("fieldSelector"));
        for (var term : fields.terms()) {
            if (place(call, term.field()).isEmpty()) {
                throw Refusal.badRequest(unknown(call, term.field()));
            }
        }
        return new Selection(call, parseLabels(call.http().parameter("labelSelector")), fields);
    }

    /** Types with selectable fields of their own use another wording than the rest. */
    private static String unknown(Call call, String label) {
        var resource = call.resource();
        return resource.selectable().isEmpty() && resource.builtin()
                ? ("\"%s\" is not a known field selector: only \"metadata.name\","
                                + " \"metadata.namespace\"")
                        .formatted(label)
                : "field label not supported: " + label;
    }

    private static LabelSelector parseLabels(String text) {
        try {
            return text.isBlank() ? LabelSelector.EVERYTHING : LabelSelector.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest("unable to parse requirement: " + e.getMessage());
        }
    }

    private static FieldSelector parseFields(String text) {
        try {
            return text.isBlank() ? FieldSelector.EVERYTHING : FieldSelector.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest("invalid field selector: " + e.getMessage());
        }
    }

    /** Whether the selection has no selector. */
    boolean everything() {
        return labels.requirements().isEmpty() && fields.terms().isEmpty();
    }

    boolean matches(JsonObject object) {
        if (call.resource().namespaced()
                && !call.namespace().isEmpty()
                && !call.namespace().equals(Json.text(object, "metadata", "namespace"))) {
            return false;
        }
        if (!call.name().isEmpty() && !call.name().equals(Json.text(object, "metadata", "name"))) {
            return false;
        }
        return labels.matches(Json.labels(object))
                && fields.terms().stream().allMatch(term -> matches(object, term));
    }

    private boolean matches(JsonObject object, FieldSelector.Term term) {
        var path = place(call, term.field()).orElseThrow().split("\\.");
        var value =
                Json.at(object, path)
                        .filter(e -> e.isJsonPrimitive())
                        .map(e -> e.getAsString())
                        .orElse("");
        return value.equals(term.value()) == term.equal();
    }

    private static Optional<String> place(Call call, String label) {
        boolean metadata =
                label.equals("metadata.name")
                        || label.equals("metadata.namespace") && call.resource().namespaced();
        return metadata
                ? Optional.of(label)
                : Optional.ofNullable(call.resource().selectable().get(label));
    }
}
