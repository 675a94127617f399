package lvms.k8s.admission;

import lvms.k8s.client.JsonPatch;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * What a webhook says.
 *
 * @param refusal why the request is refused; empty if it is allowed
 * @param warnings what the caller is told, refused or not
 * @param patch what to change in the object
 */
public record AdmissionAnswer(
        Optional<String> refusal, List<String> warnings, Optional<JsonPatch> patch) {
    public AdmissionAnswer {
        warnings = List.copyOf(warnings);
    }

    public static AdmissionAnswer allowed(List<String> warnings) {
        return new AdmissionAnswer(Optional.empty(), warnings, Optional.empty());
    }

    public static AdmissionAnswer allowed() {
        return allowed(List.of());
    }

    /** kubectl shows the reason behind the webhook's name. */
    public static AdmissionAnswer denied(String reason, List<String> warnings) {
        return new AdmissionAnswer(Optional.of(reason), warnings, Optional.empty());
    }

    public static AdmissionAnswer patched(JsonPatch patch) {
        return new AdmissionAnswer(Optional.empty(), List.of(), Optional.of(patch));
    }

    /** Returns the AdmissionReview that answers a question. */
    String review(String uid) {
        var response = ObjectTree.builder().put("uid", uid).put("allowed", refusal.isEmpty());
        refusal.ifPresent(
                reason ->
                        response.put(
                                "status",
                                ObjectTree.builder()
                                        .put("code", 403)
                                        .put("reason", "Forbidden")
                                        .put("message", reason)
                                        .build()));
        if (!warnings.isEmpty()) {
            response.put("warnings", ListTree.ofTexts(warnings));
        }
        patch.ifPresent(
                operations -> {
                    var text = Json.write(operations.json()).getBytes(StandardCharsets.UTF_8);
                    response.put("patchType", "JSONPatch");
                    response.put("patch", Base64.getEncoder().encodeToString(text));
                });
        return Json.write(
                ObjectTree.builder()
                        .put("apiVersion", "admission.k8s.io/v1")
                        .put("kind", "AdmissionReview")
                        .put("response", response.build())
                        .build());
    }
}
