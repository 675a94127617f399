package lvms.launcher;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.election.LeaseTiming;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.launcher.lvm.LvmSearch;

import java.time.Duration;
import java.util.Optional;

/**
 * How this process stands for election, which depends on the cluster.
 *
 * <p>On a single control-plane node the lease is long. The identity is the pod, and the process in
 * it: a container that starts again in its pod has the lease at once, since kubelet starts none
 * before the former one is dead, while a second process in a container is another candidate.
 *
 * @param pod the operator's pod
 * @param end says whether the process has to end
 */
record Candidacy(KubeClient kube, ObjectKey pod, LvmSearch.End end) {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane=";

    /** Waits until the server answers; returns nothing if the process is to end before. */
    Optional<LeaderElector> elector() throws InterruptedException {
        while (true) {
            try {
                return Optional.of(elector(singleNode()));
            } catch (ApiException e) {
                LOG.log(WARNING, () -> "control-plane nodes not listed: " + e.getMessage());
            }
            if (end.within(RETRY)) {
                return Optional.empty();
            }
        }
    }

    private boolean singleNode() throws ApiException, InterruptedException {
        var options = ListOptions.all().labels(CONTROL_PLANE);
        return kube.list(Types.NODE, options, node -> node.without("status")).items().size() == 1;
    }

    private LeaderElector elector(boolean singleNode) {
        var timing = singleNode ? LeaseTiming.SINGLE_NODE : LeaseTiming.DEFAULT;
        var identity = pod.name() + "_" + ProcessHandle.current().pid();
        LOG.log(INFO, () -> "stands for election identity=" + identity + " timing=" + timing);
        var lease = ObjectKey.of(pod.namespace(), Names.OPERATOR_LEASE);
        return LeaderElector.of(kube, lease, identity, timing);
    }
}
