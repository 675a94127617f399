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
import lvms.node.erasure.StillErasing;
import lvms.node.volume.VolumeMetrics.Operation;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One pass for a LogicalVolume of this node. Passes of different volumes run side by side, so the
 * status of one is written while LVM makes the next. They wait only for LVM.
 */
final class LogicalVolumeReconciler implements Reconciler {
    private static final Logger LOG = System.getLogger(LogicalVolumeReconciler.class.getName());

    static final Duration ABSENT_VOLUME_RECHECK = Duration.ofMinutes(1);

    private final String node;
    private final Informer volumes;
    private final Supplier<DeviceClasses> classes;
    private final VolumeOperations operations;
    private final GroupLedgers groups;
    private final VolumeStatusWriter writer;
    private final FormerVolumes formerVolumes;
    private final VolumeRemoving removing;
    private final VolumeHomes homes;
    private final VolumeAdjusting adjusting;
    private final ErasureEvents erasures;
    private final KubeClient kube;
    private final Consumer<String> groupChanged;
    private final VolumeMetrics metrics;

    LogicalVolumeReconciler(
            String node,
            KubeClient kube,
            Informer volumes,
            Supplier<DeviceClasses> classes,
            GroupLedgers groups,
            Consumer<String> groupChanged,
            Consumer<LogicalVolume> removed,
            EventRecorder events,
            VolumeMetrics metrics) {
        this.node = node;
        this.metrics = metrics;
        this.kube = kube;
        this.volumes = volumes;
        this.classes = classes;
        this.groups = groups;
        this.operations = new VolumeOperations(groups);
        this.homes = new VolumeHomes(kube, node, groups);
        this.writer = new VolumeStatusWriter(volumes);
        this.formerVolumes = new FormerVolumes(kube, volumes, writer, groups);
        this.removing =
                new VolumeRemoving(
                        operations,
                        groups,
                        homes,
                        writer,
                        formerVolumes,
                        new TypeInUse(kube, TypeInUse.SETTLING),
                        groupChanged,
                        removed,
                        metrics);
        this.adjusting = new VolumeAdjusting(operations, writer);
        this.groupChanged = groupChanged;
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
            return take(next(volume), volume);
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
            case VolumeStep.Make() -> attempt(Operation.CREATE, volume, this::make);
            case VolumeStep.Measure() -> attempt(Operation.CREATE, volume, this::measure);
            case VolumeStep.Adjust() -> {
                adjusting.adjust(claimed(volume), () -> present(volume));
                var now = current(volume);
                var next = next(now);
                yield next instanceof VolumeStep.Adjust ? Result.done() : take(next, now);
            }
            case VolumeStep.Grow() -> attempt(Operation.GROW, volume, this::grow);
            case VolumeStep.Record() -> record(volume);
            case VolumeStep.Remove() -> removing.remove(volume, classOf(volume));
        };
    }

    private VolumeStep next(LogicalVolume volume) throws ApiException, InterruptedException {
        return VolumeStep.of(volume, node, homes.unrecorded(volume));
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
    private Result attempt(Operation operation, LogicalVolume asked, Work work)
            throws ApiException, LvmException, InterruptedException {
        var volume = claimed(asked);
        ActualVolume there;
        try {
            there = work.run(volume);
        } catch (StillErasing e) {
            erasures.tell(volume, e.erasure());
            return Result.requeueAfter(ErasureEvents.PERIOD); // its end wakes the pass sooner
        } catch (VolumeRefused e) {
            metrics.failed(operation);
            return failed(volume, e.code(), e);
        } catch (LvmException e) {
            if (LvmFailure.passing(e)) {
                throw e; // repeated with back-off: the next pass finds what was made, if anything
            }
            metrics.failed(operation);
            noteRefusal(volume, e);
            return failed(volume, LvmFailure.codeOf(e), e);
        }
        metrics.done(operation);
        try {
            record(volume, there);
        } finally {
            groupChanged.accept(there.name().vg()); // last, since somebody waits for the status
        }
        var now = current(volume);
        if (next(now) instanceof VolumeStep.Adjust) {
            adjusting.adjust(now, there::name);
        }
        return Result.done();
    }

    private void record(LogicalVolume volume, ActualVolume there)
            throws ApiException, LvmException, InterruptedException {
        var name = there.name();
        var home = homes.of(name.vg());
        var written = writer.succeeded(volume, name.lv(), there.sizeBytes(), home);
        if (home.isPresent()) {
            homes.answered(written);
        }
    }

    /**
     * Writes where a volume is that had its place before that was recorded, or whose node was
     * rebuilt around its disks. The regular check tells of one that is not there.
     */
    private Result record(LogicalVolume asked)
            throws ApiException, LvmException, InterruptedException {
        var volume = claimed(asked);
        var found = operations.locate(volume.volumeName(), classOf(volume).volumeGroups());
        if (found.isEmpty()) {
            return Result.done();
        }
        try {
            homes.require(volume, found.get().vg());
        } catch (VolumeRefused e) {
            failed(volume, e.code(), e);
            return Result.requeueAfter(ABSENT_VOLUME_RECHECK);
        }
        record(volume, new ActualVolume(found.get(), volume.bytes()));
        LOG.log(
                Level.INFO,
                () -> "place of the volume recorded name=" + volume.name() + " lv=" + found.get());
        return Result.done();
    }

    /** Our own writes start no pass: what they leave to do is done in the same one. */
    private LogicalVolume current(LogicalVolume volume) {
        return volumes.get(volume.object().key()).map(LogicalVolume::tolerant).orElse(volume);
    }

    /** The capacity was reported too high: a scheduler would choose this node for ever. */
    private void noteRefusal(LogicalVolume volume, LvmException failure)
            throws LvmException, InterruptedException {
        var deviceClass = classOf(volume).found();
        boolean planned = deviceClass.filter(c -> c.thin().isEmpty()).isPresent();
        if (!(failure instanceof LvmException.OutOfSpace)) {
            return;
        }
        boolean plain = volume.spec().lvcreateOptionClass().isEmpty(); // what capacity counts
        if (planned && plain && volume.status().volumeId().isEmpty()) {
            groups.fresh(deviceClass.get().volumeGroup())
                    .ifPresent(
                            report ->
                                    groups.capacity()
                                            .refused(
                                                    deviceClass.get(),
                                                    volume.spec().size().bytes(),
                                                    report.group()));
        }
        deviceClass.ifPresent(c -> groupChanged.accept(c.volumeGroup()));
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
        var former = formerVolumes.find(volume, classOf(volume).volumeGroups());
        if (former.isPresent()) {
            LOG.log(
                    Level.INFO,
                    () -> "volume found again name=" + volume.name() + " lv=" + former.get());
            return measure(volume, former.get());
        }
        var source = source(volume);
        var wanted = NewVolume.of(volume, source, classes.get());
        if (source.isPresent()) {
            homes.require(source.get(), wanted.name().vg());
        }
        operations.zeroNewBlocks(NewVolume.classOf(volume, classes.get()));
        var there = operations.make(wanted);
        var made =
                ActualVolume.of(
                        operations.zeroed(wanted, there, classOf(volume).erasure().rateBytes()));
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
        var deviceClass = NewVolume.classOf(volume, classes.get()); // it says what is to be zeroed
        operations.zeroNewBlocks(deviceClass);
        var thin = deviceClass.thin();
        var policy = deviceClass.erasure();
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

    private VolumeClass classOf(LogicalVolume volume) {
        return VolumeClass.of(volume, classes.get());
    }

    private LvName present(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        var name =
                operations
                        .locate(volume.volumeName(), classOf(volume).volumeGroups())
                        .orElseThrow(
                                () ->
                                        new VolumeRefused(
                                                StatusCode.NOT_FOUND,
                                                "logical volume "
                                                        + volume.volumeName()
                                                        + " is in no volume group of this node"));
        homes.require(volume, name.vg());
        return name;
    }
}
