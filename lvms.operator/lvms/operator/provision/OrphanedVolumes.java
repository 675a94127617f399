package lvms.operator.provision;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.claim.ClaimMark;
import lvms.operator.volume.VolumeService;

/**
 * Removes volumes whose claim went away before it had a PersistentVolume.
 *
 * <p>Such a volume never held data: its mark says that it was made for that very claim and never
 * handed out. Still the server is asked, past the caches, before anything is removed.
 */
final class OrphanedVolumes {
    private static final System.Logger LOG = System.getLogger(OrphanedVolumes.class.getName());

    private final KubeClient kube;
    private final VolumeService volumes;
    private final Driver driver;

    OrphanedVolumes(KubeClient kube, VolumeService volumes, Driver driver) {
        this.kube = kube;
        this.volumes = volumes;
        this.driver = driver;
    }

    /**
     * Removes the volumes that were being made for former claims of this name.
     *
     * @param uid UID of the present claim, empty if there is none
     */
    void removeAllBut(ObjectKey claim, String uid)
            throws ApiException, InterruptedException, VolumeException {
        for (var volume : volumes.store().ofClaim(claim)) {
            if (volume.state() != LogicalVolume.State.TERMINATING && !owner(volume).equals(uid)) {
                remove(claim, volume);
            }
        }
    }

    private String owner(LogicalVolume volume) {
        return ClaimMark.of(volume.object(), driver).orElseThrow().uid();
    }

    private void remove(ObjectKey claim, LogicalVolume volume)
            throws ApiException, InterruptedException, VolumeException {
        var living = kube.find(Types.PVC, claim);
        if (living.isPresent() && living.get().uid().equals(owner(volume))) {
            throw new VolumeException(
                    StatusCode.ABORTED, "claim " + claim + " is not in the cache yet");
        }
        discard(volume);
    }

    /** Removes a volume that no claim wants, unless it has a PersistentVolume after all. */
    void discard(LogicalVolume volume) throws ApiException, InterruptedException, VolumeException {
        if (kube.find(Types.PV, ObjectKey.cluster(volume.name())).isPresent()) {
            volumes.store().settle(volume);
            return;
        }
        LOG.log(INFO, () -> "volume without a claim removed volume=" + volume.name());
        volumes.delete(volume);
    }
}
