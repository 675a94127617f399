package lvms.operator.agent;

import lvms.k8s.object.KubeObject;

import java.util.List;
import java.util.Optional;

/**
 * The image that the operator itself runs from, and how it is pulled.
 *
 * @param name the image
 * @param pullSecrets Secrets of the operator's namespace with which it is pulled
 */
public record OperatorImage(String name, List<String> pullSecrets) {
    private static final String CONTAINER = "manager";

    public OperatorImage {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the image has no name");
        }
        pullSecrets = List.copyOf(pullSecrets);
    }

    /**
     * Reads the operator's pod.
     *
     * @throws IllegalStateException if it has no container with an image that is called manager
     */
    public static OperatorImage of(KubeObject pod) {
        var image =
                pod.objects("spec", "containers").stream()
                        .filter(c -> c.text("name").equals(Optional.of(CONTAINER)))
                        .flatMap(c -> c.text("image").stream())
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "pod "
                                                        + pod.key()
                                                        + " has no container "
                                                        + CONTAINER
                                                        + " to take the image from"));
        return new OperatorImage(image, pullSecrets(pod));
    }

    // OpenShift adds a Secret of the pod's own account; the agents' account has one of its own.
    private static List<String> pullSecrets(KubeObject pod) {
        var account = pod.text("spec", "serviceAccountName").orElse("default");
        return pod.objects("spec", "imagePullSecrets").stream()
                .flatMap(secret -> secret.text("name").stream())
                .filter(name -> !name.startsWith(account + "-dockercfg-"))
                .distinct()
                .toList();
    }
}
