package lvms.operator.unit;

import lvms.api.DeviceClass;
import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Owns one VolumeSnapshotClass for each device class, where the server knows that type.
 *
 * <p>The type comes with another product and may appear at any time. Nothing follows it before.
 *
 * @param applier writes
 * @param kube says whether the type is there
 * @param snapshotClasses all VolumeSnapshotClasses; started when the type is there
 */
public record SnapshotClassUnit(Applier applier, KubeClient kube, Informer snapshotClasses)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "volumeSnapshotClass";
    }

    /** Returns the objects that the cluster asks for, in the order of its spec. */
    public static List<KubeObject> desired(LvmCluster cluster) {
        return cluster.deviceClasses().stream().map(c -> snapshotClass(cluster, c)).toList();
    }

    private static KubeObject snapshotClass(LvmCluster cluster, DeviceClass deviceClass) {
        var labels = new LinkedHashMap<>(deviceClass.effectiveOptions().additionalLabels());
        labels.putAll(Names.ownedBy(cluster));
        return KubeObject.create(Types.VOLUME_SNAPSHOT_CLASS, key(deviceClass.name()))
                .with(Trees.of(labels), "metadata", "labels")
                .with(Driver.TOPOLVM.name(), "driver")
                .with("Delete", "deletionPolicy");
    }

    private static ObjectKey key(String deviceClass) {
        return ObjectKey.cluster(Names.classOf(deviceClass));
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        if (!kube.serves(Types.VOLUME_SNAPSHOT_CLASS)) {
            return new Outcome.Converged();
        }
        snapshotClasses.start();
        for (var wanted : desired(cluster)) {
            applier.apply(wanted, snapshotClasses);
        }
        return new Outcome.Converged();
    }

    /** Deletes every class of the cluster, even of device classes that left its spec before. */
    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        if (!kube.serves(Types.VOLUME_SNAPSHOT_CLASS)) {
            return new Outcome.Converged();
        }
        var terminating = new ArrayList<String>();
        for (var present : kube.list(Types.VOLUME_SNAPSHOT_CLASS, ListOptions.all())) {
            if (ours(present) && Trees.isOwned(present, cluster)) {
                remove(present).ifPresent(terminating::add);
            }
        }
        return terminating.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(
                        "VolumeSnapshotClasses are terminating: " + String.join(", ", terminating),
                        POLL);
    }

    private static boolean ours(KubeObject snapshotClass) {
        return snapshotClass.text("driver").filter(Driver.TOPOLVM.name()::equals).isPresent();
    }

    /** Deletes the class of a device class; returns its name while it terminates. */
    Optional<String> remove(String deviceClass) throws ApiException, InterruptedException {
        if (!kube.serves(Types.VOLUME_SNAPSHOT_CLASS)) {
            return Optional.empty();
        }
        var present =
                kube.find(Types.VOLUME_SNAPSHOT_CLASS, key(deviceClass))
                        .filter(SnapshotClassUnit::ours);
        return present.isPresent() ? remove(present.get()) : Optional.empty();
    }

    private Optional<String> remove(KubeObject present) throws ApiException, InterruptedException {
        return applier.delete(Types.VOLUME_SNAPSHOT_CLASS, present) == Deletion.IN_PROGRESS
                ? Optional.of(present.name())
                : Optional.empty();
    }
}
