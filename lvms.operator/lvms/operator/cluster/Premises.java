package lvms.operator.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.agent.OperatorImage;
import lvms.operator.unit.ClusterType;

import java.util.Optional;

/**
 * What never changes while this process runs, and is asked for when it is first needed: the cluster
 * and the pod that the operator is in.
 */
final class Premises {
    private static final System.Logger LOG = System.getLogger(Premises.class.getName());

    private final KubeClient kube;
    private final ClusterSettings settings;
    private volatile Optional<OperatorImage> image;
    private volatile Optional<ClusterType> type = Optional.empty();

    Premises(KubeClient kube, ClusterSettings settings) {
        this.kube = kube;
        this.settings = settings;
        this.image = settings.image();
    }

    OperatorImage image() throws ApiException, InterruptedException {
        var known = image;
        if (known.isEmpty()) {
            var pod = ObjectKey.of(settings.namespace(), settings.podName());
            known = Optional.of(OperatorImage.of(kube.get(Types.POD, pod)));
            image = known;
        }
        return known.get();
    }

    ClusterType type() throws ApiException, InterruptedException {
        var known = type;
        if (known.isEmpty()) {
            var found = ClusterType.of(kube);
            LOG.log(System.Logger.Level.INFO, () -> "cluster type found type=" + found);
            known = Optional.of(found);
            type = known;
        }
        return known.get();
    }
}
