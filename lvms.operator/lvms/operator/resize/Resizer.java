package lvms.operator.resize;

import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.VolumeServices;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The controllers that make volumes bigger and give them other attributes: external-resizer's work.
 */
public final class Resizer implements AutoCloseable {
    private static final int WORKERS = 16;
    private static final String NAME = "topolvm.io-pvc"; // as in metrics since TopoLVM

    private final OperatorInformers informers;
    private final Controller<ObjectKey> claims;
    private final Controller<ObjectKey> hints;
    private final Controller<ObjectKey> attributes;

    /** Builds the controllers; nothing runs yet. */
    public Resizer(
            KubeClient kube,
            OperatorInformers informers,
            VolumeServices services,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock) {
        this.informers = informers;
        var reconciler = new ResizeReconciler(informers, services, events, clock);
        var builder =
                informers
                        .awaited(Controller.named(NAME, reconciler))
                        .watch(informers.claims())
                        .filter((_, after) -> after.isEmpty() || hasVolume(after.get()))
                        .watch(informers.persistentVolumes(), Resizer::claimOf);
        for (var service : services.all()) {
            builder.watch(service.store().informer(), this::claimsOf);
        }
        this.claims = builder.workers(WORKERS).metrics(metrics).build();
        this.attributes =
                attributes(
                        new ModifyReconciler(kube, informers, services, events, clock),
                        services,
                        metrics);
        this.hints = FilesystemHint.controller(kube, informers, metrics, clock);
    }

    private static boolean hasVolume(KubeObject claim) {
        return !claim.terminating() && new Claim(claim).bound();
    }

    private Controller<ObjectKey> attributes(
            ModifyReconciler reconciler, VolumeServices services, MetricsRegistry metrics) {
        var builder =
                informers
                        .awaited(Controller.named("volume-attributes", reconciler))
                        .watch(informers.claims())
                        .filter((before, after) -> concerned(after) || concerned(before))
                        .watch(informers.persistentVolumes(), v -> concerned(claimOf(v)));
        for (var service : services.all()) {
            builder.watch(service.store().informer(), v -> concerned(claimsOf(v)));
        }
        return builder.metrics(metrics).build();
    }

    private static boolean concerned(Optional<KubeObject> claim) {
        return claim.filter(c -> new ModifyClaim(c).concerned()).isPresent();
    }

    private List<ObjectKey> concerned(List<ObjectKey> keys) {
        return keys.stream().filter(key -> concerned(informers.claims().get(key))).toList();
    }

    static List<ObjectKey> claimOf(KubeObject volume) {
        var name = volume.text("spec", "claimRef", "name");
        return name.isEmpty()
                ? List.of()
                : List.of(
                        ObjectKey.of(
                                volume.text("spec", "claimRef", "namespace").orElse(""),
                                name.get()));
    }

    private List<ObjectKey> claimsOf(KubeObject logicalVolume) {
        return informers
                .persistentVolumesOf(logicalVolume.text("status", "volumeID").orElse(""))
                .stream()
                .flatMap(volume -> claimOf(volume).stream())
                .toList();
    }

    /** Starts the controllers. */
    public void start() {
        claims.start();
        hints.start();
        attributes.start();
    }

    @Override
    public void close() {
        SideBySide.close(List.of(claims, hints, attributes));
    }
}
