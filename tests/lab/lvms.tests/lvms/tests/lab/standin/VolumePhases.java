package lvms.tests.lab.standin;

import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

/**
 * Keeps the phase of volumes and their protection: the volume half of the persistent volume
 * controller.
 */
final class VolumePhases implements Reconciler<ObjectKey> {
    private static final String PROTECTION = "kubernetes.io/pv-protection";

    private final Cluster cluster;

    VolumePhases(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var volume = cluster.volumes.get(key);
        if (volume.isEmpty()) {
            return Result.done();
        }
        var phase = phase(volume.get());
        if (!ClaimBinder.phase(volume.get()).equals(phase)) {
            cluster.volumes.observed(
                    cluster.kube.mergePatchStatus(
                            Types.PV, key, object("status", object("phase", phase))));
        }
        if (volume.get().terminating()
                && !phase.equals("Bound")
                && volume.get().finalizers().contains(PROTECTION)) {
            cluster.kube.removeFinalizer(Types.PV, volume.get(), PROTECTION);
        }
        return Result.done();
    }

    private String phase(KubeObject volume) throws ApiException, InterruptedException {
        var uid = volume.text("spec", "claimRef", "uid");
        if (uid.isEmpty()) {
            return "Available";
        }
        var key = ClaimBinder.claimOf(volume).getFirst();
        var claim = cluster.claims.get(key);
        if (claim.isEmpty() || !claim.get().uid().equals(uid.get())) {
            claim =
                    cluster.kube.find(
                            Types.PVC, key); // the cache may lag behind the claim of a new volume
        }
        boolean lives = claim.isPresent() && claim.get().uid().equals(uid.get());
        return lives ? "Bound" : "Released";
    }
}
