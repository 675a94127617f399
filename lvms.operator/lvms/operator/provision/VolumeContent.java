package lvms.operator.provision;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.api.VolumeAffinity;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.backend.BegunVolume;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.volume.Access;

import java.util.List;
import java.util.Map;

/** The PersistentVolume that is written for a claim. */
final class VolumeContent {
    /** Finalizer that keeps a PersistentVolume until its volume is gone. */
    static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

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
            BegunVolume volume,
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
                        .with(VolumeAffinity.of(driver, topology), "spec", "nodeAffinity")
                        .with(csi(driver, claim, parameters, volume, identity), "spec", "csi");
        if (storageClass.name().startsWith(Names.CLASS_PREFIX)) { // else VolumeHint would write it
            object = object.with(topology, "metadata", "labels", Names.HOSTNAME_LABEL);
        }
        if (!claim.attributesClassName().isEmpty()) {
            object = object.with(claim.attributesClassName(), "spec", "volumeAttributesClassName");
        }
        if (!storageClass.mountOptions().isEmpty()) {
            object = object.with(texts(storageClass.mountOptions()), "spec", "mountOptions");
        }
        return storageClass.reclaimPolicy().equals("Delete")
                ? object.with(texts(List.of(FINALIZER)), "metadata", "finalizers")
                : object;
    }

    private static ObjectTree annotations(Driver driver, ClassParameters parameters) {
        var annotations = ObjectTree.builder();
        annotations.put(Names.PROVISIONED_BY_ANNOTATION, driver.name());
        var deletion = parameters.secrets().get("provisioner");
        annotations.put(DELETION_SECRET + "name", deletion == null ? "" : deletion.name());
        annotations.put(
                DELETION_SECRET + "namespace", deletion == null ? "" : deletion.namespace());
        var modify = parameters.secrets().get("controller-modify");
        if (modify != null) {
            annotations.put(MODIFY_SECRET + "name", modify.name());
            annotations.put(MODIFY_SECRET + "namespace", modify.namespace());
        }
        return annotations.build();
    }

    private static ObjectTree reference(Claim claim) {
        var reference = ObjectTree.builder();
        reference.put("kind", Types.PVC.kind());
        reference.put("apiVersion", Types.PVC.apiVersion());
        reference.put("namespace", claim.key().namespace());
        reference.put("name", claim.key().name());
        reference.put("uid", claim.uid());
        reference.put("resourceVersion", claim.object().resourceVersion());
        return reference.build();
    }

    private static ObjectTree csi(
            Driver driver,
            Claim claim,
            ClassParameters parameters,
            BegunVolume volume,
            String identity) {
        var attributes = ObjectTree.builder();
        attributes.put("storage.kubernetes.io/csiProvisionerIdentity", identity);
        volume.attributes().forEach(attributes::put);
        var access = parameters.access(claim.volumeMode());
        if (access instanceof Access.Mount mount) {
            mount.attributes().forEach(attributes::put);
        }
        var csi = ObjectTree.builder();
        csi.put("driver", driver.name());
        csi.put("volumeHandle", volume.id());
        csi.put("volumeAttributes", attributes.build());
        if (access instanceof Access.Mount(var fsType, _, _) && !fsType.isEmpty()) {
            csi.put("fsType", fsType);
        }
        for (var secret : parameters.secrets().entrySet()) {
            var field = SECRET_FIELDS.get(secret.getKey());
            if (field != null) {
                var reference = ObjectTree.builder();
                reference.put("name", secret.getValue().name());
                reference.put("namespace", secret.getValue().namespace());
                csi.put(field, reference.build());
            }
        }
        return csi.build();
    }

    private static ListTree texts(List<String> texts) {
        var array = ListTree.builder();
        texts.forEach(array::add);
        return array.build();
    }
}
