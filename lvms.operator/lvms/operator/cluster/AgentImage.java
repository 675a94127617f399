package lvms.operator.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.Optional;

/** The image of the node agent: the one that the operator itself runs from. */
final class AgentImage {
    private static final String CONTAINER = "manager";

    private final KubeClient kube;
    private final ClusterSettings settings;
    private volatile Optional<String> image;

    AgentImage(KubeClient kube, ClusterSettings settings) {
        this.kube = kube;
        this.settings = settings;
        this.image = settings.image();
    }

    /**
     * Returns the image; the pod is read once.
     *
     * @throws IllegalStateException if the pod has no container of that name
     */
    String get() throws ApiException, InterruptedException {
        var known = image;
        if (known.isEmpty()) {
            known = Optional.of(read());
            image = known;
        }
        return known.get();
    }

    private String read() throws ApiException, InterruptedException {
        var key = ObjectKey.of(settings.namespace(), settings.podName());
        var pod = kube.get(Types.POD, key);
        for (var container : pod.objects("spec", "containers")) {
            if (container.text("name").filter(CONTAINER::equals).isPresent()) {
                return container.text("image").orElseThrow();
            }
        }
        throw new IllegalStateException(
                "pod " + key + " has no container " + CONTAINER + " to take the image from");
    }
}
