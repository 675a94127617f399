package lvms.k8s.admission;

import lvms.k8s.client.ApiException;

/** Judges requests to the API server, before they take effect. Any thread calls. */
@FunctionalInterface
public interface Admission {
    /**
     * Judges a request.
     *
     * @throws ApiException if what it needs to know cannot be read: then the webhook's {@code
     *     failurePolicy} decides
     */
    AdmissionAnswer judge(AdmissionRequest request) throws ApiException, InterruptedException;
}
