package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.erasure.StillErasing;
import lvms.node.proof.Proofs;
import lvms.node.proof.VolumeRemoval;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One pass for a LogicalVolume of this node. Passes of different volumes run side by side, so the
 * status of one is written while LVM makes the next. They wait only for LVM.
 */
final class LogicalVolumeReconciler implements Reconciler {
    private static final Logger LOG = System.getLogger(LogicalVolumeReconciler.class.getName());

    /** Unpublishing a volume wakes its removal; this period is for users outside of Kubernetes. */
    private static final Duration IN_USE_RECHECK = Duration.ofSeconds(30);

    private static final Duration ABSENT_VOLUME_RECHECK = Duration.ofMinutes(1);

    private static final Duration KEPT_RECHECK = Duration.ofMinutes(10);

    private final String node;
    private final Informer volumes;
    private final Supplier<DeviceClasses> classes;
    private final VolumeOperations operations;
    private final GroupLedgers groups;
    private final VolumeStatusWriter writer;
    private final FormerVolumes formerVolumes;
    private final TypeInUse typeInUse;
    private final ErasureEvents erasures;
    private final KubeClient kube;
    private final Runnable capacityChanged;

    LogicalVolumeReconciler(
            String node,
            KubeClient kube,
            Informer volumes,
            Supplier<DeviceClasses> classes,
            GroupLedgers groups,
            Runnable capacityChanged,
            EventRecorder events) {
        this.node = node;
        this.kube = kube;
        this.volumes = volumes;
        this.classes = classes;
        this.groups = groups;
        this.operations = new VolumeOperations(groups);
        this.writer = new VolumeStatusWriter(volumes);
        this.formerVolumes = new FormerVolumes(kube, volumes, writer, groups);
        this.typeInUse = new TypeInUse(kube);
        this.capacityChanged = capacityChanged;
        this.erasures = new ErasureEvents(events);
    }

    @Override
    public Result reconcile(ObjectKey key)
            throws ApiException, LvmException, IOException, InterruptedException {
        var object = volumes.get(key);
        if (object.isEmpty()) {
            return Result.done();
        }
        LogicalVolume volume;
        try {
            volume = LogicalVolume.of(object.get());
        } catch (IllegalArgumentException e) {
            return Result.terminal(
                    e.getMessage()); // a size that is not a quantity: the schema is gone
        }
        try {
            return take(VolumeStep.of(volume, node), volume);
        } catch (ApiException.NotFound e) {
            LOG.log(
                    Level.DEBUG,
                    () -> "volume is gone name=" + volume.name() + ": " + e.getMessage());
            return Result.done();
        }
    }

    private Result take(VolumeStep step, LogicalVolume volume)
            throws ApiException, LvmException, IOException, InterruptedException {
        return switch (step) {
            case VolumeStep.Converged(var reason) -> {
                LOG.log(
                        Level.DEBUG,
                        () -> "volume needs nothing name=" + volume.name() + ": " + reason);
                yield Result.done();
            }
            case VolumeStep.Claim() -> {
                writer.claim(volume);
                yield Result.done();
            }
            case VolumeStep.Make() -> attempt(claimed(volume), this::make);
            case VolumeStep.Measure() -> attempt(claimed(volume), this::measure);
            case VolumeStep.Grow() -> attempt(claimed(volume), this::grow);
            case VolumeStep.Remove() -> remove(volume);
        };
    }

    private LogicalVolume claimed(LogicalVolume volume) throws ApiException, InterruptedException {
        return VolumeStep.isClaimed(volume) ? volume : writer.claim(volume);
    }

    private interface Work {
        ActualVolume run(LogicalVolume volume)
                throws ApiException,
                        LvmException,
                        VolumeRefused,
                        StillErasing,
                        InterruptedException;
    }

