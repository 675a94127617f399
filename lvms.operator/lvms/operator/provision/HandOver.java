package lvms.operator.provision;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.backend.Backends;
import lvms.operator.backend.BegunVolume;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.Claim;
import lvms.operator.informer.OperatorInformers;

/**
 * Gives a finished volume to its claim: the PersistentVolume is written, and the mark that says
 * "nobody has this volume yet" is taken off it.
 */
final class HandOver {
    private final KubeClient kube;
    private final OperatorInformers informers;
    private final Backends backends;
    private final String identity;

    /**
     * Builds it.
     *
     * @param identity name of this run of the provisioner
     */
    HandOver(KubeClient kube, OperatorInformers informers, Backends backends, String identity) {
        this.kube = kube;
        this.informers = informers;
        this.backends = backends;
        this.identity = identity;
    }

    /**
     * Writes the PersistentVolume, then takes the mark off. Whatever is cut in between, the volume
     * has one of them, so that it is neither lost nor removed.
     *
     * <p>A PersistentVolume that outlives its claim is written only if the server still has the
     * claim: the cache may be behind, most of all when this write is tried again after a time
     * without the server, and nobody would remove the volume then.
     *
     * @return whether it was written; if not, the end of the claim brings the next pass
     * @throws VolumeException ALREADY_EXISTS if the name of the PersistentVolume is taken
     */
    boolean write(Claim claim, ClaimPlan.Provision plan, BegunVolume volume)
            throws VolumeException, ApiException, InterruptedException {
        if (!plan.storageClass().reclaimPolicy().equals("Delete") && !wanted(claim)) {
            return false;
        }
        var backend = backends.of(plan.driver());
        var content =
                VolumeContent.of(
                        plan.driver(),
                        claim,
                        plan.storageClass(),
                        plan.parameters(),
                        volume,
                        backend.space().topology().topologyOf(volume.node()),
                        identity + "-" + plan.driver().name());
        informers.persistentVolumes().observed(created(content));
        backend.unmark(volume);
        return true;
    }

    private boolean wanted(Claim claim) throws ApiException, InterruptedException {
        var living = kube.find(Types.PVC, claim.key());
        return living.isPresent()
                && living.get().uid().equals(claim.uid())
                && !living.get().terminating();
    }

    private KubeObject created(KubeObject content)
            throws ApiException, InterruptedException, VolumeException {
        try {
            return kube.create(Types.PV, content);
        } catch (ApiException.AlreadyExists _) {
            var present = kube.get(Types.PV, content.key());
            if (!present.sameAt(content, "spec", "csi", "volumeHandle")
                    || !present.sameAt(content, "spec", "claimRef", "uid")) {
                throw new VolumeException(
                        StatusCode.ALREADY_EXISTS,
                        "PersistentVolume " + content.name() + " belongs to something else");
            }
            return present;
        }
    }

    /** Takes the mark off the volume of a claim whose PersistentVolume is written. */
    void finish(Claim claim) throws ApiException, InterruptedException {
        for (var backend : backends.all()) {
            for (var volume : backend.ofClaim(claim.key())) {
                if (volume.name().equals(claim.targetVolume())) {
                    backend.unmark(volume);
                }
            }
        }
    }

    /**
     * Returns whether a PersistentVolume hands it out, its own or one that a person made; then the
     * mark is taken off.
     */
    boolean finishIfWritten(VolumeBackend backend, BegunVolume volume)
            throws ApiException, InterruptedException {
        boolean written =
                kube.find(Types.PV, ObjectKey.cluster(volume.name())).isPresent()
                        || !informers.persistentVolumesOf(volume.disk()).isEmpty();
        if (written) {
            backend.unmark(volume);
        }
        return written;
    }

    /** Reads, past the cache, the PersistentVolume that somebody chose for a claim. */
    void look(String chosen) throws ApiException, InterruptedException {
        if (!chosen.isEmpty()) {
            kube.find(Types.PV, ObjectKey.cluster(chosen))
                    .ifPresent(informers.persistentVolumes()::observed);
        }
    }
}
