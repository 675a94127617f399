package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Result;
import lvms.lvm2.LvmException;
import lvms.node.definition.TypeInUse;
import lvms.node.proof.Proofs;
import lvms.node.proof.VolumeRemoval;
import lvms.node.volume.VolumeMetrics.Operation;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Removes the volumes of LogicalVolumes that are being deleted, and then lets the objects go.
 *
 * @param storage where the volumes are
 * @param objects the objects of this node
 * @param groupChanged told in which group a volume was removed
 * @param removed told when a volume is gone from the disk, perhaps more than once
 * @param metrics counts removals
 */
record VolumeRemoving(
        NodeStorage storage,
        NodeVolumes objects,
        VolumeStatusWriter writer,
        TypeInUse typeInUse,
        Consumer<String> groupChanged,
        Consumer<LogicalVolume> removed,
        VolumeMetrics metrics) {
    private static final Logger LOG = System.getLogger(VolumeRemoving.class.getName());

    /** Unpublishing a volume wakes its removal; this period is for users outside of Kubernetes. */
    private static final Duration IN_USE_RECHECK = Duration.ofSeconds(30);

    private static final Duration KEPT_RECHECK = Duration.ofMinutes(10);

    Result remove(LogicalVolume volume)
            throws ApiException, LvmException, IOException, InterruptedException {
        try {
            var found = storage.find(volume);
            var type = typeInUse.of(volume);
            if (type == TypeInUse.Answer.NOT_KNOWN_YET) {
                return Result.requeueAfter(typeInUse.settling());
            }
            var obstacle = Proofs.remove(evidence(volume, found, type));
            if (obstacle.isPresent()) {
                LOG.log(
                        Level.WARNING,
                        () -> "volume is kept name=" + volume.name() + ": " + obstacle.get());
                return Result.requeueAfter(KEPT_RECHECK);
            }
            var copy = unfinishedCopy(volume);
            if (copy.isPresent()) {
                writer.failed(
                        volume,
                        StatusCode.FAILED_PRECONDITION,
                        copy.get() + " is still being copied from it");
                return Result.requeueAfter(IN_USE_RECHECK);
            }
            if (found.isEmpty()) {
                requireGone(volume);
            } else if (!removed(volume, found.get())) {
                return Result.requeueAfter(IN_USE_RECHECK);
            }
        } catch (VolumeRefused e) {
            metrics.failed(Operation.REMOVE);
            writer.failed(volume, e.code(), e.getMessage());
            return Result.requeueAfter(LogicalVolumeReconciler.ABSENT_VOLUME_RECHECK);
        } catch (LvmException e) {
            if (!e.passing()) {
                metrics.failed(Operation.REMOVE);
                writer.failed(volume, LvmFailure.codeOf(e), e.getMessage());
            }
            throw e;
        }
        removed.accept(volume);
        writer.release(volume);
        return Result.done();
    }

    /** Between two processes nothing in LVM shows that somebody needs it. */
    private Optional<String> unfinishedCopy(LogicalVolume source) {
        return objects.copiesOf(source.name()).stream()
                .filter(other -> other.state() == LogicalVolume.State.PENDING)
                .filter(storage::fills)
                .map(LogicalVolume::name)
                .findFirst();
    }

    /** Returns whether it was removed; its status says why not, if somebody uses it. */
    private boolean removed(LogicalVolume volume, NodeStorage.Found found)
            throws ApiException, LvmException, VolumeRefused, IOException, InterruptedException {
        var name = found.name();
        try {
            storage.remove(volume, found);
        } catch (LvmException.InUse e) {
            writer.failed(volume, LvmFailure.codeOf(e), InUse.describe(name, e));
            return false;
        }
        metrics.done(Operation.REMOVE);
        LOG.log(Level.INFO, () -> "logical volume removed lv=" + name);
        groupChanged.accept(name.vg());
        return true;
    }

    private VolumeRemoval evidence(
            LogicalVolume volume, Optional<NodeStorage.Found> found, TypeInUse.Answer type) {
        var name = found.map(NodeStorage.Found::name);
        return new VolumeRemoval(
                volume.name(),
                Set.copyOf(NodeStorage.names(volume)),
                name,
                found.map(NodeStorage.Found::tags).orElse(Set.of()),
                name.flatMap(there -> objects.holder(volume, there.lv())),
                type == TypeInUse.Answer.IN_USE);
    }

    private void requireGone(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        boolean makingFailed =
                !NodeStorage.hadVolume(volume) && volume.status().code() != StatusCode.OK;
        if (!makingFailed) {
            storage.requireGone(volume);
        }
    }
}
