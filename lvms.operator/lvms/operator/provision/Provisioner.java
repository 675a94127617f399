package lvms.operator.provision;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.backend.Backends;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.Claim;
import lvms.operator.claim.ClaimMark;
import lvms.operator.claim.VolumeNaming;
import lvms.operator.informer.OperatorInformers;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The controllers that give claims their volumes and take them back: external-provisioner's work.
 */
public final class Provisioner implements AutoCloseable {
    /** Passes never wait for a node, only for the API server, where more would just queue up. */
    private static final int WORKERS = 64;

    private final OperatorInformers informers;
    private final Backends backends;
    private final ClaimReconciler reconciler;
    private final SourceProtection protection;
    private final Controller<ObjectKey> claims;
    private final Controller<ObjectKey> volumes;
    private final Optional<Controller<ObjectKey>> sourceClaims;
    private final Optional<Controller<ObjectKey>> sourceSnapshots;
    private final KubeClient kube;

    /**
     * What an installation chooses.
     *
     * @param prefix what the names of the controllers begin with; each is there once in a process
     * @param naming how new volumes are called
     * @param defaultFsType filesystem of claims whose class names none; empty leaves it to the node
     * @param crossNamespaceSources whether claims may be copied from other namespaces, which grant
     *     it
     */
    public record Choices(
            String prefix,
            VolumeNaming naming,
            String defaultFsType,
            boolean crossNamespaceSources) {}

    /**
     * Builds the controllers; nothing runs yet.
     *
     * @param choices what the installation chooses
     */
    public Provisioner(
            KubeClient kube,
            OperatorInformers informers,
            Backends backends,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock,
            Choices choices) {
        this.kube = kube;
        this.informers = informers;
        this.backends = backends;
        var reporter = new Reporter(events, metrics);
        var grants = new ReferenceGrants(kube, choices.crossNamespaceSources());
        var unschedulable = new UnschedulableClaims(informers);
        this.reconciler =
                new ClaimReconciler(
                        kube,
                        informers,
                        backends,
                        reporter,
                        clock,
                        identity(clock),
                        new DataSources(kube, informers, grants, this::releaseIfUnwanted),
                        unschedulable,
                        choices.naming(),
                        choices.defaultFsType());
        var reclaimer = new ReclaimReconciler(kube, informers, backends, reporter);
        var ofClaims =
                informers
                        .awaited(Controller.named(choices.prefix() + "claims", reconciler))
                        .watch(informers.claims())
                        .watch(informers.storageClasses(), c -> informers.claimsOfClass(c.name()))
                        .watch(informers.csiNodes(), node -> informers.claimsOnNode(node.name()))
                        .watch(informers.nodes(), this::claimsBegunOn)
                        .filter((_, after) -> after.isEmpty());
        var ofVolumes =
                informers
                        .awaited(Controller.named(choices.prefix() + "volumes", reclaimer))
                        .watch(informers.persistentVolumes())
                        .filter((_, after) -> after.isEmpty() || reclaimer.concerns(after.get()));
        for (var backend : backends.all()) {
            ofClaims.watch(backend.objects(), object -> claimMarkedOn(object, backend.driver()));
            ofVolumes.watch(backend.objects(), object -> volumesOf(backend, object, reclaimer));
            backend.space()
                    .onMoreRoom(node -> unschedulable.fitting(node, backend).forEach(this::wake));
        }
        this.claims = ofClaims.workers(WORKERS).metrics(metrics).build();
        this.volumes = ofVolumes.workers(WORKERS).metrics(metrics).build();
        this.protection = new SourceProtection(kube, informers, grants);
        boolean copies = backends.all().stream().anyMatch(b -> b.copying().isPresent());
        this.sourceClaims = copies ? Optional.of(ofSourceClaims(metrics)) : Optional.empty();
        this.sourceSnapshots = copies ? Optional.of(ofSourceSnapshots(metrics)) : Optional.empty();
    }

    private Controller<ObjectKey> ofSourceClaims(MetricsRegistry metrics) {
        return informers
                .awaited(Controller.named("source-claims", protection.claims()))
                .watch(informers.claims(), SourceProtection::sourceClaims)
                .filter(Provisioner::copiesOrEnds)
                .metrics(metrics)
                .build();
    }

    private Controller<ObjectKey> ofSourceSnapshots(MetricsRegistry metrics) {
        return informers
                .awaited(Controller.named("source-snapshots", protection.snapshots()))
                .watch(informers.claims(), SourceProtection::sourceSnapshots)
                .filter((before, _) -> before.filter(Provisioner::unbound).isPresent())
                .metrics(metrics)
                .build();
    }

    private static String identity(InstantSource clock) {
        return clock.millis() + "-" + ThreadLocalRandom.current().nextInt(10_000);
    }

    private static List<ObjectKey> claimMarkedOn(KubeObject volume, Driver driver) {
        return ClaimMark.of(volume, driver).map(ClaimMark::claim).stream().toList();
    }

    private List<ObjectKey> claimsBegunOn(KubeObject node) {
        return backends.all().stream()
                .flatMap(
                        backend ->
                                backend.objects().list().stream()
                                        .flatMap(o -> backend.volume(o).stream()))
                .filter(volume -> volume.node().equals(node.name()))
                .flatMap(volume -> volume.mark().stream())
                .map(ClaimMark::claim)
                .toList();
    }

    private static boolean copiesOrEnds(Optional<KubeObject> before, Optional<KubeObject> after) {
        var claim = after.or(() -> before).orElseThrow();
        return claim.terminating() || new Claim(claim).dataSource().isPresent();
    }

    private static boolean unbound(KubeObject claim) {
        return !new Claim(claim).bound();
    }

    private List<ObjectKey> volumesOf(
            VolumeBackend backend, KubeObject object, ReclaimReconciler reclaimer) {
        return backend.volume(object).stream()
                .flatMap(volume -> informers.persistentVolumesOf(volume.id()).stream())
                .filter(reclaimer::concerns)
                .map(KubeObject::key)
                .toList();
    }

    private void releaseIfUnwanted(ObjectKey snapshot) {
        sourceSnapshots.ifPresent(controller -> controller.enqueue(snapshot));
    }

    private void wake(ObjectKey claim) {
        reconciler.retry(claim);
        claims.enqueue(claim);
    }

    /** Wakes the claims that wait for a snapshot. */
    public void snapshotReady(ObjectKey snapshot) {
        for (var object : informers.claims().list()) {
            var claim = new Claim(object);
            if (!claim.bound() && SourceProtection.sourceSnapshots(object).contains(snapshot)) {
                wake(claim.key());
            }
        }
    }

    /** Starts the controllers. */
    public void start() {
        claims.start();
        volumes.start();
        sourceClaims.ifPresent(Controller::start);
        sourceSnapshots.ifPresent(Controller::start);
    }

    /** Looks for protection that was left on snapshots; call it once snapshots are served. */
    public void sweepSnapshots() throws ApiException, InterruptedException {
        if (kube.serves(Types.VOLUME_SNAPSHOT)) {
            protection.protectedSnapshots().forEach(this::releaseIfUnwanted);
        }
    }

    @Override
    public void close() {
        var all = new ArrayList<>(List.of(claims, volumes));
        sourceClaims.ifPresent(all::add);
        sourceSnapshots.ifPresent(all::add);
        SideBySide.close(all);
    }
}
