package lvms.tests.lab.standin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** All stand-ins of the control plane, against one API server. */
public final class ControlPlane implements AutoCloseable {
    private static final String SNAPSHOT_CRDS = "/resources/snapshot-crds.yaml";
    private static final Duration ESTABLISHING = Duration.ofSeconds(10);

    private final Violations violations = new Violations();
    private final Cluster cluster;
    private final List<Controller<ObjectKey>> controllers;

    private ControlPlane(KubeClient kube) {
        cluster = new Cluster(kube, violations);
        controllers =
                List.of(claims(), volumes(), scheduler(), daemonSets(), deployments(), snapshots());
    }

    /** Installs the snapshot CRDs and starts every stand-in. The client stays the caller's. */
    public static ControlPlane start(KubeClient kube)
            throws ApiException, TimeoutException, InterruptedException {
        installSnapshotCrds(kube);
        var plane = new ControlPlane(kube);
        plane.cluster.start();
        plane.controllers.forEach(Controller::start);
        return plane;
    }

    private static void installSnapshotCrds(KubeClient kube)
            throws ApiException, TimeoutException, InterruptedException {
        for (var document : Yaml.readAll(resource(SNAPSHOT_CRDS))) {
            var definition = KubeObject.of(document.asObject());
            kube.withFieldManager(Cluster.MANAGER).apply(Types.CRD, definition);
            awaitEstablished(kube, definition.key());
        }
    }

    private static void awaitEstablished(KubeClient kube, ObjectKey definition)
            throws ApiException, TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + ESTABLISHING.toNanos();
        while (kube.get(Types.CRD, definition)
                .condition("Established")
                .filter(condition -> condition.status() == Condition.Status.TRUE)
                .isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException(definition + " is not established");
            }
            Thread.sleep(50);
        }
    }

    private static String resource(String name) {
        try (InputStream stream = ControlPlane.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Controller<ObjectKey> claims() {
        return Controller.named("claim-binder", new ClaimBinder(cluster))
                .watch(cluster.claims)
                .watch(cluster.volumes, ClaimBinder::claimOf)
                .watch(cluster.pods, Cluster::claimsOf)
                .watch(cluster.classes, _ -> claimsWhere(ClaimBinder::pending))
                .workers(16)
                .build();
    }

    private Collection<ObjectKey> claimsWhere(Predicate<KubeObject> condition) {
        return Cluster.keys(cluster.claims.list().stream().filter(condition).toList());
    }

    private Controller<ObjectKey> volumes() {
        return Controller.named("volume-phases", new VolumePhases(cluster))
                .watch(cluster.volumes)
                .watch(
                        cluster.claims,
                        claim ->
                                Cluster.keys(
                                        cluster.volumes.byIndex(
                                                Cluster.BY_CLAIM, claim.key().toString())))
                .workers(16)
                .build();
    }

    private Controller<ObjectKey> scheduler() {
        return Controller.named("scheduler", new Scheduler(cluster))
                .watch(cluster.pods)
                .watch(
                        cluster.claims,
                        claim ->
                                Cluster.keys(
                                        cluster.pods.byIndex(
                                                Cluster.BY_CLAIM, claim.key().toString())))
                .watch(cluster.volumes, _ -> waitingPods())
                .watch(cluster.nodes, _ -> waitingPods())
                .watch(cluster.capacities, _ -> waitingPods())
                .watch(cluster.classes, _ -> waitingPods())
                .build();
    }

    private Collection<ObjectKey> waitingPods() {
        return Cluster.keys(cluster.pods.list().stream().filter(Scheduler::waiting).toList());
    }

    private Controller<ObjectKey> daemonSets() {
        return Controller.named("daemon-sets", new DaemonSets(cluster))
                .watch(cluster.daemonSets)
                .watch(cluster.pods, pod -> owners(pod, "DaemonSet"))
                .watch(cluster.nodes, _ -> Cluster.keys(cluster.daemonSets.list()))
                .build();
    }

    private Controller<ObjectKey> deployments() {
        return Controller.named("deployments", new Deployments(cluster))
                .watch(cluster.deployments)
                .watch(cluster.replicaSets, set -> owners(set, "Deployment"))
                .watch(cluster.pods, this::deploymentsOf)
                .build();
    }

    private Collection<ObjectKey> deploymentsOf(KubeObject pod) {
        return owners(pod, "ReplicaSet").stream()
                .flatMap(key -> cluster.replicaSets.get(key).stream())
                .flatMap(set -> owners(set, "Deployment").stream())
                .toList();
    }

    private static Collection<ObjectKey> owners(KubeObject object, String kind) {
        return object.ownerReferences().stream()
                .filter(owner -> owner.kind().equals(kind))
                .map(owner -> ObjectKey.of(object.namespace(), owner.name()))
                .toList();
    }

    private Controller<ObjectKey> snapshots() {
        return Controller.named("snapshots", new SnapshotBinder(cluster))
                .watch(cluster.snapshots)
                .watch(cluster.snapshotContents, SnapshotBinder::snapshotOf)
                .watch(cluster.claims, claim -> snapshotsIn(claim.namespace()))
                .watch(cluster.snapshotClasses, _ -> Cluster.keys(cluster.snapshots.list()))
                .build();
    }

    private Collection<ObjectKey> snapshotsIn(String namespace) {
        return Cluster.keys(
                cluster.snapshots.list().stream()
                        .filter(s -> s.namespace().equals(namespace))
                        .toList());
    }

    /** What a real cluster would have refused or tripped over, oldest first. */
    public List<String> violations() {
        return violations.all();
    }

    /** The sink for violations that others find, such as the kubelet. */
    public Violations violationSink() {
        return violations;
    }

    @Override
    public void close() {
        controllers.forEach(Controller::close);
        cluster.close();
    }
}
