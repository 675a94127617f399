package lvms.tests.bench.scale;

import lvms.api.LogicalVolume;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.bench.Volumes;
import lvms.tests.cluster.workload.Claim;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Claims that come one after the other, to a node which has no other volumes. This is also the
 * scheduler, the node's agent and the binder, each of whom acts at once.
 */
final class Claims implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String MANAGER = "pv.kubernetes.io/";

    private final KubeClient kube;
    private final KubeObject node;
    private final Volumes volumes;
    private final Informer logicalVolumes;
    private final Map<String, CompletableFuture<Long>> seen = new ConcurrentHashMap<>();
    private int asked;

    private Claims(KubeClient kube, KubeObject node) {
        this.kube = kube;
        this.node = node;
        volumes = new Volumes(kube, _ -> node);
        logicalVolumes =
                Informer.of(kube, LogicalVolume.TYPE)
                        .fieldSelector("spec.nodeName=" + node.name())
                        .build();
        logicalVolumes.addHandler(
                (_, after) -> after.ifPresent(v -> seen(v.name()).complete(System.nanoTime())));
    }

    /** Begins to watch for the volumes of the node. */
    static Claims open(KubeClient kube, KubeObject node) throws Exception {
        var claims = new Claims(kube, node);
        claims.logicalVolumes.start();
        claims.logicalVolumes.awaitSync(PATIENCE);
        return claims;
    }

    private CompletableFuture<Long> seen(String name) {
        return seen.computeIfAbsent(name, _ -> new CompletableFuture<>());
    }

    /**
     * A claim that was created.
     *
     * @param began {@link System#nanoTime} before it was
     */
    record Asked(KubeObject claim, long began) {
        /** Returns what its volume will be called. */
        String volume() {
            return "pvc-" + claim.uid();
        }

        /** Returns the milliseconds until then. */
        double until(long time) {
            return (time - began) / 1e6;
        }
    }

    /**
     * How long a claim took.
     *
     * @param logicalVolumeMillis from its creation until its LogicalVolume was seen
     * @param persistentVolumeMillis from before the node said that it has the volume until the
     *     PersistentVolume was seen
     */
    record Served(double logicalVolumeMillis, double persistentVolumeMillis) {}

    /** Creates a claim, whether or not somebody serves it now. */
    Asked ask() throws Exception {
        var claim =
                Claim.of("late-" + asked++, VolumeCluster.STORAGE_CLASS, "1Gi")
                        .object("default")
                        .with(node.name(), annotation("volume.kubernetes.io/selected-node"))
                        .with("topolvm.io", annotation("volume.kubernetes.io/storage-provisioner"));
        long began = System.nanoTime();
        return new Asked(kube.create(Types.PVC, claim), began);
    }

    private static String[] annotation(String name) {
        return new String[] {"metadata", "annotations", name};
    }

    /**
     * Waits for the LogicalVolume of a claim; returns when it was seen.
     *
     * @throws TimeoutException if nobody writes it
     */
    long awaitVolume(Asked claim) throws Exception {
        return seen(claim.volume()).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Does the part of everybody else for a claim whose LogicalVolume is written. */
    double finish(Asked claim) throws Exception {
        var volume = kube.get(LogicalVolume.TYPE, ObjectKey.cluster(claim.volume()));
        var written = new CompletableFuture<KubeObject>();
        try (var persistent =
                Informer.of(kube, Types.PV)
                        .fieldSelector("metadata.name=" + claim.volume())
                        .build()) {
            persistent.addHandler((_, after) -> after.ifPresent(written::complete));
            persistent.start();
            persistent.awaitSync(PATIENCE);
            long began = System.nanoTime();
            volumes.made(volume, node);
            var present = written.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            double millis = (System.nanoTime() - began) / 1e6;
            bind(claim.claim(), present);
            return millis;
        }
    }

    private void bind(KubeObject claim, KubeObject persistent) throws Exception {
        var patch =
                MergePatch.of(claim)
                        .annotation(MANAGER + "bind-completed", "yes")
                        .annotation(MANAGER + "bound-by-controller", "yes")
                        .set(persistent.name(), "spec", "volumeName");
        volumes.bound(kube.mergePatch(Types.PVC, patch), persistent);
    }

    /** Takes one claim from its creation until it is bound. */
    Served serve() throws Exception {
        var claim = ask();
        double logicalVolumeMillis = claim.until(awaitVolume(claim));
        return new Served(logicalVolumeMillis, finish(claim));
    }

    @Override
    public void close() {
        logicalVolumes.close();
    }
}
