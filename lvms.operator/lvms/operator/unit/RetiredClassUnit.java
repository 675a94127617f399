package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.StorageClassOptions.ReclaimPolicy;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removes what belongs to device classes that are no longer in the spec.
 *
 * <p>Nothing happens to a class that is in use. Its StorageClass goes first, so that no new claim
 * can get in between, and its LVMVolumeGroup last.
 *
 * @param use tells whether a class is in use
 * @param storageClasses the unit that owns StorageClasses
 * @param snapshotClasses the unit that owns VolumeSnapshotClasses
 * @param volumeGroups the unit that owns LVMVolumeGroups
 */
public record RetiredClassUnit(
        VolumeUse use,
        StorageClassUnit storageClasses,
        SnapshotClassUnit snapshotClasses,
        VolumeGroupUnit volumeGroups)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "retiredDeviceClasses";
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        var waiting = new ArrayList<String>();
        for (var volumeGroup : volumeGroups.owned(cluster)) {
            if (cluster.deviceClass(volumeGroup.name()).isEmpty()) {
                retire(volumeGroup).ifPresent(waiting::add);
            }
        }
        return waiting.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(String.join("; ", waiting), POLL);
    }

    private Optional<String> retire(KubeObject volumeGroup)
            throws ApiException, InterruptedException {
        if (!volumeGroup.terminating()) {
            var blocking = use.blocking(candidate(volumeGroup));
            if (blocking.isPresent()) {
                return blocking;
            }
        }
        var name = volumeGroup.name();
        var classes = new ArrayList<String>();
        storageClasses.remove(name).ifPresent(classes::add);
        snapshotClasses.remove(name).ifPresent(classes::add);
        if (!classes.isEmpty()) {
            return Optional.of("terminating: " + String.join(", ", classes));
        }
        return volumeGroups.remove(volumeGroup).map(text -> "LVMVolumeGroup terminating: " + text);
    }

    /** Returns the class of an LVMVolumeGroup, as it is judged before it may go. */
    public VolumeUse.Candidate candidate(KubeObject volumeGroup) {
        return new VolumeUse.Candidate(
                volumeGroup.name(),
                retains(volumeGroup.name()),
                LvmVolumeGroup.of(volumeGroup).spec().isDefault());
    }

    // A class whose StorageClass is gone may have had any policy, so its volumes count.
    private boolean retains(String deviceClass) {
        return storageClasses
                .storageClasses()
                .get(ObjectKey.cluster(Names.classOf(deviceClass)))
                .flatMap(c -> c.text("reclaimPolicy"))
                .filter(ReclaimPolicy.DELETE.text()::equals)
                .isEmpty();
    }

    /** Returns what keeps any of the cluster's classes from being removed, all of them at once. */
    public List<String> blocking(LvmCluster cluster) throws ApiException, InterruptedException {
        var blocking = new ArrayList<String>();
        for (var volumeGroup : volumeGroups.owned(cluster)) {
            if (!volumeGroup.terminating()) {
                use.blocking(candidate(volumeGroup)).ifPresent(blocking::add);
            }
        }
        return blocking;
    }

    /** Removes nothing: when a cluster goes, the other units remove their objects in order. */
    @Override
    public Outcome remove(LvmCluster cluster) {
        return new Outcome.Converged();
    }
}
