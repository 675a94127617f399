package lvms.operator.resize;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Condition;
import lvms.k8s.object.ObjectKey;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.SizeRules;

import java.time.InstantSource;

/**
 * Tells the claims of a driver whose volumes cannot grow that they cannot, as external-resizer does
 * with what a driver calls infeasible: else they would wait for ever without a reason. The claim's
 * condition keeps it, so each size is told once.
 */
public final class GrowthRefusal implements Reconciler<ObjectKey> {
    private final OperatorInformers informers;
    private final Drivers drivers;
    private final String reason;
    private final EventRecorder events;
    private final InstantSource clock;

    private GrowthRefusal(
            OperatorInformers informers,
            Driver driver,
            String reason,
            EventRecorder events,
            InstantSource clock) {
        this.informers = informers;
        this.drivers = Drivers.of(driver);
        this.reason = reason;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Builds the controller; nothing runs yet.
     *
     * @param name name of the controller
     * @param driver whose volumes cannot grow
     * @param reason why, and what to do instead
     */
    public static Controller<ObjectKey> controller(
            String name,
            OperatorInformers informers,
            Driver driver,
            String reason,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock) {
        var reconciler = new GrowthRefusal(informers, driver, reason, events, clock);
        return informers
                .awaited(Controller.named(name, reconciler))
                .watch(informers.claims())
                .filter((_, after) -> after.isPresent())
                .watch(informers.persistentVolumes(), Resizer::claimOf)
                .metrics(metrics)
                .build();
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var claim = informers.claims().get(key).map(ResizeClaim::new);
        var volume =
                claim.flatMap(c -> c.volume(informers))
                        .filter(v -> drivers.ofVolume(v).isPresent());
        if (volume.isPresent()) {
            long bytes = ResizeClaim.bytes(volume.get(), "spec", "capacity", "storage").orElse(0L);
            if (claim.get().step(bytes) instanceof ResizeClaim.Step.Grow) {
                refuse(claim.get(), bytes);
            }
        }
        return Result.done();
    }

    private void refuse(ResizeClaim claim, long bytes) throws ApiException, InterruptedException {
        var object = claim.object();
        var message =
                "%s requested, but the volume has %s: %s"
                        .formatted(
                                SizeRules.text(claim.requestedBytes()),
                                SizeRules.text(bytes),
                                reason);
        boolean told =
                object.condition(ResizeCondition.ERROR.type())
                        .map(Condition::message)
                        .filter(message::equals)
                        .isPresent();
        if (!told) {
            informers
                    .claims()
                    .patchStatus(ResizeStatus.failed(object, true, message, clock.instant()));
            events.record(object, EventReason.RESIZE_FAILED, "resize volume failed: " + message);
        }
    }
}
