package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Result;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.node.proof.Proofs;
import lvms.node.proof.VolumeRemoval;
import lvms.node.volume.VolumeMetrics.Operation;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Removes the volumes of LogicalVolumes that are being deleted, and then lets the objects go.
 *
 * @param groupChanged told in which group a volume was removed
 * @param removed told when a volume is gone from the disk, perhaps more than once
 * @param metrics counts removals
 */
record VolumeRemoving(
        VolumeOperations operations,
        GroupLedgers groups,
        VolumeHomes homes,
        VolumeStatusWriter writer,
        FormerVolumes formerVolumes,
        TypeInUse typeInUse,
        Consumer<String> groupChanged,
        Consumer<LogicalVolume> removed,
        VolumeMetrics metrics) {
    private static final Logger LOG = System.getLogger(VolumeRemoving.class.getName());

    /** Unpublishing a volume wakes its removal; this period is for users outside of Kubernetes. */
    private static final Duration IN_USE_RECHECK = Duration.ofSeconds(30);

    private static final Duration KEPT_RECHECK = Duration.ofMinutes(10);

    Result remove(LogicalVolume volume, VolumeClass deviceClass)
            throws ApiException, LvmException, IOException, InterruptedException {
        var likely = deviceClass.volumeGroups();
        try {
            var name = locate(volume, likely);
            var type = typeInUse.of(volume);
            if (type == TypeInUse.Answer.NOT_KNOWN_YET) {
                return Result.requeueAfter(typeInUse.settling());
            }
            var obstacle = Proofs.remove(evidence(volume, name, type));
            if (obstacle.isPresent()) {
                LOG.log(
                        Level.WARNING,
                        () -> "volume is kept name=" + volume.name() + ": " + obstacle.get());
                return Result.requeueAfter(KEPT_RECHECK);
            }
            if (name.isEmpty()) {
                requireGone(volume, deviceClass);
            } else {
                homes.require(volume, name.get().vg());
                operations.remove(name.get(), deviceClass.erasure());
                metrics.done(Operation.REMOVE);
                LOG.log(Level.INFO, () -> "logical volume removed lv=" + name.get());
                groupChanged.accept(name.get().vg());
            }
        } catch (LvmException.InUse e) {
            writer.failed(volume, LvmFailure.codeOf(e), InUse.describe(volume, likely, e));
            return Result.requeueAfter(IN_USE_RECHECK);
        } catch (VolumeRefused e) {
            metrics.failed(Operation.REMOVE);
            writer.failed(volume, e.code(), e.getMessage());
            return Result.requeueAfter(LogicalVolumeReconciler.ABSENT_VOLUME_RECHECK);
        } catch (LvmException e) {
            if (!LvmFailure.passing(e)) {
                metrics.failed(Operation.REMOVE);
                writer.failed(volume, LvmFailure.codeOf(e), e.getMessage());
            }
            throw e;
        }
        removed.accept(volume);
        writer.release(volume);
        return Result.done();
    }

    /** One that nobody ever got can only be where its class makes volumes. */
    private Optional<LvName> locate(LogicalVolume volume, List<String> likely)
            throws LvmException, InterruptedException {
        return hadVolume(volume) || likely.isEmpty()
                ? operations.locate(volume.volumeName(), likely)
                : groups.locateIn(likely, volume.volumeName());
    }

    private static boolean hadVolume(LogicalVolume volume) {
        return !volume.status().volumeId().isEmpty() || volume.formerId().isPresent();
    }

    private VolumeRemoval evidence(
            LogicalVolume volume, Optional<LvName> found, TypeInUse.Answer type)
            throws ApiException, LvmException, InterruptedException {
        var tags =
                found.isEmpty()
                        ? Optional.<Set<String>>empty()
                        : groups.report(found.get().vg())
                                .flatMap(report -> report.logicalVolume(found.get().lv()))
                                .map(lvms.lvm2.LogicalVolume::tags);
        return new VolumeRemoval(
                volume.name(),
                Set.of(volume.volumeName()),
                found,
                tags.orElse(Set.of()),
                found.flatMap(name -> formerVolumes.holder(volume, name)),
                type == TypeInUse.Answer.IN_USE);
    }

    /**
     * Refuses unless the volume is certainly gone. A volume that was not found is gone only if
     * nothing can hide it: its class names a group that is here, or no class names a group for it
     * any more. A group whose disks are away still has it.
     */
    private void requireGone(LogicalVolume volume, VolumeClass deviceClass)
            throws LvmException, VolumeRefused, InterruptedException {
        if (!hadVolume(volume) && volume.status().code() != StatusCode.OK) {
            return; // making it failed
        }
        for (var vg : deviceClass.volumeGroups()) {
            if (!groups.exists(vg)) {
                throw new VolumeRefused(
                        StatusCode.FAILED_PRECONDITION,
                        "volume group "
                                + vg
                                + " is not on this node now, so the volume in it cannot be removed;"
                                + " bring its disks back, or remove the device class");
            }
            homes.require(volume, vg); // one that replaced it says nothing about its volumes
        }
    }
}
