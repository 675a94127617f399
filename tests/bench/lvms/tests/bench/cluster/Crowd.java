package lvms.tests.bench.cluster;

import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Claims and pods that come at once and go at once; each method returns milliseconds. */
record Crowd(KubeClient kube, Watched watched) {
    /** Creates claims, until all are bound. */
    double claims(String storageClass, int count) throws Exception {
        long began = System.nanoTime();
        atOnce(count, i -> create(Types.PVC, claim(storageClass, i)));
        return watched.await(count + " claims are bound", began, () -> bound() == count);
    }

    /** Creates pods, each with a claim of the class, until all are ready. */
    double pods(String storageClass, int count) throws Exception {
        long began = System.nanoTime();
        atOnce(
                count,
                i -> {
                    create(Types.PVC, claim(storageClass, i));
                    create(Types.POD, Pod.with(name(i), name(i)).object(BenchCluster.NAMESPACE));
                });
        return watched.await(count + " pods are ready", began, () -> ready() == count);
    }

    /** Creates pods without a volume, until all are ready. */
    double emptyPods(int count) throws Exception {
        long began = System.nanoTime();
        atOnce(count, i -> create(Types.POD, Pod.of(name(i)).object(BenchCluster.NAMESPACE)));
        return watched.await(count + " pods are ready", began, () -> ready() == count);
    }

    /** Deletes all pods, until they are gone. */
    void removePods() throws Exception {
        long began = System.nanoTime();
        removeAll(Types.POD);
        watched.await("pods are gone", began, () -> mine(Types.POD).isEmpty());
    }

    /** Deletes all claims, until their volumes are gone, objects and all. */
    double removeClaims() throws Exception {
        long began = System.nanoTime();
        removeAll(Types.PVC);
        return watched.await(
                "volumes are gone",
                began,
                () ->
                        mine(Types.PVC).isEmpty()
                                && watched.list(Types.PV, "").isEmpty()
                                && watched.list(LogicalVolume.TYPE, "").isEmpty());
    }

    private static String name(int number) {
        return "bench-" + number;
    }

    private static KubeObject claim(String storageClass, int number) {
        return Claim.of(name(number), storageClass, "32Mi").object(BenchCluster.NAMESPACE);
    }

    private void create(ResourceType type, KubeObject object) throws Exception {
        kube.create(type, object);
    }

    private long bound() {
        return mine(Types.PVC).stream()
                .filter(claim -> claim.text("status", "phase").orElse("").equals("Bound"))
                .count();
    }

    private long ready() {
        return mine(Types.POD).stream().filter(pod -> Product.holds(pod, "Ready")).count();
    }

    private List<KubeObject> mine(ResourceType type) {
        return watched.list(type, BenchCluster.NAMESPACE);
    }

    private void removeAll(ResourceType type) throws Exception {
        var keys = mine(type).stream().map(KubeObject::key).toList();
        atOnce(keys.size(), i -> remove(type, keys.get(i)));
    }

    private void remove(ResourceType type, ObjectKey key) throws Exception {
        kube.delete(type, key, DeleteOptions.any());
    }

    @FunctionalInterface
    private interface Numbered {
        void run(int number) throws Exception;
    }

    private static void atOnce(int count, Numbered work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Callable<Void>>();
            for (int i = 0; i < count; i++) {
                int number = i;
                all.add(
                        () -> {
                            work.run(number);
                            return null;
                        });
            }
            for (Future<Void> done : threads.invokeAll(all)) {
                try {
                    done.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        }
    }
}
