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
import lvms.node.definition.TypeInUse;
import lvms.node.erasure.StillErasing;
import lvms.node.format.BeingFormatted;
import lvms.node.volume.VolumeMetrics.Operation;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One pass for a LogicalVolume of this node. Passes of different volumes run side by side, so the
 * status of one is written while LVM makes the next. They wait only for LVM.
 */
final class LogicalVolumeReconciler implements Reconciler<ObjectKey> {
    private static final Logger LOG = System.getLogger(LogicalVolumeReconciler.class.getName());

    static final Duration ABSENT_VOLUME_RECHECK = Duration.ofMinutes(1);

    private final String node;
    private final Informer volumes;
    private final NodeStorage storage;
    private final VolumeStatusWriter writer;
    private final VolumeRemoving removing;
    private final VolumeAdjusting adjusting;
    private final TogetherTaking together;
    private final EventRecorder events;
    private final ErasureEvents erasures;
    private final KubeClient kube;
    private final Consumer<String> groupChanged;
    private final VolumeMetrics metrics;
    private final InstantSource clock;

    LogicalVolumeReconciler(
            String node,
            KubeClient kube,
            NodeVolumes objects,
            NodeStorage storage,
            Consumer<String> groupChanged,
            Consumer<LogicalVolume> removed,
            EventRecorder events,
            VolumeMetrics metrics,
            InstantSource clock) {
        this.node = node;
        this.metrics = metrics;
        this.clock = clock;
        this.kube = kube;
        this.volumes = objects.informer();
        this.storage = storage;
        this.writer = new VolumeStatusWriter(volumes);
        this.removing =
                new VolumeRemoving(
                        storage,
                        objects,
                        writer,
                        new TypeInUse(kube, TypeInUse.SETTLING),
                        groupChanged,
                        removed,
                        metrics);
        this.adjusting = new VolumeAdjusting(storage, writer);
        this.together = new TogetherTaking(objects, storage, writer, this::existingSource, clock);
        this.groupChanged = groupChanged;
        this.events = events;
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
            if (isAnothers(volume)) {
                storage.lookAfter(volume);
            }
            return take(next(volume), volume);
        } catch (ApiException.NotFound e) {
            LOG.log(
                    Level.DEBUG,
                    () -> "volume is gone name=" + volume.name() + ": " + e.getMessage());
            return Result.done();
        }
    }

    /** Returns whether it is a snapshot that another program took, which is known by LVM alone. */
    private static boolean isAnothers(LogicalVolume volume) {
        return volume.state() == LogicalVolume.State.READY
                && volume.isSnapshot()
                && volume.spec().accessType().isEmpty();
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
            case VolumeStep.Make() ->
                    TogetherTaking.concerns(volume)
                            ? makeTogether(volume)
                            : attempt(Operation.CREATE, volume, this::make);
            case VolumeStep.Measure() -> attempt(Operation.CREATE, volume, storage::measure);
            case VolumeStep.Adjust() -> {
                adjusting.adjust(claimed(volume));
                var now = current(volume);
                var next = next(now);
                yield next instanceof VolumeStep.Adjust ? Result.done() : take(next, now);
            }
            case VolumeStep.Grow() -> attempt(Operation.GROW, volume, storage::grow);
            case VolumeStep.Lose(var reason) -> {
                lose(claimed(volume), reason);
                yield Result.done();
            }
            case VolumeStep.Record() -> record(volume);
            case VolumeStep.Remove() -> remove(volume);
        };
    }

    private Result remove(LogicalVolume volume)
            throws ApiException, LvmException, IOException, InterruptedException {
        if (!TogetherTaking.concerns(volume)) {
            return removing.remove(volume);
        }
        together.turn().lockInterruptibly();
        try {
            return removing.remove(volume);
        } finally {
            together.turn().unlock();
        }
    }

    private Result makeTogether(LogicalVolume asked)
            throws ApiException, LvmException, InterruptedException {
        together.turn().lockInterruptibly();
        try {
            var now = current(asked);
            return next(now) instanceof VolumeStep.Make ? attemptTogether(now) : Result.requeue();
        } finally {
            together.turn().unlock();
        }
    }

    /** All of a group fail, or none. The one that was asked for is last, so it is repeated. */
    private Result attemptTogether(LogicalVolume asked)
            throws ApiException, LvmException, InterruptedException {
        var members = List.of(asked);
        try {
            members = claimed(together.members(asked));
            for (var taken : together.take(members)) {
                attempt(Operation.CREATE, taken, this::make);
            }
            return Result.done();
        } catch (BeingFormatted e) {
            return allWait(members, e);
        } catch (VolumeRefused e) {
            return allFailed(members, e.code(), e);
        } catch (LvmException e) {
            if (e.passing()) {
                throw e;
            }
            return allFailed(members, LvmFailure.codeOf(e), e);
        }
    }

    /** The end of it wakes the passes sooner. */
    private Result allWait(List<LogicalVolume> members, BeingFormatted e) {
        var result = Result.done();
        for (var member : members) {
            if (member.status().volumeId().isEmpty()) {
                result = Result.requeueAfter(erasures.tell(member, e));
            }
        }
        return result;
    }

    private Result allFailed(List<LogicalVolume> members, StatusCode code, Exception e)
            throws ApiException, InterruptedException {
        var result = Result.done();
        for (var member : members) {
            if (member.status().volumeId().isEmpty()) {
                metrics.failed(Operation.CREATE);
                result = failed(claimed(member), code, e);
            }
        }
        return result;
    }

    private VolumeStep next(LogicalVolume volume) throws ApiException, InterruptedException {
        var lost = volume.isSnapshot() ? storage.whyLost(volume) : Optional.<String>empty();
        var step = lost.flatMap(reason -> VolumeStep.ofLost(volume, node, reason));
        return step.isPresent()
                ? step.get()
                : VolumeStep.of(volume, node, storage.homes().unrecorded(volume));
    }

    /** It stays until somebody deletes it, since only a person knows what it was for. */
    private void lose(LogicalVolume snapshot, String reason)
            throws ApiException, InterruptedException {
        writer.failed(snapshot, StatusCode.DATA_LOSS, "the snapshot is lost: " + reason);
        events.record(snapshot.object(), EventReason.LOST, reason);
    }

    private LogicalVolume claimed(LogicalVolume volume) throws ApiException, InterruptedException {
        return VolumeStep.isClaimed(volume) ? volume : writer.claim(volume);
    }

    /** So none of them can vanish while they are taken, and one that has vanished is found out. */
    private List<LogicalVolume> claimed(List<LogicalVolume> members)
            throws ApiException, InterruptedException {
        var claimed = new ArrayList<LogicalVolume>();
        for (var member : members) {
            claimed.add(claimed(member));
        }
        return claimed;
    }

    private interface Work {
        ActualVolume run(LogicalVolume volume)
                throws ApiException,
                        LvmException,
                        VolumeRefused,
                        StillErasing,
                        BeingFormatted,
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
            return Result.requeueAfter(
                    erasures.tell(volume, e.erasure())); // its end wakes the pass sooner
        } catch (BeingFormatted e) {
            return allWait(List.of(volume), e);
        } catch (VolumeRefused e) {
            metrics.failed(operation);
            return failed(volume, e.code(), e);
        } catch (LvmException e) {
            if (e.passing()) {
                // repeated with back-off: the next pass finds what was made, if anything; for a
                // failure in the status the operator would give a new volume up
                throw e;
            }
            metrics.failed(operation);
            storage.noteRefusal(volume, e);
            return failed(volume, LvmFailure.codeOf(e), e);
        }
        metrics.done(operation);
        try {
            record(volume, there);
        } finally {
            groupChanged.accept(there.group()); // last, since somebody waits for the status
        }
        var now = current(volume);
        switch (next(now)) {
            case VolumeStep.Adjust() -> adjusting.adjust(now);
            case VolumeStep.Lose(var reason) -> lose(now, reason);
            default -> {} // as far as it should be
        }
        return Result.done();
    }

    private void record(LogicalVolume volume, ActualVolume there)
            throws ApiException, LvmException, InterruptedException {
        var homes = storage.homes();
        var home = homes.of(there.group());
        var written = writer.succeeded(volume, there.name(), there.sizeBytes(), home);
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
        try {
            var found = storage.find(volume).map(NodeStorage.Found::name);
            if (found.isEmpty()) {
                return Result.done();
            }
            storage.homes().require(volume, found.get().vg());
            recordAt(volume, found.get());
            LOG.log(
                    Level.INFO,
                    () ->
                            "place of the volume recorded name="
                                    + volume.name()
                                    + " lv="
                                    + found.get());
            return Result.done();
        } catch (VolumeRefused e) {
            failed(volume, e.code(), e);
            return Result.requeueAfter(ABSENT_VOLUME_RECHECK);
        }
    }

    private void recordAt(LogicalVolume volume, LvName place)
            throws ApiException, LvmException, InterruptedException {
        var snapshot = storage.thickSnapshot(place);
        if (snapshot.isEmpty() || volume.isSnapshot()) {
            record(volume, new ActualVolume(place.vg(), place.lv(), volume.bytes()));
            return;
        }
        var told = writer.isSnapshotOf(volume, snapshot.get().sourceId());
        LOG.log(
                Level.INFO,
                () ->
                        "the volume is a snapshot that another program took name="
                                + volume.name()
                                + " lv="
                                + place);
        record(told, snapshot.get().volume());
        storage.lookAfter(told);
    }

    /** Our own writes start no pass: what they leave to do is done in the same one. */
    private LogicalVolume current(LogicalVolume volume) {
        return volumes.get(volume.object().key()).map(LogicalVolume::tolerant).orElse(volume);
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
            throws ApiException,
                    LvmException,
                    VolumeRefused,
                    StillErasing,
                    BeingFormatted,
                    InterruptedException {
        var made = storage.make(volume, source(volume));
        if (tellsTime(volume)) {
            writer.taken(volume, clock.instant());
        }
        adjusting.require(volume);
        if (storage.fills(volume)) {
            erasures.tellFilled(volume);
        }
        return made;
    }

    /** One that is in LVM again, or was taken with others, is older than this pass. */
    private static boolean tellsTime(LogicalVolume volume) {
        return volume.isSnapshot()
                && volume.formerId().isEmpty()
                && volume.object().annotation(volume.driver().takenAtAnnotation()).isEmpty();
    }

    private Optional<LogicalVolume> source(LogicalVolume volume)
            throws ApiException, VolumeRefused, InterruptedException {
        return volume.spec().source().isEmpty()
                ? Optional.empty()
                : Optional.of(existingSource(volume));
    }

    private LogicalVolume existingSource(LogicalVolume volume)
            throws ApiException, VolumeRefused, InterruptedException {
        var name = volume.spec().source();
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
        return source;
    }
}