    /** Does the work and writes its outcome to the status. */
    private Result attempt(LogicalVolume volume, Work work)
            throws ApiException, LvmException, InterruptedException {
        ActualVolume there;
        try {
            there = work.run(volume);
        } catch (StillErasing e) {
            erasures.tell(volume, e.erasure());
            return Result.requeueAfter(ErasureEvents.PERIOD); // its end wakes the pass sooner
        } catch (VolumeRefused e) {
            return failed(volume, e.code(), e);
        } catch (LvmException e) {
            if (LvmFailure.passing(e)) {
                throw e; // repeated with back-off: the next pass finds what was made, if anything
            }
            noteRefusal(volume, e);
            return failed(volume, LvmFailure.codeOf(e), e);
        }
        try {
            writer.succeeded(volume, there.name().lv(), there.sizeBytes());
        } finally {
            capacityChanged.run(); // last, since somebody waits for the status
        }
        return Result.done();
    }

    /** The capacity was reported too high: a scheduler would choose this node for ever. */
    private void noteRefusal(LogicalVolume volume, LvmException failure)
            throws LvmException, InterruptedException {
        var deviceClass = classes.get().find(volume.spec().deviceClass());
        boolean planned = deviceClass.filter(c -> c.thin().isEmpty()).isPresent();
        if (!(failure instanceof LvmException.OutOfSpace)) {
            return;
        }
        if (planned && volume.status().volumeId().isEmpty()) {
            groups.fresh(deviceClass.get().volumeGroup())
                    .ifPresent(
                            report ->
                                    groups.capacity()
                                            .refused(
                                                    deviceClass.get(),
                                                    volume.spec().size().bytes(),
                                                    report.group()));
        }
        capacityChanged.run();
    }

    /** Writes the failure. Whoever asked for a new volume gives it up; growing is tried again. */
    private Result failed(LogicalVolume volume, StatusCode code, Exception e)
            throws ApiException, InterruptedException {
        LOG.log(
                Level.WARNING,
                () ->
                        "volume failed name="
                                + volume.name()
                                + " code="
                                + code
                                + ": "
                                + e.getMessage());
        writer.failed(volume, code, e.getMessage());
        if (volume.status().volumeId().isEmpty()) {
            return volume.formerId().isEmpty()
                    ? Result.done()
                    : Result.requeueAfter(ABSENT_VOLUME_RECHECK);
        }
        return Result.requeue();
    }

    private ActualVolume make(LogicalVolume volume)
            throws ApiException, LvmException, VolumeRefused, StillErasing, InterruptedException {
        var former = formerVolumes.find(volume, likely(volume));
        if (former.isPresent()) {
            LOG.log(
                    Level.INFO,
                    () -> "volume found again name=" + volume.name() + " lv=" + former.get());
            return measure(volume, former.get());
        }
        var wanted = NewVolume.of(volume, source(volume), classes.get());
        zeroNewBlocks(volume);
        var there = operations.make(wanted);
        var made = ActualVolume.of(operations.zeroed(wanted, there, erasure(volume).rateBytes()));
        LOG.log(
                Level.INFO,
                () ->
                        "logical volume made name="
                                + volume.name()
                                + " lv="
                                + made.name()
                                + " sizeBytes="
                                + made.sizeBytes());
        return made;
    }

    private Optional<LogicalVolume> source(LogicalVolume volume)
            throws ApiException, VolumeRefused, InterruptedException {
        var name = volume.spec().source();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        var key = ObjectKey.cluster(name);
        var cached = volumes.get(key);
        var found = cached.isPresent() ? cached : kube.find(volume.driver().logicalVolumes(), key);
        var source =
                found.map(LogicalVolume::of)
                        .orElseThrow(
                                () ->
                                        new VolumeRefused(
                                                StatusCode.NOT_FOUND, "no source volume " + name));
        if (!source.spec().nodeName().equals(node)) {
            throw new VolumeRefused(
                    StatusCode.INVALID_ARGUMENT,
                    "source volume " + name + " is on node " + source.spec().nodeName());
        }
        if (source.status().volumeId().isEmpty()) {
            throw new VolumeRefused(
                    StatusCode.FAILED_PRECONDITION, "source volume " + name + " is not made yet");
        }
        return Optional.of(source);
    }

