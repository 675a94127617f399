package lvms.operator.unit;

import lvms.api.DeviceClass;
import lvms.api.DiscoveryPolicy;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.VolumeGroupTemplate;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Owns one LVMVolumeGroup for each device class; the nodes do the rest.
 *
 * @param applier writes
 * @param kube removes a finalizer of very old versions
 * @param volumeGroups LVMVolumeGroups of the namespace
 */
public record VolumeGroupUnit(Applier applier, KubeClient kube, Informer volumeGroups)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "lvmVG";
    }

    /**
     * Returns the objects that the cluster asks for, in the order of its spec.
     *
     * @param present finds the LVMVolumeGroup of a class, if it was made before
     */
    public static List<KubeObject> desired(
            LvmCluster cluster, Function<ObjectKey, Optional<KubeObject>> present) {
        boolean only = cluster.deviceClasses().size() == 1;
        return cluster.deviceClasses().stream()
                .map(
                        deviceClass -> {
                            var key = ObjectKey.of(cluster.namespace(), deviceClass.name());
                            var spec =
                                    new LvmVolumeGroup.Spec(
                                            only || deviceClass.isDefault(),
                                            settled(deviceClass, present.apply(key)));
                            return Trees.owned(KubeObject.create(LvmVolumeGroup.TYPE, key), cluster)
                                    .with(spec.json(), "spec");
                        })
                .toList();
    }

    /**
     * Says what the class does with devices that appear later, if nobody did: a new class leaves
     * them alone, and one that is there goes on as before.
     */
    private static VolumeGroupTemplate settled(
            DeviceClass deviceClass, Optional<KubeObject> present) {
        var group = deviceClass.group();
        if (group.discoveryPolicy().isPresent() || deviceClass.hasPaths()) {
            return group;
        }
        return group.withDiscovery(
                present.isEmpty()
                        ? Optional.of(DiscoveryPolicy.STATIC)
                        : present.get()
                                .text("spec", "deviceDiscoveryPolicy")
                                .map(DiscoveryPolicy::of));
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        for (var wanted : desired(cluster, volumeGroups::get)) {
            var present = volumeGroups.get(wanted.key());
            if (present.filter(KubeObject::terminating).isPresent()) {
                return new Outcome.Pending(
                        "LVMVolumeGroup "
                                + wanted.name()
                                + " is still being deleted; it is created again after that",
                        POLL);
            }
            applier.takeOver(wanted, volumeGroups, FieldTakeover.SPEC);
            if (present.isPresent()) {
                dropLegacyFinalizer(present.get());
            }
        }
        return new Outcome.Converged();
    }

    private void dropLegacyFinalizer(KubeObject present) throws ApiException, InterruptedException {
        if (present.finalizers().contains(Names.LEGACY_VOLUME_GROUP_FINALIZER)) {
            kube.removeFinalizer(LvmVolumeGroup.TYPE, present, Names.LEGACY_VOLUME_GROUP_FINALIZER)
                    .ifPresent(volumeGroups::observed);
        }
    }

    /** Deletes every LVMVolumeGroup of the cluster, even of classes that left its spec before. */
    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var waiting = new StringBuilder();
        for (var present : owned(cluster)) {
            remove(present)
                    .ifPresent(text -> waiting.append(waiting.isEmpty() ? "" : ", ").append(text));
        }
        return waiting.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending("LVMVolumeGroups are terminating: " + waiting, POLL);
    }

    /** Returns the LVMVolumeGroups that the cluster controls, by name. */
    List<KubeObject> owned(LvmCluster cluster) {
        return volumeGroups.list().stream()
                .filter(vg -> controls(cluster, vg))
                .sorted(Comparator.comparing(KubeObject::name))
                .toList();
    }

    /** Returns whether the cluster is the controller of the object. */
    public static boolean controls(LvmCluster cluster, KubeObject object) {
        return object.ownerReferences().stream()
                .anyMatch(o -> o.controller() && o.uid().equals(cluster.object().uid()));
    }

    /** Deletes one; returns its name and the nodes that are not done while it terminates. */
    Optional<String> remove(KubeObject present) throws ApiException, InterruptedException {
        dropLegacyFinalizer(present);
        if (applier.delete(LvmVolumeGroup.TYPE, present) == Deletion.GONE) {
            return Optional.empty();
        }
        var nodes = LvmVolumeGroup.of(present).nodesWithFinalizer();
        return Optional.of(
                present.name()
                        + (nodes.isEmpty() ? "" : " (nodes " + String.join(", ", nodes) + ")"));
    }
}
