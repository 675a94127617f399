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
import lvms.operator.claim.Claim;
import lvms.operator.claim.ClaimMark;
import lvms.operator.claim.VolumeNaming;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.VolumeServices;

import java.time.InstantSource;
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
    private final ClaimReconciler reconciler;
    private final SourceProtection protection;
    private final Controller claims;
    private final Controller volumes;
    private final Controller sourceClaims;
    private final Controller sourceSnapshots;
    private final KubeClient kube;

    /**
     * Builds the controllers; nothing runs yet.
     *
     * @param naming how new volumes are called
     * @param defaultFsType filesystem of claims whose class names none; empty leaves it to the node
     * @param crossNamespaceSources whether claims may be copied from other namespaces, which grant
     *     it
     */
    public Provisioner(
            KubeClient kube,
            OperatorInformers informers,
            VolumeServices services,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock,
            VolumeNaming naming,
            String defaultFsType,
            boolean crossNamespaceSources) {
        this.kube = kube;
        this.informers = informers;
        var reporter = new Reporter(events, metrics);
        var grants = new ReferenceGrants(kube, crossNamespaceSources);
        var unschedulable = new UnschedulableClaims(informers);
        this.reconciler =
                new ClaimReconciler(
                        kube,
                        informers,
                        services,
                        reporter,
                        clock,
                        identity(clock),
                        new DataSources(kube, informers, grants, this::releaseIfUnwanted),
                        unschedulable,
                        naming,
                        defaultFsType);
        var reclaimer = new ReclaimReconciler(kube, informers, services, reporter);
        var ofClaims =
                informers
                        .awaited(Controller.named("claims", reconciler))
                        .watch(informers.claims())
                        .watch(informers.storageClasses(), c -> informers.claimsOfClass(c.name()))
                        .watch(informers.csiNodes(), node -> informers.claimsOnNode(node.name()))
                        .watch(informers.nodes(), this::claimsBegunOn)
                        .filter((_, after) -> after.isEmpty());
        var ofVolumes =
                informers
                        .awaited(Controller.named("volumes", reclaimer))
                        .watch(informers.persistentVolumes());
        for (var service : services.all()) {
            var logicalVolumes = service.store().informer();
            ofClaims.watch(logicalVolumes, volume -> claimMarkedOn(volume, service.driver()));
            ofVolumes.watch(logicalVolumes, this::volumesOf);
            service.capacities()
                    .onMoreRoom(node -> unschedulable.fitting(node, service).forEach(this::wake));
        }
        this.claims = ofClaims.workers(WORKERS).metrics(metrics).build();
        this.volumes = ofVolumes.workers(WORKERS).metrics(metrics).build();
        this.protection = new SourceProtection(kube, informers, grants);
        this.sourceClaims =
                informers
                        .awaited(Controller.named("source-claims", protection.claims()))
                        .watch(informers.claims(), SourceProtection::sourceClaims)
                        .filter(Provisioner::copiesOrEnds)
                        .metrics(metrics)
                        .build();
        this.sourceSnapshots =
                informers
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
        return informers
                .everyLogicalVolume()
                .filter(volume -> volume.spec().nodeName().equals(node.name()))
                .flatMap(volume -> claimMarkedOn(volume.object(), volume.driver()).stream())
                .toList();
    }

    private static boolean copiesOrEnds(Optional<KubeObject> before, Optional<KubeObject> after) {
        var claim = after.or(() -> before).orElseThrow();
        return claim.terminating() || new Claim(claim).dataSource().isPresent();
    }

    private static boolean unbound(KubeObject claim) {
        return !new Claim(claim).bound();
    }

    private List<ObjectKey> volumesOf(KubeObject logicalVolume) {
        return informers
                .persistentVolumesOf(logicalVolume.text("status", "volumeID").orElse(""))
                .stream()
                .map(KubeObject::key)
                .toList();
    }

    private void releaseIfUnwanted(ObjectKey snapshot) {
        sourceSnapshots.enqueue(snapshot);
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
        sourceClaims.start();
        sourceSnapshots.start();
    }

    /** Looks for protection that was left on snapshots; call it once snapshots are served. */
    public void sweepSnapshots() throws ApiException, InterruptedException {
        if (kube.serves(Types.VOLUME_SNAPSHOT)) {
            protection.protectedSnapshots().forEach(sourceSnapshots::enqueue);
        }
    }

    @Override
    public void close() {
        SideBySide.close(List.of(claims, volumes, sourceClaims, sourceSnapshots));
    }
}
