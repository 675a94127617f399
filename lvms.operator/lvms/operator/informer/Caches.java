package lvms.operator.informer;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.claim.VolumeAffinity;
import lvms.operator.volume.NodeCapacities;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The objects that all controllers here share, one watch for each type, trimmed to what is used.
 *
 * @param claims PersistentVolumeClaims
 * @param volumes PersistentVolumes
 * @param classes StorageClasses
 * @param csiNodes CSINodes, with our driver's entry only
 * @param nodes Nodes
 */
public record Caches(
        Informer claims, Informer volumes, Informer classes, Informer csiNodes, Informer nodes) {
    private static final String BY_HANDLE = "handle";
    private static final String BY_NODE = "selected-node";
    private static final String BY_CLASS = "class";

    /** Returns caches that are not started yet. */
    public static Caches of(KubeClient kube, Driver driver) {
        return new Caches(
                Informer.of(kube, Types.PVC)
                        .transform(Caches::trimClaim)
                        .index(BY_NODE, Caches::waitingOnNode)
                        .index(BY_CLASS, Caches::waitingForClass)
                        .build(),
                Informer.of(kube, Types.PV)
                        .transform(volume -> trimVolume(driver, volume))
                        .index(
                                BY_HANDLE,
                                volume ->
                                        volume.text("spec", "csi", "volumeHandle").stream()
                                                .toList())
                        .build(),
                Informer.of(kube, Types.STORAGE_CLASS)
                        .transform(object -> object.without("metadata", "managedFields"))
                        .build(),
                Informer.of(kube, Types.CSI_NODE)
                        .transform(node -> trimCsiNode(driver, node))
                        .build(),
                Informer.of(kube, Types.NODE)
                        .transform(node -> NodeCapacities.trim(driver, node))
                        .build());
    }

    /** Starts following. */
    public void start() {
        all().forEach(Informer::start);
    }

    /** Returns whether all were filled once. */
    public boolean synced() {
        return all().stream().allMatch(Informer::synced);
    }

    /**
     * Lets a controller begin only when all of these are filled: a pass that took an empty cache
     * for an empty cluster would give claims back to the scheduler.
     */
    public Controller.Builder awaited(Controller.Builder builder) {
        all().forEach(informer -> builder.watch(informer, _ -> List.of()));
        return builder;
    }

    /** Stops following. */
    public void close() {
        all().forEach(Informer::close);
    }

    private List<Informer> all() {
        return List.of(claims, volumes, classes, csiNodes, nodes);
    }

    /** Returns a class. */
    public Optional<StorageClass> storageClass(String name) {
        return name.isEmpty()
                ? Optional.empty()
                : classes.get(ObjectKey.cluster(name)).map(StorageClass::of);
    }

    /** Returns the PersistentVolumes of the driver with this handle. */
    public List<KubeObject> byHandle(String handle) {
        return handle.isEmpty() ? List.of() : volumes.byIndex(BY_HANDLE, handle);
    }

    /** Returns the unbound claims for which this node was chosen. */
    public List<ObjectKey> claimsOnNode(String node) {
        return claims.byIndex(BY_NODE, node).stream().map(KubeObject::key).toList();
    }

    /** Returns the unbound claims of this class. */
    public List<ObjectKey> claimsOfClass(String name) {
        return claims.byIndex(BY_CLASS, name).stream().map(KubeObject::key).toList();
    }

    /** Returns whether the driver is registered on the node. */
    public boolean registered(String node) {
        return csiNodes.get(ObjectKey.cluster(node))
                .map(object -> !object.list("spec", "drivers").isEmpty())
                .orElse(false);
    }

    private static boolean unbound(KubeObject claim) {
        return claim.text("spec", "volumeName").orElse("").isEmpty();
    }

    private static List<String> waitingOnNode(KubeObject claim) {
        return unbound(claim) ? new Claim(claim).selectedNode().stream().toList() : List.of();
    }

    private static List<String> waitingForClass(KubeObject claim) {
        return unbound(claim) ? List.of(new Claim(claim).className()) : List.of();
    }

    /** A bound claim is kept for resizing alone. */
    private static KubeObject trimClaim(KubeObject claim) {
        var kept = claim.without("metadata", "managedFields").without("metadata", "labels");
        if (unbound(claim)) {
            return kept;
        }
        for (var annotation : claim.annotations().keySet()) {
            if (!annotation.startsWith("volume.")) {
                kept = kept.without("metadata", "annotations", annotation);
            }
        }
        return kept.without("metadata", "ownerReferences")
                .without("spec", "accessModes")
                .without("status", "accessModes");
    }

    public static KubeObject trimVolume(Driver driver, KubeObject volume) {
        var bare =
                volume.without("metadata", "managedFields")
                        .without("spec", "mountOptions")
                        .without("spec", "accessModes")
                        .without("spec", "csi", "volumeAttributes");
        if (!volume.text("spec", "csi", "driver").orElse("").equals(driver.name())) {
            return bare.without("spec")
                    .without("status")
                    .without("metadata", "labels")
                    .without("metadata", "annotations");
        }
        return labelled(volume)
                ? bare.without("metadata", "labels").without("spec", "nodeAffinity")
                : bare;
    }

    /** Whether the label says what the affinity says, so that nobody needs either of them. */
    private static boolean labelled(KubeObject volume) {
        return volume.label(Names.HOSTNAME_LABEL)
                .filter(label -> label.equals(VolumeAffinity.node(volume).orElse("")))
                .isPresent();
    }

    private static KubeObject trimCsiNode(Driver driver, KubeObject node) {
        var ours = new JsonArray();
        for (var entry : new ArrayList<>(node.objects("spec", "drivers"))) {
            if (KubeObject.of(entry).text("name").orElse("").equals(driver.name())) {
                ours.add(entry);
            }
        }
        var spec = new JsonObject();
        spec.add("drivers", ours);
        return node.without("metadata", "managedFields")
                .without("metadata", "annotations")
                .with(spec, "spec");
    }
}
