package lvms.launcher.admin;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.launcher.flag.UsageException;
import lvms.operator.agent.OperatorImage;
import lvms.operator.overview.DiskPods;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks at nodes by pods that are always removed: at the end, after a failure, after Ctrl-C. */
final class NodeLooks {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A namespace that is in every cluster and takes privileged pods. */
    private static final String ELSEWHERE = "kube-system";

    private final KubeClient kube;
    private final String namespace;
    private final String image;
    private final List<String> gaps = new ArrayList<>();

    /** Uses the pods while they may be there. */
    @FunctionalInterface
    interface Look<T> {
        T at(DiskPods pods) throws ApiException, InterruptedException;
    }

    /**
     * @param namespace of the installation, if there is one
     * @param image of the pods; empty takes the operator's
     */
    NodeLooks(KubeClient kube, String namespace, String image) {
        this.kube = kube;
        this.namespace = namespace;
        this.image = image;
    }

    /** Nodes that could not be looked at, one line each. */
    List<String> gaps() {
        return gaps;
    }

    <T> T run(Look<T> look) throws UsageException, ApiException, InterruptedException {
        var pods = new DiskPods(kube, place(), image());
        var end = Thread.ofPlatform().unstarted(() -> remove(pods));
        Runtime.getRuntime().addShutdownHook(end); // Ctrl-C
        try {
            var found = look.at(pods);
            gaps.addAll(pods.gaps());
            return found;
        } finally {
            pods.remove();
        }
    }

    /** Returns the namespace of the pods. */
    String place() throws ApiException, InterruptedException {
        boolean installed = kube.find(Types.NAMESPACE, ObjectKey.cluster(namespace)).isPresent();
        return installed ? namespace : ELSEWHERE;
    }

    private static void remove(DiskPods pods) {
        try {
            pods.remove();
        } catch (ApiException | InterruptedException e) {
            System.err.println("lvms: pods that looked at nodes are left: " + e.getMessage());
        }
    }

    /** Returns the image of the pods. */
    OperatorImage image() throws UsageException, ApiException, InterruptedException {
        if (!image.isEmpty()) {
            return new OperatorImage(image, List.of());
        }
        var operator = kube.find(Types.DEPLOYMENT, ObjectKey.of(namespace, Names.OPERATOR));
        if (operator.isEmpty()) {
            throw new UsageException(
                    "no node agent has looked at some nodes, and there is no operator to take an"
                            + " image from for a pod that looks: name one with --image");
        }
        var pod = operator.get().object("spec", "template").map(KubeObject::of).orElseThrow();
        return OperatorImage.of(pod);
    }
}
