package lvms.operator.provision;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.informer.Caches;
import lvms.operator.volume.VolumeService;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The controllers that give claims their volumes and take them back: external-provisioner's work.
 */
public final class Provisioner implements AutoCloseable {
    /** Passes never wait for a node, only for the API server; more would just queue up there. */
    private static final int WORKERS = 64;

    private final Caches caches;
    private final ClaimReconciler reconciler;
    private final SourceProtection protection;
    private final Controller claims;
    private final Controller volumes;
    private final Controller sourceClaims;
    private final Controller sourceSnapshots;
    private final KubeClient kube;

    /** Builds the controllers; nothing runs yet. */
    public Provisioner(
            KubeClient kube,
            Caches caches,
            VolumeService service,
            Driver driver,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock) {
        this.kube = kube;
        this.caches = caches;
        var reporter = new Reporter(events, metrics);
        var starved = new UnschedulableClaims(caches, driver);
        this.reconciler =
                new ClaimReconciler(
                        kube,
                        caches,
                        service,
                        driver,
                        reporter,
                        clock,
                        identity(driver, clock),
                        starved);
        var logicalVolumes = service.store().informer();
        this.claims =
                caches.awaited(Controller.named("claims", reconciler))
                        .watch(caches.claims())
                        .watch(logicalVolumes, lv -> ClaimPlan.claimsMarkedOn(lv, driver))
                        .watch(caches.classes(), c -> caches.claimsOfClass(c.name()))
                        .watch(caches.csiNodes(), node -> caches.claimsOnNode(node.name()))
                        .workers(WORKERS)
                        .metrics(metrics)
                        .build();
        this.volumes =
                caches.awaited(
                                Controller.named(
                                        "volumes",
                                        new ReclaimReconciler(
                                                kube, caches, service, driver, reporter)))
                        .watch(caches.volumes())
                        .watch(logicalVolumes, this::volumesOf)
                        .workers(WORKERS)
                        .metrics(metrics)
                        .build();
        this.protection = new SourceProtection(kube, caches);
        this.sourceClaims =
                caches.awaited(Controller.named("source-claims", protection.claims()))
                        .watch(caches.claims(), SourceProtection::sourceClaims)
                        .filter(Provisioner::copiesOrEnds)
                        .metrics(metrics)
                        .build();
        this.sourceSnapshots =
                caches.awaited(Controller.named("source-snapshots", protection.snapshots()))
                        .watch(caches.claims(), SourceProtection::sourceSnapshots)
                        .filter((before, _) -> before.filter(Provisioner::unbound).isPresent())
                        .metrics(metrics)
                        .build();
        service.capacities()
                .onMoreRoom(
                        node -> starved.fitting(node, service.capacities()).forEach(this::wake));
    }

    private static String identity(Driver driver, InstantSource clock) {
        int random = ThreadLocalRandom.current().nextInt(10_000);
        return clock.millis() + "-" + random + "-" + driver.name();
    }

    private static boolean copiesOrEnds(Optional<KubeObject> before, Optional<KubeObject> after) {
        var claim = after.or(() -> before).orElseThrow();
        return claim.terminating() || new Claim(claim).dataSource().isPresent();
    }

    private static boolean unbound(KubeObject claim) {
        return new Claim(claim).volumeName().isEmpty();
    }

    private List<ObjectKey> volumesOf(KubeObject logicalVolume) {
        return caches.byHandle(logicalVolume.text("status", "volumeID").orElse("")).stream()
                .map(KubeObject::key)
                .toList();
    }

    private void wake(ObjectKey claim) {
        reconciler.retry(claim);
        claims.enqueue(claim);
    }

    /** Wakes the claims that wait for a snapshot. */
    public void snapshotReady(ObjectKey snapshot) {
        for (var object : caches.claims().list()) {
            var claim = new Claim(object);
            if (claim.volumeName().isEmpty()
                    && SourceProtection.sourceSnapshots(object).contains(snapshot)) {
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
        claims.close();
        volumes.close();
        sourceClaims.close();
        sourceSnapshots.close();
    }
}
