package lvms.operator.cluster;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.List;

/** Takes finalizers off claims that old TopoLVM versions put there and nobody serves any more. */
final class ClaimFinalizers implements Reconciler {
    private static final List<String> OBSOLETE =
            List.of(Names.OLD_PVC_FINALIZER, Names.LEGACY_PVC_FINALIZER);

    private final KubeClient kube;
    private final ClusterInformers informers;

    ClaimFinalizers(KubeClient kube, ClusterInformers informers) {
        this.kube = kube;
        this.informers = informers;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var claim = informers.claims().get(key);
        for (var finalizer : OBSOLETE) {
            if (claim.filter(c -> c.finalizers().contains(finalizer)).isPresent()) {
                claim =
                        kube.removeFinalizer(
                                Types.PVC, claim.get(), finalizer, Names.OPERATOR_FIELD_MANAGER);
            }
        }
        return Result.done();
    }
}
