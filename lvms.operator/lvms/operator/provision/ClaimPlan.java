package lvms.operator.provision;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.attribute.VolumeAttributes;
import lvms.k8s.object.KubeObject;
import lvms.operator.backend.BegunVolume;
import lvms.operator.claim.AttributesClass;
import lvms.operator.claim.Claim;
import lvms.operator.claim.ClaimMark;
import lvms.operator.claim.StorageClass;
import lvms.operator.claim.VolumeNaming;
import lvms.operator.volume.CapacityRange;
import lvms.operator.volume.Origin;
import lvms.operator.volume.Placement;
import lvms.operator.volume.VolumeRequest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What one pass has to do for a claim: only the claim and the objects around it decide. */
sealed interface ClaimPlan {
    /**
     * Nothing: it has its volume, or somebody else has to act first.
     *
     * @param reason why, for the log
     */
    record Converged(String reason) implements ClaimPlan {}

    /** Its PersistentVolume is written: only the mark of the volume may be left. */
    record HandedOver() implements ClaimPlan {}

    /** It is being deleted before it had a volume, or got another: what was begun is removed. */
    record Abandoned() implements ClaimPlan {}

    /**
     * Its volume was begun on a node that is gone or that the scheduler no longer wants: it is
     * removed.
     *
     * @param driver driver of the volume
     * @param begun the volume
     */
    record Misplaced(Driver driver, BegunVolume begun) implements ClaimPlan {}

    /**
     * Somebody else fills its volume, as its data source says.
     *
     * @param kind kind of the data source
     */
    record Populated(String kind) implements ClaimPlan {}

    /**
     * It cannot have its volume, at least not now.
     *
     * @param signature what the refusal depends on: if it changes, the next try need not wait
     * @param failure why
     */
    record Refused(String signature, VolumeException failure) implements ClaimPlan {}

    /**
     * Make its volume, then write its PersistentVolume.
     *
     * @param signature what the try depends on: if it changes, the next try need not wait
     * @param driver driver that serves the claim
     * @param storageClass its class
     * @param parameters what the class says about it
     * @param attributes what its VolumeAttributesClass says
     * @param placement which nodes may get it
     */
    record Provision(
            String signature,
            Driver driver,
            StorageClass storageClass,
            ClassParameters parameters,
            VolumeAttributes attributes,
            Placement placement)
            implements ClaimPlan {
        /**
         * Returns the volume to ask for.
         *
         * @param origin where its content comes from
         */
        VolumeRequest request(Claim claim, Optional<Origin> origin) {
            return new VolumeRequest(
                    claim.targetVolume(),
                    CapacityRange.atLeast(claim.requestedBytes()),
                    parameters.access(claim.volumeMode()),
                    parameters.deviceClass(),
                    parameters.optionClass(),
                    origin,
                    attributes,
                    placement,
                    annotations(claim));
        }

        private Map<String, String> annotations(Claim claim) {
            var annotations = new HashMap<String, String>();
            annotations.put(
                    driver.claimAnnotation(), new ClaimMark(claim.key(), claim.uid()).text());
            annotations.put(driver.claimNameAnnotation(), claim.key().toString());
            if (!VolumeNaming.proves(claim.targetVolume(), claim.uid())) {
                annotations.put(driver.claimUidAnnotation(), claim.uid());
            }
            return annotations;
        }
    }

    /** The nodes as a plan sees them. */
    interface Nodes {
        Optional<KubeObject> named(String name);

        /** Returns whether the driver is registered there. */
        boolean registered(Driver driver, String node);

        List<KubeObject> all();
    }

    /**
     * What is around a claim.
     *
     * @param drivers drivers that are served
     * @param storageClass its class
     * @param attributesClass its VolumeAttributesClass, if it names one that exists
     * @param handedOver whether its PersistentVolume exists
     * @param begun the volume that is being made for it
     * @param objection why its driver can never serve it, if that is so
     * @param nodes the nodes
     */
    record Surroundings(
            Drivers drivers,
            Optional<StorageClass> storageClass,
            Optional<AttributesClass> attributesClass,
            boolean handedOver,
            Optional<BegunVolume> begun,
            Optional<String> objection,
            Nodes nodes) {}

    /** Decides what to do for the claim. */
    static ClaimPlan of(Claim claim, Surroundings around) {
        if (around.handedOver()) {
            return new HandedOver();
        }
        if (claim.bound()) {
            return ofBound(claim);
        }
        if (claim.object().terminating()) {
            return new Abandoned();
        }
        var driver = around.drivers().named(claim.provisioner());
        if (driver.isEmpty()) {
            return new Converged("another driver serves it, or none was chosen yet");
        }
        var storageClass =
                around.storageClass().filter(c -> c.provisioner().equals(driver.get().name()));
        if (storageClass.isEmpty()) {
            return new Converged("its class does not exist or is of another driver");
        }
        if (storageClass.get().waitForFirstConsumer() && claim.selectedNode().isEmpty()) {
            return new Converged("the scheduler has not chosen a node");
        }
        return new Attempt(claim, driver.get(), storageClass.get(), around).plan();
    }