    private ActualVolume measure(LogicalVolume volume)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        return measure(volume, present(volume));
    }

    private ActualVolume measure(LogicalVolume volume, LvName name)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        var there = ActualVolume.of(operations.read(name));
        long wanted = NewVolume.sizeOf(volume);
        return there.sizeBytes() >= wanted ? there : grow(volume, name, wanted);
    }

    private ActualVolume grow(LogicalVolume volume)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        return grow(volume, present(volume), NewVolume.sizeOf(volume));
    }

    private ActualVolume grow(LogicalVolume volume, LvName name, long sizeBytes)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        zeroNewBlocks(volume);
        var thin = classes.get().find(volume.spec().deviceClass()).flatMap(NodeDeviceClass::thin);
        var policy = erasure(volume);
        var grown =
                ActualVolume.of(
                        thin.isEmpty() && policy.zeroes(NewVolume.isFilesystem(volume))
                                ? operations.growZeroed(name, sizeBytes, policy.rateBytes())
                                : operations.grow(name, thin, sizeBytes));
        LOG.log(
                Level.INFO,
                () -> "logical volume grown lv=" + name + " sizeBytes=" + grown.sizeBytes());
        return grown;
    }

    private void zeroNewBlocks(LogicalVolume volume) throws LvmException, InterruptedException {
        var deviceClass = classes.get().find(volume.spec().deviceClass());
        if (deviceClass.isPresent()) {
            operations.zeroNewBlocks(deviceClass.get());
        }
    }

    private ErasurePolicy erasure(LogicalVolume volume) {
        return classes.get()
                .find(volume.spec().deviceClass())
                .map(NodeDeviceClass::erasure)
                .orElse(ErasurePolicy.NOTHING);
    }

    private LvName present(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        return operations
                .locate(volume.volumeName(), likely(volume))
                .orElseThrow(
                        () ->
                                new VolumeRefused(
                                        StatusCode.NOT_FOUND,
                                        "logical volume "
                                                + volume.volumeName()
                                                + " is in no volume group of this node"));
    }

    private List<String> likely(LogicalVolume volume) {
        return classes.get().find(volume.spec().deviceClass()).stream()
                .map(NodeDeviceClass::volumeGroup)
                .toList();
    }

    private Result remove(LogicalVolume volume)
            throws ApiException, LvmException, IOException, InterruptedException {
        try {
            var name = operations.locate(volume.volumeName(), likely(volume));
            var obstacle = Proofs.remove(removal(volume, name));
            if (obstacle.isPresent()) {
                LOG.log(
                        Level.WARNING,
                        () -> "volume is kept name=" + volume.name() + ": " + obstacle.get());
                return Result.requeueAfter(KEPT_RECHECK);
            }
            if (name.isEmpty()) {
                requireGone(volume);
            } else {
                operations.remove(name.get(), erasure(volume));
                LOG.log(Level.INFO, () -> "logical volume removed lv=" + name.get());
                capacityChanged.run();
            }
        } catch (LvmException.InUse e) {
            writer.failed(volume, LvmFailure.codeOf(e), InUse.describe(volume, likely(volume), e));
            return Result.requeueAfter(IN_USE_RECHECK);
        } catch (VolumeRefused e) {
            writer.failed(volume, e.code(), e.getMessage());
            return Result.requeueAfter(ABSENT_VOLUME_RECHECK);
        } catch (LvmException e) {
            if (!LvmFailure.passing(e)) {
                writer.failed(volume, LvmFailure.codeOf(e), e.getMessage());
            }
            throw e;
        }
        writer.release(volume);
        return Result.done();
    }

    private VolumeRemoval removal(LogicalVolume volume, Optional<LvName> found)
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
                typeInUse.holds(volume.driver().logicalVolumes()));
    }

    /**
     * Refuses unless the volume is certainly gone. A volume that was not found is gone only if
     * nothing can hide it: its class names a group that is here, or no class names a group for it
     * any more. A group whose disks are away still has it.
     */
    private void requireGone(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        if (volume.status().volumeId().isEmpty() && volume.status().code() != StatusCode.OK) {
            return; // making it failed
        }
        for (var vg : likely(volume)) {
            if (!groups.exists(vg)) {
                throw new VolumeRefused(
                        StatusCode.FAILED_PRECONDITION,
                        "volume group "
                                + vg
                                + " is not on this node now, so the volume in it cannot be removed;"
                                + " bring its disks back, or remove the device class");
            }
        }
    }
}
