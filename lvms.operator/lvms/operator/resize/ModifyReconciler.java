package lvms.operator.resize;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.AttributesClass;
import lvms.operator.claim.Retries;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeService;
import lvms.operator.volume.VolumeServices;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Gives volumes the attributes of the VolumeAttributesClass that their claim names. A pass never
 * waits: the change of the LogicalVolume brings the next one. Asking for the class that a volume
 * has is the way back from a change that was cut or refused.
 */
final class ModifyReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(ModifyReconciler.class.getName());

    /** Nobody follows VolumeAttributesClasses, so a missing one is looked for. */
    private static final Duration MISSING_CLASS_RECHECK = Duration.ofSeconds(15);

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final VolumeServices services;
    private final EventRecorder events;
    private final InstantSource clock;
    private final Retries retries;

    ModifyReconciler(
            KubeClient kube,
            OperatorInformers informers,
            VolumeServices services,
            EventRecorder events,
            InstantSource clock) {
        this.kube = kube;
        this.informers = informers;
        this.services = services;
        this.events = events;
        this.clock = clock;
        this.retries = new Retries(clock);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var claim = informers.claims().get(key).map(ModifyClaim::new);
        var step = claim.map(ModifyClaim::step).orElse(new ModifyClaim.Step.Converged());
        if (step instanceof ModifyClaim.Step.Converged) {
            retries.clear(key.toString());
            return Result.done();
        }
        var object = claim.orElseThrow().object();
        var volume = new ResizeClaim(object).volume(informers);
        var service = volume.flatMap(services::ofVolume);
        if (service.isEmpty()) {
            return Result.done();
        }
        if (step instanceof ModifyClaim.Step.Modify modify) {
            return attempt(object, volume.get(), service.get(), modify);
        }
        informers.claims().patchStatus(new ModifyStatus(object, clock.instant()).cancelled());
        events.record(object, EventReason.MODIFY_CANCELLED, "Volume modify cancelled.");
        return Result.done();
    }

    private Result attempt(
            KubeObject claim,
            KubeObject volume,
            VolumeService service,
            ModifyClaim.Step.Modify step)
            throws ApiException, InterruptedException {
        var key = claim.key().toString();
        var signature = claim.uid() + " " + step.className();
        var pause = retries.remaining(key, signature);
        if (pause.isPositive()) {
            return Result.requeueAfter(pause);
        }
        try {
            modify(claim, volume, service, step);
            return Result.done();
        } catch (VolumeException e) {
            return failed(claim, step.className(), signature, e);
        }
    }

    private void modify(
            KubeObject claim,
            KubeObject volume,
            VolumeService service,
            ModifyClaim.Step.Modify step)
            throws VolumeException, ApiException, InterruptedException {
        var name = step.className();
        var found = AttributesClass.find(kube, name);
        var wanted = AttributesClass.attributes(name, found, service.driver());
        var current = claim;
        if (!step.marked()) {
            events.record(
                    claim,
                    EventReason.MODIFYING,
                    "external resizer is modifying volume " + claim.name() + " with vac " + name);
            current =
                    informers
                            .claims()
                            .patchStatus(new ModifyStatus(claim, clock.instant()).begun(name));
        }
        var handle = volume.text("spec", "csi", "volumeHandle").orElse("");
        if (service.modify(handle, wanted) instanceof Progress.Converged<LogicalVolume>) {
            retries.clear(claim.key().toString());
            finish(current, volume, name);
        }
    }

    /** The PersistentVolume first: a claim that is done is not looked at again. */
    private void finish(KubeObject claim, KubeObject volume, String className)
            throws ApiException, InterruptedException {
        informers
                .persistentVolumes()
                .patch(MergePatch.of(volume).set(className, "spec", "volumeAttributesClassName"));
        informers.claims().patchStatus(new ModifyStatus(claim, clock.instant()).done(className));
        events.record(
                claim,
                EventReason.MODIFIED,
                "external resizer modified volume " + claim.name() + " with vac " + className);
    }

    private Result failed(
            KubeObject asked, String className, String signature, VolumeException failure)
            throws ApiException, InterruptedException {
        var key = asked.key();
        LOG.log(
                WARNING,
                () ->
                        "volume not modified claim=%s class=%s code=%s reason=%s"
                                .formatted(key, className, failure.code(), failure.getMessage()));
        boolean missing = failure.code() == StatusCode.FAILED_PRECONDITION;
        boolean infeasible = failure.code() == StatusCode.INVALID_ARGUMENT;
        retries.failed(key.toString(), signature, infeasible);
        var claim = informers.claims().get(key).orElse(asked);
        var status = new ModifyStatus(claim, clock.instant());
        var view = new ModifyClaim(claim);
        var patch =
                missing && !view.progress().equals(ModifyClaim.IN_PROGRESS)
                        ? status.pending(className, failure.getMessage())
                        : status.failed(className, infeasible, failure.getMessage());
        events.record(claim, EventReason.MODIFY_FAILED, failure.getMessage());
        informers.claims().patchStatus(patch);
        var pause = retries.remaining(key.toString(), signature);
        return Result.requeueAfter(
                missing && pause.compareTo(MISSING_CLASS_RECHECK) > 0
                        ? MISSING_CLASS_RECHECK
                        : pause);
    }
}
