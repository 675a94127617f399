package lvms.operator.claim;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A PersistentVolumeClaim.
 *
 * @param object the object
 * @param targetVolume name of its volume, even before the volume exists
 */
public record Claim(KubeObject object, String targetVolume) {
    private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    private static final String OLD_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
    private static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";
    private static final String OLD_CLASS = "volume.beta.kubernetes.io/storage-class";

    private static final String TOO_LARGE = "lvms/too-large"; // in caches alone

    /** Annotation with the node that the scheduler chose. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** The annotations that are read here. */
    public static final Set<String> ANNOTATIONS =
            Set.of(
                    PROVISIONER,
                    OLD_PROVISIONER,
                    MIGRATED_TO,
                    OLD_CLASS,
                    SELECTED_NODE,
                    Names.DISPOSABLE_ANNOTATION);

    /** A claim whose volume is called as external-provisioner does without flags. */
    public Claim(KubeObject object) {
        this(object, VolumeNaming.DEFAULT.of(object.uid()));
    }

    /** Returns the claim of a PersistentVolume, with what an Event needs and no more. */
    public static Optional<KubeObject> ofVolume(KubeObject volume) {
        return volume.text("spec", "claimRef", "name")
                .map(
                        name ->
                                KubeObject.create(Types.PVC, reference(volume, name))
                                        .with(
                                                volume.text("spec", "claimRef", "uid").orElse(""),
                                                "metadata",
                                                "uid"));
    }

    private static ObjectKey reference(KubeObject volume, String name) {
        return ObjectKey.of(volume.text("spec", "claimRef", "namespace").orElse(""), name);
    }

    /** Returns the claim with another name of its volume. */
    public Claim named(String volume) {
        return new Claim(object, volume);
    }

    /** Returns what a cache keeps of a claim that is too large to be served. */
    public static KubeObject tooLarge(KubeObject stub) {
        return stub.with("", "metadata", "annotations", TOO_LARGE);
    }

    /** Returns whether a cache holds only its name and class, since it is too large. */
    public boolean isTooLarge() {
        return object.annotation(TOO_LARGE).isPresent();
    }

    /** Returns namespace and name. */
    public ObjectKey key() {
        return object.key();
    }

    public String uid() {
        return object.uid();
    }

    /** Returns the volume it is bound to, or is to be bound to, empty if none was chosen. */
    public String volumeName() {
        return object.text("spec", "volumeName").orElse("");
    }

    /** Returns whether it has a volume, or is to have one that somebody chose. */
    public boolean bound() {
        return !volumeName().isEmpty();
    }

    /** Returns whether Kubernetes has not bound it yet. */
    public boolean isPending() {
        return object.text("status", "phase").orElse("").equals("Pending");
    }

    public String className() {
        return object.annotation(OLD_CLASS)
                .or(() -> object.text("spec", "storageClassName"))
                .orElse("");
    }

    /** Returns the VolumeAttributesClass that somebody wants for its volume, empty for none. */
    public String attributesClassName() {
        return object.text("spec", "volumeAttributesClassName").orElse("");
    }

    /** Returns the name of the driver that Kubernetes chose for it, empty for none yet. */
    public String provisioner() {
        return object.annotation(MIGRATED_TO)
                .or(() -> object.annotation(PROVISIONER))
                .or(() -> object.annotation(OLD_PROVISIONER))
                .orElse("");
    }

    /** Returns the node that the scheduler chose. */
    public Optional<String> selectedNode() {
        return object.annotation(SELECTED_NODE).filter(node -> !node.isEmpty());
    }

    /** Returns the requested size in bytes, 0 if there is none. */
    public long requestedBytes() {
        return object.value("spec", "resources", "requests", "storage")
                .map(Quantity::parse)
                .map(Quantity::bytes)
                .orElse(0L);
    }

    public List<String> accessModes() {
        return object.list("spec", "accessModes").texts();
    }

    /** Returns {@code Block} or {@code Filesystem}. */
    public String volumeMode() {
        return object.text("spec", "volumeMode").orElse("Filesystem");
    }

    /**
     * What a claim's content comes from.
     *
     * @param group API group of its kind
     * @param kind kind
     * @param namespace namespace, empty for the claim's own
     * @param name name
     */
    public record DataSource(String group, String kind, String namespace, String name) {
        /** Returns the object's key, given that of the claim. */
        public ObjectKey key(ObjectKey claim) {
            return ObjectKey.of(namespace.isEmpty() ? claim.namespace() : namespace, name);
        }

        public boolean isSnapshot() {
            return kind.equals("VolumeSnapshot") && group.equals("snapshot.storage.k8s.io");
        }

        public boolean isClaim() {
            return kind.equals("PersistentVolumeClaim") && group.isEmpty();
        }
    }

    /** Returns what its content comes from. */
    public Optional<DataSource> dataSource() {
        return dataSource("dataSourceRef").or(() -> dataSource("dataSource"));
    }

    private Optional<DataSource> dataSource(String field) {
        return object.text("spec", field, "name")
                .map(
                        name ->
                                new DataSource(
                                        object.text("spec", field, "apiGroup").orElse(""),
                                        object.text("spec", field, "kind").orElse(""),
                                        object.text("spec", field, "namespace").orElse(""),
                                        name));
    }
}
