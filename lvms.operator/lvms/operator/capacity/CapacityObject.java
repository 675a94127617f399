package lvms.operator.capacity;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.operator.backend.NodeSpace.Free;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The CSIStorageCapacity of a class on a node. */
final class CapacityObject {
    private static final String DRIVER_LABEL = "csi.storage.k8s.io/drivername";
    private static final String MANAGER_LABEL = "csi.storage.k8s.io/managed-by";
    private static final String MANAGER = "external-provisioner";
    private static final String CAPACITY = "capacity";
    private static final String LARGEST = "maximumVolumeSize";

    private CapacityObject() {}

    /** Returns the label selector of the objects that are ours. */
    static String selector(Drivers drivers) {
        var names = drivers.all().stream().map(Driver::name).toList();
        var ofDriver =
                names.size() == 1
                        ? "=" + names.getFirst()
                        : " in (" + String.join(",", names) + ")";
        return DRIVER_LABEL + ofDriver + "," + MANAGER_LABEL + "=" + MANAGER;
    }

    /**
     * Returns the object. Its name is derived from the pair, so two writers write one object.
     *
     * @param free what is free on the node
     */
    static KubeObject of(
            Driver driver, String namespace, Pair pair, Free free, Optional<OwnerReference> owner) {
        var object =
                KubeObject.create(Types.CSI_STORAGE_CAPACITY, ObjectKey.of(namespace, name(pair)))
                        .with(driver.name(), "metadata", "labels", DRIVER_LABEL)
                        .with(MANAGER, "metadata", "labels", MANAGER_LABEL)
                        .with(pair.topology(), "nodeTopology", "matchLabels", driver.topologyKey())
                        .with(pair.storageClass(), "storageClassName")
                        .with(Quantity.ofBytes(free.totalBytes()).toString(), CAPACITY)
                        .with(Quantity.ofBytes(free.largestBytes()).toString(), LARGEST);
        if (owner.isPresent()) {
            var owners = ListTree.builder();
            owners.add(controllerReference(owner.get()).json());
            object = object.with(owners.build(), "metadata", "ownerReferences");
        }
        return object;
    }

    /** Returns whether an object says just this; those of TopoLVM have no largest volume. */
    static boolean says(KubeObject object, Free free) {
        return bytesOf(object, CAPACITY) == free.totalBytes()
                && bytesOf(object, LARGEST) == free.largestBytes();
    }

    private static long bytesOf(KubeObject object, String field) {
        return object.value(field).map(Quantity::parse).map(Quantity::bytes).orElse(-1L);
    }

    /** Returns the change after which an object {@link #says} this. */
    static MergePatch saying(KubeObject object, Free free) {
        return MergePatch.of(object)
                .set(Quantity.ofBytes(free.totalBytes()).toString(), CAPACITY)
                .set(Quantity.ofBytes(free.largestBytes()).toString(), LARGEST);
    }

    /** Deleting the owner must not wait for these. */
    private static OwnerReference controllerReference(OwnerReference owner) {
        return new OwnerReference(
                owner.apiVersion(), owner.kind(), owner.name(), owner.uid(), true, false);
    }

    private static String name(Pair pair) {
        var text = pair.storageClass() + "/" + pair.topology();
        return "csisc-" + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the pair of an object; empty if the object is not about exactly one node. */
    static Optional<Pair> pairOf(KubeObject object, Drivers drivers) {
        var labels = object.textMap("nodeTopology", "matchLabels");
        var topology =
                drivers.all().stream()
                        .map(Driver::topologyKey)
                        .map(labels::get)
                        .filter(Objects::nonNull);
        return labels.size() == 1
                ? topology.findFirst()
                        .map(value -> new Pair(object.text("storageClassName").orElse(""), value))
                : Optional.empty();
    }

    static List<String> index(KubeObject object, Drivers drivers) {
        return List.of(pairOf(object, drivers).map(Pair::text).orElse(""));
    }
}