    /** While it is bound to it, the volume is in use, whatever became of the PersistentVolume. */
    private static ClaimPlan ofBound(Claim claim) {
        if (!claim.volumeName().equals(claim.targetVolume())) {
            return new Abandoned();
        }
        return claim.isPending() ? new Converged("it waits for its volume") : new HandedOver();
    }

    /** A claim that is due. */
    record Attempt(Claim claim, Driver driver, StorageClass storageClass, Surroundings around) {
        private static final Set<String> MODES = Set.of("ReadWriteOnce", "ReadWriteOncePod");

        private ClaimPlan plan() {
            try {
                checkSpec();
                var parameters = ClassParameters.of(storageClass, claim, driver);
                var foreign = claim.dataSource().filter(s -> !s.isClaim() && !s.isSnapshot());
                return foreign.isPresent()
                        ? new Populated(foreign.get().kind())
                        : placed(parameters, attributes(), placement());
            } catch (VolumeException e) {
                return new Refused(signature(), e);
            }
        }

        private VolumeAttributes attributes() throws VolumeException {
            var name = claim.attributesClassName();
            return name.isEmpty()
                    ? VolumeAttributes.NONE
                    : AttributesClass.attributes(name, around.attributesClass(), driver);
        }

        private ClaimPlan placed(
                ClassParameters parameters, VolumeAttributes attributes, Placement placement) {
            var misplaced =
                    around.begun()
                            .filter(v -> v.state() != LogicalVolume.State.TERMINATING)
                            .filter(v -> v.mark().isPresent())
                            .filter(v -> !placement.allows(v.node()) || lost(v));
            return misplaced.isPresent()
                    ? new Misplaced(driver, misplaced.get())
                    : new Provision(
                            signature(), driver, storageClass, parameters, attributes, placement);
        }

        /** Whoever deletes a node before it made the volume leaves nobody who would make it. */
        private boolean lost(BegunVolume volume) {
            return volume.state() == LogicalVolume.State.PENDING
                    && !volume.restored()
                    && around.nodes().named(volume.node()).isEmpty();
        }

        private String signature() {
            var node = claim.selectedNode();
            return String.join(
                    " ",
                    claim.uid(),
                    storageClass.uid(),
                    claim.attributesClassName(),
                    Boolean.toString(around.attributesClass().isPresent()),
                    node.orElse(""),
                    Boolean.toString(
                            node.map(n -> around.nodes().registered(driver, n)).orElse(true)),
                    Long.toString(claim.requestedBytes()));
        }

        private void checkSpec() throws VolumeException {
            if (claim.isTooLarge()) {
                throw invalid("the claim is too large: remove finalizers, or what fills its spec");
            }
            if (claim.object().object("spec", "selector").isPresent()) {
                throw invalid("claim.spec.selector is not supported for dynamic provisioning");
            }
            if (around.objection().isPresent()) {
                throw invalid(around.objection().get());
            }
            if (claim.accessModes().isEmpty() || !MODES.containsAll(claim.accessModes())) {
                throw invalid(
                        "a volume on one node cannot have the access modes "
                                + String.join(", ", claim.accessModes()));
            }
        }

        /**
         * A copy has to be on the node of its source, wherever the scheduler sent its first pod:
         * the pod follows the volume when it is scheduled again.
         */
        private Placement placement() throws VolumeException {
            if (storageClass.waitForFirstConsumer() && claim.dataSource().isEmpty()) {
                return Placement.on(selected());
            }
            if (storageClass.allowedTopologies().isEmpty()) {
                return new Placement.Anywhere();
            }
            return new Placement.Among(
                    around.nodes().all().stream()
                            .filter(node -> storageClass.allows(node.labels()))
                            .map(KubeObject::name)
                            .collect(Collectors.toUnmodifiableSet()));
        }

        private String selected() throws VolumeException {
            var name = claim.selectedNode().orElseThrow();
            var node = around.nodes().named(name);
            if (node.isEmpty()) {
                throw new VolumeException(
                        StatusCode.RESOURCE_EXHAUSTED, "node " + name + " no longer exists");
            }
            if (!around.nodes().registered(driver, name)
                    || node.get().label(driver.topologyKey()).isEmpty()) {
                throw new VolumeException(
                        StatusCode.UNAVAILABLE,
                        "driver " + driver.name() + " is not registered on node " + name);
            }
            if (!storageClass.allows(node.get().labels())) {
                throw invalid("node " + name + " does not match allowedTopologies of the class");
            }
            return name;
        }

        private static VolumeException invalid(String text) {
            return new VolumeException(StatusCode.INVALID_ARGUMENT, text);
        }
    }
}
