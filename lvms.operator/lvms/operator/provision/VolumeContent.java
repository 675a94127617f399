package lvms.operator.provision;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;

import java.util.List;
import java.util.Map;

/** The PersistentVolume that is written for a claim. */
final class VolumeContent {
    /** Finalizer that keeps a PersistentVolume until its volume is gone. */
    static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

    /** Annotation with the driver that made a volume. */
    static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    private static final String DELETION_SECRET =
            "volume.kubernetes.io/provisioner-deletion-secret-";
    private static final String MODIFY_SECRET = "volume.kubernetes.io/controller-modify-secret-";
    private static final Map<String, String> SECRET_FIELDS =
            Map.of(
                    "controller-publish", "controllerPublishSecretRef",
                    "node-stage", "nodeStageSecretRef",
                    "node-publish", "nodePublishSecretRef",
                    "controller-expand", "controllerExpandSecretRef",
                    "node-expand", "nodeExpandSecretRef");

    private VolumeContent() {}

    /**
     * Returns the PersistentVolume.
     *
     * @param topology value of the node's topology label
     * @param identity name of this provisioner's run
     */
    static KubeObject of(
            Driver driver,
            Claim claim,
            StorageClass storageClass,
            ClassParameters parameters,
            LogicalVolume volume,
            String topology,
            String identity) {
        var object =
                KubeObject.create(Types.PV, ObjectKey.cluster(claim.targetVolume()))
                        .with(annotations(driver, parameters), "metadata", "annotations")
                        .with(texts(claim.accessModes()), "spec", "accessModes")
                        .with(
                                Quantity.ofBytes(volume.bytes()).toString(),
                                "spec",
                                "capacity",
                                "storage")
                        .with(reference(claim), "spec", "claimRef")
                        .with(storageClass.reclaimPolicy(), "spec", "persistentVolumeReclaimPolicy")
                        .with(storageClass.name(), "spec", "storageClassName")
                        .with(claim.volumeMode(), "spec", "volumeMode")
                        .with(affinity(driver, topology), "spec", "nodeAffinity")
                        .with(csi(driver, claim, parameters, volume, identity), "spec", "csi");
        if (!storageClass.mountOptions().isEmpty()) {
            object = object.with(texts(storageClass.mountOptions()), "spec", "mountOptions");
        }
        return storageClass.reclaimPolicy().equals("Delete")
                ? object.with(texts(List.of(FINALIZER)), "metadata", "finalizers")
                : object;
    }

    private static JsonObject annotations(Driver driver, ClassParameters parameters) {
        var annotations = new JsonObject();
        annotations.addProperty(PROVISIONED_BY, driver.name());
        var deletion = parameters.secrets().get("provisioner");
        annotations.addProperty(DELETION_SECRET + "name", deletion == null ? "" : deletion.name());
        annotations.addProperty(
                DELETION_SECRET + "namespace", deletion == null ? "" : deletion.namespace());
        var modify = parameters.secrets().get("controller-modify");
        if (modify != null) {
            annotations.addProperty(MODIFY_SECRET + "name", modify.name());
            annotations.addProperty(MODIFY_SECRET + "namespace", modify.namespace());
        }
        return annotations;
    }

    private static JsonObject reference(Claim claim) {
        var reference = new JsonObject();
        reference.addProperty("kind", Types.PVC.kind());
        reference.addProperty("apiVersion", Types.PVC.apiVersion());
        reference.addProperty("namespace", claim.key().namespace());
        reference.addProperty("name", claim.key().name());
        reference.addProperty("uid", claim.uid());
        reference.addProperty("resourceVersion", claim.object().resourceVersion());
        return reference;
    }

    private static JsonObject affinity(Driver driver, String topology) {
        var expression = new JsonObject();
        expression.addProperty("key", driver.topologyKey());
        expression.addProperty("operator", "In");
        expression.add("values", texts(List.of(topology)));
        var term = new JsonObject();
        term.add("matchExpressions", list(expression));
        var required = new JsonObject();
        required.add("nodeSelectorTerms", list(term));
        var affinity = new JsonObject();
        affinity.add("required", required);
        return affinity;
    }

    private static JsonObject csi(
            Driver driver,
            Claim claim,
            ClassParameters parameters,
            LogicalVolume volume,
            String identity) {
        var attributes = new JsonObject();
        attributes.addProperty("storage.kubernetes.io/csiProvisionerIdentity", identity);
        var csi = new JsonObject();
        csi.addProperty("driver", driver.name());
        csi.addProperty("volumeHandle", volume.status().volumeId());
        csi.add("volumeAttributes", attributes);
        if (!claim.volumeMode().equals("Block") && !parameters.fsType().isEmpty()) {
            csi.addProperty("fsType", parameters.fsType());
        }
        for (var secret : parameters.secrets().entrySet()) {
            var field = SECRET_FIELDS.get(secret.getKey());
            if (field != null) {
                var reference = new JsonObject();
                reference.addProperty("name", secret.getValue().name());
                reference.addProperty("namespace", secret.getValue().namespace());
                csi.add(field, reference);
            }
        }
        return csi;
    }

    private static JsonArray texts(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    private static JsonArray list(JsonObject element) {
        var array = new JsonArray();
        array.add(element);
        return array;
    }
}
