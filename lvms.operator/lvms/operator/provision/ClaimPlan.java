package lvms.operator.provision;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.claim.ClaimMark;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.Caches;
import lvms.operator.volume.Access;
import lvms.operator.volume.CapacityRange;
import lvms.operator.volume.Origin;
import lvms.operator.volume.Placement;
import lvms.operator.volume.VolumeRequest;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns a claim into the request for its volume. */
final class ClaimPlan {
    private static final Set<String> MODES = Set.of("ReadWriteOnce", "ReadWriteOncePod");

    private final Driver driver;
    private final Caches caches;

    ClaimPlan(Driver driver, Caches caches) {
        this.driver = driver;
        this.caches = caches;
    }

    /** Returns whether the claim waits for a volume of this driver and has all that it needs. */
    static boolean due(Claim claim, Optional<StorageClass> storageClass, Driver driver) {
        return claim.volumeName().isEmpty()
                && claim.givenTo(driver.name())
                && storageClass.isPresent()
                && storageClass.get().provisioner().equals(driver.name())
                && (!storageClass.get().waitForFirstConsumer() || claim.selectedNode().isPresent());
    }

    /**
     * Refuses what this driver cannot give.
     *
     * @throws VolumeException INVALID_ARGUMENT
     */
    static void check(Claim claim) throws VolumeException {
        if (claim.object().object("spec", "selector").isPresent()) {
            throw invalid("claim.spec.selector is not supported for dynamic provisioning");
        }
        if (!claim.object().text("spec", "volumeAttributesClassName").orElse("").isEmpty()) {
            throw invalid("VolumeAttributesClass is not supported");
        }
        if (claim.accessModes().isEmpty() || !MODES.containsAll(claim.accessModes())) {
            throw invalid(
                    "a volume on one node cannot have the access modes "
                            + String.join(", ", claim.accessModes()));
        }
    }

    VolumeRequest request(
            Claim claim,
            StorageClass storageClass,
            ClassParameters parameters,
            Optional<Origin> origin)
            throws VolumeException {
        return new VolumeRequest(
                claim.targetVolume(),
                CapacityRange.atLeast(claim.requestedBytes()),
                claim.volumeMode().equals("Block")
                        ? new Access.Block()
                        : new Access.Mount(parameters.fsType()),
                parameters.deviceClass(),
                parameters.optionClass(),
                origin,
                placement(claim, storageClass, origin.isPresent()),
                Map.of(driver.claimAnnotation(), new ClaimMark(claim.key(), claim.uid()).text()));
    }

    /**
     * A copy has to lie beside its source, wherever the scheduler sent its first pod: the pod
     * follows the volume when it is scheduled again.
     */
    private Placement placement(Claim claim, StorageClass storageClass, boolean copy)
            throws VolumeException {
        if (storageClass.waitForFirstConsumer() && !copy) {
            return Placement.on(selected(claim, storageClass));
        }
        if (storageClass.allowedTopologies().isEmpty()) {
            return new Placement.Anywhere();
        }
        return new Placement.Among(
                caches.nodes().list().stream()
                        .filter(node -> storageClass.allows(node.labels()))
                        .map(KubeObject::name)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private String selected(Claim claim, StorageClass storageClass) throws VolumeException {
        var name = claim.selectedNode().orElseThrow();
        var node =
                caches.nodes()
                        .get(ObjectKey.cluster(name))
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.RESOURCE_EXHAUSTED,
                                                "node " + name + " does not exist any more"));
        if (!caches.registered(name) || node.label(driver.topologyKey()).isEmpty()) {
            throw new VolumeException(
                    StatusCode.UNAVAILABLE,
                    "driver " + driver.name() + " is not registered on node " + name);
        }
        if (!storageClass.allows(node.labels())) {
            throw invalid("node " + name + " is in none of the class's allowedTopologies");
        }
        return name;
    }

    private static VolumeException invalid(String text) {
        return new VolumeException(StatusCode.INVALID_ARGUMENT, text);
    }

    /** Returns the keys of claims that a change of the objects beside them concerns. */
    static List<ObjectKey> claimsMarkedOn(KubeObject volume, Driver driver) {
        return ClaimMark.of(volume, driver).map(ClaimMark::claim).stream().toList();
    }
}
