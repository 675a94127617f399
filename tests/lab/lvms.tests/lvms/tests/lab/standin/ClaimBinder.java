package lvms.tests.lab.standin;

import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Binds claims to the volumes that were made for them, asks for provisioning, and guards claims
 * that pods use: the claim half of the persistent volume controller.
 */
final class ClaimBinder implements Reconciler<ObjectKey> {
    static final String PROTECTION = "kubernetes.io/pvc-protection";
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    private static final String OLD_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    /** When it is looked again for a volume that a user named and that is not there. */
    private static final Duration NAMED_VOLUME = Duration.ofMillis(500);

    private final Cluster cluster;

    ClaimBinder(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var claim = cluster.claims.get(key);
        if (claim.isPresent()) {
            if (claim.get().terminating()) {
                unprotect(claim.get());
            } else if (claim.get().text("spec", "volumeName").isPresent()) {
                return completeBinding(claim.get());
            } else {
                bindOrProvision(claim.get());
            }
        }
        return Result.done();
    }

    private void unprotect(KubeObject claim) throws ApiException, InterruptedException {
        boolean used =
                cluster.pods.byIndex(Cluster.BY_CLAIM, claim.key().toString()).stream()
                        .anyMatch(
                                pod ->
                                        Cluster.active(pod)
                                                && pod.text("spec", "nodeName").isPresent());
        if (!used && claim.finalizers().contains(PROTECTION)) {
            cluster.kube.removeFinalizer(Types.PVC, claim, PROTECTION);
        }
    }

    private Result completeBinding(KubeObject claim) throws ApiException, InterruptedException {
        if (phase(claim).equals("Bound")) {
            return Result.done();
        }
        var volume =
                cluster.volumes.get(
                        ObjectKey.cluster(claim.text("spec", "volumeName").orElseThrow()));
        if (volume.isEmpty()) { // it may name no claim, so that its arrival leads to no pass
            return Result.requeueAfter(NAMED_VOLUME);
        }
        if (volume.get().text("spec", "claimRef", "uid").isEmpty()) {
            reserve(volume.get(), claim);
        } else if (fits(volume.get(), claim)) {
            writeBoundStatus(claim, volume.get());
        }
        return Result.done();
    }

    /** The user named the volume; it gets the claim's name and the mark that we put it there. */
    private void reserve(KubeObject volume, KubeObject claim)
            throws ApiException, InterruptedException {
        cluster.kube.mergePatch(
                Types.PV,
                volume.key(),
                object(
                        "metadata", object("annotations", object(BOUND_BY_CONTROLLER, "yes")),
                        "spec",
                                object(
                                        "claimRef",
                                        object(
                                                "apiVersion", "v1",
                                                "kind", "PersistentVolumeClaim",
                                                "namespace", claim.namespace(),
                                                "name", claim.name(),
                                                "uid", claim.uid()))));
    }

    private void bindOrProvision(KubeObject claim) throws ApiException, InterruptedException {
        var made =
                cluster.volumes.byIndex(Cluster.BY_CLAIM, claim.key().toString()).stream()
                        .filter(volume -> !volume.terminating())
                        .toList();
        for (var volume : made) {
            if (fits(volume, claim)) {
                bind(claim, volume);
                return;
            }
        }
        provision(claim);
    }

    private void bind(KubeObject claim, KubeObject volume)
            throws ApiException, InterruptedException {
        var annotations = object(BIND_COMPLETED, "yes", BOUND_BY_CONTROLLER, "yes");
        var metadata =
                object("resourceVersion", claim.resourceVersion(), "annotations", annotations);
        var patch = object("metadata", metadata, "spec", object("volumeName", volume.name()));
        var bound = cluster.kube.mergePatch(Types.PVC, claim.key(), patch);
        cluster.claims.observed(bound);
        writeBoundStatus(bound, volume);
    }

