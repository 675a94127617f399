package lvms.operator.provision;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.backend.Backends;
import lvms.operator.backend.BegunVolume;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.Claim;

/**
 * Removes volumes whose claim went away, or got another, before it had a PersistentVolume.
 *
 * <p>Such a volume never held data: its mark says that it was made for that very claim and never
 * handed out. Even so, the server is asked, past the informers, before anything is removed.
 */
final class OrphanedVolumes {
    private static final System.Logger LOG = System.getLogger(OrphanedVolumes.class.getName());

    private final KubeClient kube;
    private final Backends backends;
    private final HandOver handOver;

    OrphanedVolumes(KubeClient kube, Backends backends, HandOver handOver) {
        this.kube = kube;
        this.backends = backends;
        this.handOver = handOver;
    }

    /**
     * Removes the volumes that were being made for former claims of this name.
     *
     * @param uid UID of the present claim, empty if there is none
     */
    void removeAllBut(ObjectKey claim, String uid)
            throws ApiException, InterruptedException, VolumeException {
        for (var backend : backends.all()) {
            for (var volume : backend.ofClaim(claim)) {
                if (volume.state() != LogicalVolume.State.TERMINATING
                        && !volume.claimUid().orElseThrow().equals(uid)) {
                    remove(backend, claim, volume);
                }
            }
        }
    }

    private void remove(VolumeBackend backend, ObjectKey claim, BegunVolume volume)
            throws ApiException, InterruptedException, VolumeException {
        var living = kube.find(Types.PVC, claim);
        if (living.isPresent()
                && volume.claimUid().filter(living.get().uid()::equals).isPresent()) {
            throw new VolumeException(
                    StatusCode.ABORTED, "claim " + claim + " is not in the cache yet");
        }
        discard(backend, volume);
    }

    /** Removes a volume that no claim wants, unless it has a PersistentVolume after all. */
    void discard(VolumeBackend backend, BegunVolume volume)
            throws ApiException, InterruptedException, VolumeException {
        if (volume.restored()) {
            backend.unmark(volume); // its data is older than the object
        } else if (!handOver.finishIfWritten(backend, volume)) {
            LOG.log(INFO, () -> "orphaned volume removed volume=" + volume.name());
            backend.discard(volume);
        }
    }

    /**
     * Removes what was being made for a claim that is going away, or that got another volume.
     *
     * @param kept name of the volume that it has, empty for none
     */
    void discardAllBut(Claim claim, String kept)
            throws ApiException, InterruptedException, VolumeException {
        for (var backend : backends.all()) {
            for (var volume : backend.ofClaim(claim.key())) {
                if (!volume.name().equals(kept)) {
                    handOver.look(claim.volumeName()); // a person may have given it this very one
                    discard(backend, volume);
                }
            }
        }
    }
}
