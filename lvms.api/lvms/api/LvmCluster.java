package lvms.api;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Toleration;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An LVMCluster: what an administrator asks of the whole product.
 *
 * @param object the object with every field
 * @param tolerations tolerations of the node agent; they also decide which nodes count
 * @param deviceClasses device classes, in the order of the spec
 * @param status what was reported last
 */
public record LvmCluster(
        KubeObject object,
        List<Toleration> tolerations,
        List<DeviceClass> deviceClasses,
        LvmClusterStatus status) {
    /** LVMCluster in {@code lvm.topolvm.io/v1alpha1}. */
    public static final ResourceType TYPE =
            new ResourceType(Names.LVM_GROUP, Names.LVM_VERSION, "LVMCluster", "lvmclusters", true);

    public LvmCluster {
        Objects.requireNonNull(object, "object");
        tolerations = List.copyOf(tolerations);
        deviceClasses = List.copyOf(deviceClasses);
        Objects.requireNonNull(status, "status");
    }

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static LvmCluster of(KubeObject object) {
        return new LvmCluster(
                object,
                object.objects("spec", "tolerations").stream().map(Toleration::of).toList(),
                object.objects("spec", "storage", "deviceClasses").stream()
                        .map(DeviceClass::of)
                        .toList(),
                LvmClusterStatus.of(object.object("status").orElse(ObjectTree.EMPTY)));
    }

    /** Returns the same cluster with other device classes, for comparing and planning. */
    public LvmCluster withDeviceClasses(List<DeviceClass> classes) {
        return new LvmCluster(object, tolerations, classes, status);
    }

    /** Finds a device class by name. */
    public Optional<DeviceClass> deviceClass(String name) {
        return deviceClasses.stream().filter(c -> c.name().equals(name)).findFirst();
    }

    public String name() {
        return object.name();
    }

    public String namespace() {
        return object.namespace();
    }

    /** Returns the nodes that any class is for, empty if some class is for all nodes. */
    public Optional<NodeTerms> nodeSelector() {
        if (deviceClasses.isEmpty()
                || deviceClasses.stream().anyMatch(c -> c.group().nodeSelector().isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(
                NodeTerms.anyOf(
                        deviceClasses.stream().map(c -> c.group().nodeSelector().get()).toList()));
    }
}
