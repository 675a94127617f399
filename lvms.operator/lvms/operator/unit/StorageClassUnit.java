package lvms.operator.unit;

import lvms.api.DeviceClass;
import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Owns one StorageClass for each device class.
 *
 * @param applier writes
 * @param storageClasses all StorageClasses, including those of other vendors
 */
public record StorageClassUnit(Applier applier, Informer storageClasses) implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final String DESCRIPTION =
            "Provides RWO and RWOP filesystem volumes, and RWO and RWOP block volumes";

    @Override
    public String name() {
        return "topolvmStorageClass";
    }

    /**
     * Returns the objects that the cluster asks for, in the order of its spec.
     *
     * @param present all existing StorageClasses
     */
    public static List<KubeObject> desired(LvmCluster cluster, List<KubeObject> present) {
        return cluster.deviceClasses().stream()
                .map(c -> storageClass(cluster, c, becomesDefault(c, cluster, present)))
                .toList();
    }

    // A default of another vendor is respected, but ours is not given up when one comes later.
    private static boolean becomesDefault(
            DeviceClass deviceClass, LvmCluster cluster, List<KubeObject> present) {
        if (!deviceClass.isDefault()) {
            return false;
        }
        var ours = cluster.deviceClasses().stream().map(c -> Names.classOf(c.name())).toList();
        var defaults =
                present.stream().filter(StorageClassUnit::isDefault).map(KubeObject::name).toList();
        return defaults.contains(Names.classOf(deviceClass.name())) || ours.containsAll(defaults);
    }

    private static boolean isDefault(KubeObject storageClass) {
        return storageClass
                .annotation(Names.DEFAULT_CLASS_ANNOTATION)
                .filter("true"::equals)
                .isPresent();
    }

    private static KubeObject storageClass(
            LvmCluster cluster, DeviceClass deviceClass, boolean isDefault) {
        var options = deviceClass.effectiveOptions();
        var parameters = new LinkedHashMap<>(options.additionalParameters());
        parameters.put(Driver.TOPOLVM.deviceClassParameter(), deviceClass.name());
        parameters.put(Names.PARAMETER_FSTYPE, deviceClass.fstype());
        var labels = new LinkedHashMap<>(options.additionalLabels());
        labels.putAll(Names.ownedBy(cluster));
        var annotations =
                Map.of(
                        "description",
                        DESCRIPTION,
                        Names.DEFAULT_CLASS_ANNOTATION,
                        Boolean.toString(isDefault));
        return KubeObject.create(Types.STORAGE_CLASS, key(deviceClass.name()))
                .with(Trees.of(labels), "metadata", "labels")
                .with(Trees.of(annotations), "metadata", "annotations")
                .with(Driver.TOPOLVM.name(), "provisioner")
                .with(Trees.of(parameters), "parameters")
                .with(options.reclaimPolicy().text(), "reclaimPolicy")
                .with(options.bindingMode().text(), "volumeBindingMode")
                .with(true, "allowVolumeExpansion");
    }

    private static ObjectKey key(String deviceClass) {
        return ObjectKey.cluster(Names.classOf(deviceClass));
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        var foreign = new ArrayList<String>();
        for (var wanted : desired(cluster, storageClasses.list())) {
            if (storageClasses.get(wanted.key()).filter(p -> !ours(p)).isPresent()) {
                foreign.add(wanted.name());
            } else {
                applier.apply(wanted, storageClasses);
            }
        }
        return foreign.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Rejected(
                        "a StorageClass with this name belongs to another provisioner; rename or"
                                + " delete it: "
                                + String.join(", ", foreign));
    }

    private static boolean ours(KubeObject storageClass) {
        return storageClass.text("provisioner").filter(Driver.TOPOLVM.name()::equals).isPresent();
    }

    /** Deletes every StorageClass of the cluster, even of classes that left its spec before. */
    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var terminating = new ArrayList<String>();
        for (var present : storageClasses.list()) {
            if (ours(present) && Trees.isOwned(present, cluster)) {
                remove(present).ifPresent(terminating::add);
            }
        }
        return terminating.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(
                        "StorageClasses are terminating: " + String.join(", ", terminating), POLL);
    }

    /** Deletes the StorageClass of a device class; returns its name while it terminates. */
    Optional<String> remove(String deviceClass) throws ApiException, InterruptedException {
        var present = storageClasses.get(key(deviceClass)).filter(StorageClassUnit::ours);
        return present.isPresent() ? remove(present.get()) : Optional.empty();
    }

    private Optional<String> remove(KubeObject present) throws ApiException, InterruptedException {
        return applier.delete(Types.STORAGE_CLASS, present) == Deletion.IN_PROGRESS
                ? Optional.of(present.name())
                : Optional.empty();
    }
}
