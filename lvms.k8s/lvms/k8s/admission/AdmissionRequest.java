package lvms.k8s.admission;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import java.util.Optional;

/**
 * A request to the API server that a webhook is asked about.
 *
 * @param uid names the question
 * @param operation {@code CREATE}, {@code UPDATE}, {@code DELETE} or {@code CONNECT}
 * @param namespace empty for objects of the cluster
 * @param object what it would be; empty for deletions
 * @param old what it is; empty for creations
 */
public record AdmissionRequest(
        String uid,
        String operation,
        String namespace,
        Optional<KubeObject> object,
        Optional<KubeObject> old) {
    /**
     * Reads an AdmissionReview.
     *
     * @throws IllegalArgumentException if it is none
     * @throws JsonException if it is not JSON
     */
    static AdmissionRequest of(String review) {
        if (!(Json.parse(review) instanceof ObjectTree read)) {
            throw new IllegalArgumentException("expected an object");
        }
        var request =
                read.object("request")
                        .orElseThrow(() -> new IllegalArgumentException("no request in it"));
        return new AdmissionRequest(
                request.text("uid").orElse(""),
                request.text("operation").orElse(""),
                request.text("namespace").orElse(""),
                object(request, "object"),
                object(request, "oldObject"));
    }

    private static Optional<KubeObject> object(ObjectTree request, String member) {
        return request.object(member).map(KubeObject::of);
    }
}
