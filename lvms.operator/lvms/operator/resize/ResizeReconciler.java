package lvms.operator.resize;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.operator.claim.Retries;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.resize.ResizeClaim.Step;
import lvms.operator.volume.CapacityRange;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeServices;

import java.time.InstantSource;

/**
 * Grows the volumes of claims that ask for more. A pass never waits: the change of the
 * LogicalVolume brings the next one.
 */
final class ResizeReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(ResizeReconciler.class.getName());

    /** Tells the scheduler's and kubelet's helpers what the size was before. */
    private static final String FORMER_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

    private static final String NO_NODE_EXPANSION =
            "volume.kubernetes.io/node-expansion-not-required";

    private final OperatorInformers informers;
    private final VolumeServices services;
    private final EventRecorder events;
    private final InstantSource clock;
    private final Retries retries;

    ResizeReconciler(
            OperatorInformers informers,
            VolumeServices services,
            EventRecorder events,
            InstantSource clock) {
        this.informers = informers;
        this.services = services;
        this.events = events;
        this.clock = clock;
        this.retries = new Retries(clock);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var claim = informers.claims().get(key);
        if (claim.isEmpty()) {
            retries.clear(key.toString());
            return Result.done();
        }
        var volume =
                new ResizeClaim(claim.get())
                        .volume(informers)
                        .filter(v -> services.ofVolume(v).isPresent());
        return volume.isEmpty() ? Result.done() : step(claim.get(), volume.get());
    }

    private Result step(KubeObject claim, KubeObject volume)
            throws ApiException, InterruptedException {
        var view = new ResizeClaim(claim);
        long bytes = ResizeClaim.bytes(volume, "spec", "capacity", "storage").orElse(0L);
        switch (view.step(bytes)) {
            case Step.Converged() -> {
                forgetFormerCapacity(view, volume);
                return Result.done();
            }
            case Step.HandOver(var done) -> {
                handOver(view, done);
                return Result.done();
            }
            case Step.Grow grow -> {
                return attempt(view, volume, grow);
            }
        }
    }

    private Result attempt(ResizeClaim claim, KubeObject volume, Step.Grow grow)
            throws ApiException, InterruptedException {
        var key = claim.object().key().toString();
        var signature = claim.object().uid() + " " + claim.requestedBytes();
        var pause = retries.remaining(key, signature);
        if (pause.isPositive()) {
            return Result.requeueAfter(pause);
        }
        var marked = claim;
        if (!grow.marked()) {
            events.record(
                    claim.object(),
                    EventReason.RESIZING,
                    "External resizer is resizing volume " + volume.name());
            var patch = ResizeStatus.growing(claim.object(), grow.bytes(), clock.instant());
            marked = new ResizeClaim(informers.claims().patchStatus(patch));
        }
        try {
            grow(marked, volume, grow.bytes());
            return Result.done();
        } catch (VolumeException e) {
            return failed(marked, signature, e);
        }
    }

    private void grow(ResizeClaim claim, KubeObject volume, long bytes)
            throws VolumeException, ApiException, InterruptedException {
        var handle = volume.text("spec", "csi", "volumeHandle").orElse("");
        if (services.ofVolume(volume).orElseThrow().expand(handle, CapacityRange.atLeast(bytes))
                instanceof Progress.Converged<LogicalVolume>(var grown)) {
            retries.clear(claim.object().key().toString());
            patchVolume(claim, volume, grown.bytes());
            handOver(claim, grown.bytes());
        }
    }

    private void patchVolume(ResizeClaim claim, KubeObject volume, long bytes)
            throws ApiException, InterruptedException {
        var patch =
                MergePatch.of(volume)
                        .set(Quantity.ofBytes(bytes).toString(), "spec", "capacity", "storage");
        informers
                .persistentVolumes()
                .patch(
                        claim.block()
                                ? patch
                                : patch.annotation(
                                        FORMER_CAPACITY,
                                        Quantity.ofBytes(claim.capacityBytes()).toString()));
    }

    /** kubelet grows a filesystem; a raw device is done. */
    private void handOver(ResizeClaim claim, long bytes) throws ApiException, InterruptedException {
        var object = claim.object();
        if (!claim.block()) {
            informers
                    .claims()
                    .patchStatus(ResizeStatus.nodePending(object, bytes, clock.instant()));
            events.record(
                    object,
                    EventReason.FILESYSTEM_RESIZE_REQUIRED,
                    "Require file system resize of volume on node");
            return;
        }
        var current =
                informers
                        .claims()
                        .patch(MergePatch.of(object).annotation(NO_NODE_EXPANSION, "true"));
        informers.claims().patchStatus(ResizeStatus.finished(current, bytes, clock.instant()));
        events.record(object, EventReason.RESIZED, "Resize volume succeeded");
    }

    private Result failed(ResizeClaim claim, String signature, VolumeException failure)
            throws ApiException, InterruptedException {
        var object = claim.object();
        LOG.log(
                WARNING,
                () ->
                        "volume not grown claim="
                                + object.key()
                                + " code="
                                + failure.code()
                                + " reason="
                                + failure.getMessage());
        events.record(
                object, EventReason.RESIZE_FAILED, "resize volume failed: " + failure.getMessage());
        var key = object.key().toString();
        retries.failed(key, signature, failure.code().infeasible());
        boolean exhausted = failure.code() == StatusCode.RESOURCE_EXHAUSTED;
        boolean givesWay = exhausted && claim.wantsLessThanBegun();
        if (givesWay || !(exhausted || failure.code().inBackground())) {
            informers
                    .claims()
                    .patchStatus(
                            ResizeStatus.failed(
                                    object,
                                    givesWay || failure.code().infeasible(),
                                    failure.getMessage(),
                                    clock.instant()));
        }
        return Result.requeueAfter(retries.remaining(key, signature));
    }

    private void forgetFormerCapacity(ResizeClaim claim, KubeObject volume)
            throws ApiException, InterruptedException {
        if (volume.annotation(FORMER_CAPACITY).isEmpty()
                || claim.capacityBytes() < claim.requestedBytes()) {
            return;
        }
        informers
                .persistentVolumes()
                .patch(MergePatch.of(volume).withoutAnnotation(FORMER_CAPACITY));
    }
}