    /** A volume that names this claim but can never hold it: its maker has a bug. */
    private boolean fits(KubeObject volume, KubeObject claim) {
        var uid = volume.text("spec", "claimRef", "uid");
        if (uid.isPresent() && !uid.get().equals(claim.uid())) {
            return false; // made for a former claim of this name
        }
        var made = "volume " + volume.name() + " for " + claim.key() + ": ";
        var rules = cluster.violations;
        return rules.demand(
                        capacity(volume).compareTo(request(claim)) >= 0,
                        made + "smaller than the claim")
                & rules.demand(
                        volume.list("spec", "accessModes")
                                .elements()
                                .containsAll(claim.list("spec", "accessModes").elements()),
                        made + "lacks an access mode")
                & rules.demand(
                        volume.text("spec", "storageClassName")
                                .equals(claim.text("spec", "storageClassName")),
                        made + "has another storage class")
                & rules.demand(
                        volume.text("spec", "volumeMode")
                                .orElse("Filesystem")
                                .equals(claim.text("spec", "volumeMode").orElse("Filesystem")),
                        made + "has another volume mode");
    }

    private void writeBoundStatus(KubeObject claim, KubeObject volume)
            throws ApiException, InterruptedException {
        var accessModes = volume.value("spec", "accessModes").orElseGet(Trees::list);
        var capacity = volume.value("spec", "capacity").orElseGet(Trees::object);
        cluster.claims.observed(
                cluster.kube.mergePatchStatus(
                        Types.PVC,
                        claim.key(),
                        object(
                                "status",
                                object(
                                        "phase",
                                        "Bound",
                                        "accessModes",
                                        accessModes,
                                        "capacity",
                                        capacity))));
    }

    private void provision(KubeObject claim) throws ApiException, InterruptedException {
        var className = claim.text("spec", "storageClassName");
        if (className.isEmpty()) {
            takeDefaultClass(claim);
            return;
        }
        var storageClass = cluster.classes.get(ObjectKey.cluster(className.get()));
        if (storageClass.isPresent()) {
            provision(claim, storageClass.get());
        } else if (!className.get().isEmpty()) {
            cluster.events.record(
                    claim,
                    EventRecorder.Type.WARNING,
                    "ProvisioningFailed",
                    "Binding",
                    "storageclass.storage.k8s.io \"" + className.get() + "\" not found");
        }
    }

    private void provision(KubeObject claim, KubeObject storageClass)
            throws ApiException, InterruptedException {
        if (waitsForConsumer(storageClass) && claim.annotation(SELECTED_NODE).isEmpty()) {
            cluster.events.record(
                    claim,
                    EventRecorder.Type.NORMAL,
                    "WaitForFirstConsumer",
                    "Binding",
                    "waiting for first consumer to be created before binding");
        } else if (claim.annotation(PROVISIONER).isEmpty()) {
            var name = storageClass.text("provisioner").orElse("");
            var annotations = object(PROVISIONER, name, OLD_PROVISIONER, name);
            cluster.kube.mergePatch(
                    Types.PVC, claim.key(), object("metadata", object("annotations", annotations)));
        }
    }

    private void takeDefaultClass(KubeObject claim) throws ApiException, InterruptedException {
        Optional<KubeObject> preferred =
                cluster.classes.list().stream()
                        .filter(c -> c.annotation(DEFAULT_CLASS).orElse("").equals("true"))
                        .max(Comparator.comparing(c -> c.creationTimestamp().orElseThrow()));
        if (preferred.isPresent()) {
            cluster.kube.mergePatch(
                    Types.PVC,
                    claim.key(),
                    object("spec", object("storageClassName", preferred.get().name())));
        }
    }

    static boolean waitsForConsumer(KubeObject storageClass) {
        return storageClass
                .text("volumeBindingMode")
                .orElse("Immediate")
                .equals("WaitForFirstConsumer");
    }

    static String phase(KubeObject object) {
        return object.text("status", "phase").orElse("Pending");
    }

    static Quantity request(KubeObject claim) {
        return claim.value("spec", "resources", "requests", "storage")
                .map(Quantity::parse)
                .orElse(Quantity.ZERO);
    }

    private static Quantity capacity(KubeObject volume) {
        return volume.value("spec", "capacity", "storage")
                .map(Quantity::parse)
                .orElse(Quantity.ZERO);
    }

    /** The claims that a volume concerns. */
    static List<ObjectKey> claimOf(KubeObject volume) {
        return volume.text("spec", "claimRef", "name").stream()
                .map(
                        name ->
                                ObjectKey.of(
                                        volume.text("spec", "claimRef", "namespace").orElse(""),
                                        name))
                .toList();
    }

    static boolean pending(KubeObject claim) {
        return phase(claim).equals("Pending");
    }
}
