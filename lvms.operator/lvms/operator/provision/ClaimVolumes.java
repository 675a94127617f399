package lvms.operator.provision;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.backend.Backends;
import lvms.operator.backend.BegunVolume;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.Claim;
import lvms.operator.claim.VolumeNaming;
import lvms.operator.informer.OperatorInformers;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which volume is that of a claim. The claim's UID says so, in the mark of the volume or in the
 * PersistentVolume; a name only where it has the whole UID. So another way of naming volumes, even
 * between two tries, neither loses a volume nor makes a second one.
 */
record ClaimVolumes(OperatorInformers informers, Backends backends, VolumeNaming naming) {
    /** Returns the claim with the name of its volume: the present one, else that of a new one. */
    Claim named(Claim claim) {
        return claim.named(
                written(claim)
                        .map(KubeObject::name)
                        .or(() -> begunName(claim))
                        .orElseGet(() -> naming.of(claim.uid())));
    }

    /** The one that the claim is bound to comes first, should two have been begun. */
    private Optional<String> begunName(Claim claim) {
        var marked = marked(claim).map(BegunVolume::name).sorted().toList();
        if (marked.contains(claim.volumeName())) {
            return Optional.of(claim.volumeName());
        }
        return marked.stream().findFirst().or(() -> begunByAnother(claim));
    }

    /** What external-provisioner began before it made way has no mark. */
    private Optional<String> begunByAnother(Claim claim) {
        var usual = VolumeNaming.DEFAULT.of(claim.uid());
        return backends.named(claim.provisioner())
                .flatMap(backend -> backend.find(usual))
                .map(BegunVolume::name);
    }

    private Stream<BegunVolume> marked(Claim claim) {
        return backends.all().stream()
                .flatMap(backend -> backend.ofClaim(claim.key()).stream())
                .filter(volume -> volume.claimUid().equals(Optional.of(claim.uid())));
    }

    /** Returns the PersistentVolume that was written for the claim. */
    private Optional<KubeObject> written(Claim claim) {
        var ours = informers.persistentVolumesFor(claim.uid());
        return ours.stream()
                .filter(volume -> volume.name().equals(claim.volumeName()))
                .findFirst()
                .or(() -> ours.stream().findFirst());
    }

    /** Returns whether the PersistentVolume of a claim, which has its name, is written. */
    boolean handedOver(Claim claim) {
        var name = claim.targetVolume();
        return informers
                .persistentVolumes()
                .get(ObjectKey.cluster(name))
                .filter(
                        volume ->
                                VolumeNaming.proves(name, claim.uid())
                                        || volume.text("spec", "claimRef", "uid")
                                                .equals(Optional.of(claim.uid())))
                .isPresent();
    }

    /** Returns the volume that is being made for a claim, which has its name. */
    Optional<BegunVolume> begun(VolumeBackend backend, Claim claim) {
        return backend.find(claim.targetVolume())
                .filter(
                        volume ->
                                volume.claimUid()
                                        .map(claim.uid()::equals)
                                        .orElseGet(
                                                () ->
                                                        VolumeNaming.proves(
                                                                volume.name(), claim.uid())));
    }
}
