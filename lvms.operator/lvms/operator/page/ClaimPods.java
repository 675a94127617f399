package lvms.operator.page;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The pods that name a claim, in all namespaces.
 *
 * @param byClaim names of pods, by {@code namespace/name} of the claim
 * @param gap why they are not known
 */
record ClaimPods(Map<String, String> byClaim, Optional<String> gap) {
    static final ClaimPods UNASKED = new ClaimPods(Map.of(), Optional.empty());

    static ClaimPods read(KubeClient kube) throws ApiException, InterruptedException {
        try {
            return of(kube.list(Types.POD, ListOptions.all()).items());
        } catch (ApiException.Forbidden e) {
            return new ClaimPods(
                    Map.of(), Optional.of("which pods use volumes: " + e.getMessage()));
        }
    }

    static ClaimPods of(List<KubeObject> pods) {
        var byClaim = new TreeMap<String, String>();
        for (var pod : pods) {
            claims(pod).forEach(claim -> byClaim.merge(claim, pod.name(), (a, b) -> a + ", " + b));
        }
        return new ClaimPods(byClaim, Optional.empty());
    }

    /** An ephemeral volume's claim is called after pod and volume. */
    private static Stream<String> claims(KubeObject pod) {
        return pod.objects("spec", "volumes").stream()
                .flatMap(
                        volume ->
                                volume
                                        .text("persistentVolumeClaim", "claimName")
                                        .or(
                                                () ->
                                                        volume.object("ephemeral")
                                                                .flatMap(_ -> volume.text("name"))
                                                                .map(n -> pod.name() + "-" + n))
                                        .stream())
                .map(claim -> pod.namespace() + "/" + claim);
    }

    Optional<String> of(Optional<String> claim) {
        return claim.map(byClaim::get);
    }
}
