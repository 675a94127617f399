package lvms.operator.node;

import lvms.api.LogicalVolume;
import lvms.api.VolumeAffinity;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.informer.OperatorInformers;

import java.util.Optional;

/** Whose a PersistentVolume is, and on which node its data lie. */
record PlacedVolumes(KubeClient kube, OperatorInformers informers) {
    /** A claim that another driver provisioned is not ours to delete, and no reason to wait. */
    Optional<KubeObject> claimOf(KubeObject volume) {
        var key =
                ObjectKey.of(
                        volume.text("spec", "claimRef", "namespace").orElse(""),
                        volume.text("spec", "claimRef", "name").orElse(""));
        var uid = volume.text("spec", "claimRef", "uid").orElse("");
        return informers
                .claims()
                .get(key)
                .filter(claim -> claim.uid().equals(uid) && !claim.terminating())
                .filter(claim -> isOurs(new Claim(claim).provisioner()));
    }

    private boolean isOurs(String provisioner) {
        return provisioner.isEmpty() || informers.drivers().serve(provisioner);
    }

    /**
     * Returns where the volume is, which need not be where the claim was first scheduled: copies
     * lie beside their source. Without an object, its place is what the server says; caches have no
     * affinity. Empty if several objects say that they are this volume.
     */
    Optional<String> nodeOf(KubeObject volume) throws ApiException, InterruptedException {
        var driver = informers.drivers().ofVolume(volume);
        if (driver.isEmpty()) {
            return Optional.empty();
        }
        var handle = volume.text("spec", "csi", "volumeHandle").orElse("");
        var objects = OperatorInformers.withId(informers.logicalVolumes(driver.get()), handle);
        return switch (objects.size()) {
            case 0 ->
                    kube.find(Types.PV, volume.key())
                            .flatMap(now -> VolumeAffinity.node(now, driver.get()));
            case 1 -> Optional.of(LogicalVolume.tolerant(objects.getFirst()).spec().nodeName());
            default -> Optional.empty();
        };
    }
}
