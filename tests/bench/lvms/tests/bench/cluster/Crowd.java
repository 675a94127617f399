package lvms.tests.bench.cluster;

import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;

import java.util.List;
import java.util.function.BooleanSupplier;

/** Claims and pods that come at once and go at once; each method returns milliseconds. */
public record Crowd(KubeClient kube, Watched watched) {
    /** Where they are. */
    public static final String NAMESPACE = "bench";

    /** Creates claims, until all are bound. */
    double claims(String storageClass, int count) throws Exception {
        long began = System.nanoTime();
        AtOnce.run(count, i -> create(Types.PVC, claim(storageClass, i)));
        return watched.await(count + " claims are bound", began, () -> bound() == count);
    }

    /**
     * What pods with claims take, in milliseconds.
     *
     * @param bound until the last claim is bound
     * @param ready until the last pod is ready
     */
    record PodTimes(double bound, double ready) {}

    /** Creates pods, each with a claim of the class, until all are ready. */
    PodTimes pods(String storageClass, int count) throws Exception {
        long began = System.nanoTime();
        AtOnce.run(count, i -> create(storageClass, i, Pod.with(name(i), name(i))));
        double bound = watched.await(count + " claims are bound", began, () -> bound() == count);
        double ready = watched.await(count + " pods are ready", began, () -> ready() == count);
        return new PodTimes(bound, ready);
    }

    /**
     * Creates claims and, when these are bound, pods, until all are ready.
     *
     * @param each how many of the claims a pod has
     */
    double pods(String storageClass, int count, int each) throws Exception {
        claims(storageClass, count * each);
        long began = System.nanoTime();
        AtOnce.run(count, i -> create(Types.POD, podOfMany(i, each).object(NAMESPACE)));
        return watched.await(count + " pods are ready", began, () -> ready() == count);
    }

    private static Pod podOfMany(int number, int each) {
        var pod = Pod.of(name(number));
        for (int i = 0; i < each; i++) {
            pod = pod.mount("data-" + i, name(number * each + i));
        }
        return pod;
    }

    /** Creates pods, each with a claim of the class, until all claims are bound. */
    public double claimsOfPods(String storageClass, List<String> nodes) throws Exception {
        return claimsOfPods(storageClass, nodes, () -> bound() == nodes.size());
    }

    /**
     * The same until there is enough.
     *
     * @param nodes of each pod
     */
    public double claimsOfPods(String storageClass, List<String> nodes, BooleanSupplier enough)
            throws Exception {
        long began = System.nanoTime();
        AtOnce.run(
                nodes.size(),
                i -> create(storageClass, i, Pod.with(name(i), name(i)).on(nodes.get(i))));
        return watched.await(nodes.size() + " claims of pods are bound", began, enough);
    }

    private void create(String storageClass, int number, Pod pod) throws Exception {
        create(Types.PVC, claim(storageClass, number));
        create(Types.POD, pod.object(NAMESPACE));
    }

    /** Creates pods without a volume, until all are ready. */
    double emptyPods(int count) throws Exception {
        long began = System.nanoTime();
        AtOnce.run(count, i -> create(Types.POD, Pod.of(name(i)).object(NAMESPACE)));
        return watched.await(count + " pods are ready", began, () -> ready() == count);
    }

    /** Deletes all pods, until they are gone. */
    void removePods() throws Exception {
        long began = System.nanoTime();
        removeAll(Types.POD, DeleteOptions.any());
        watched.await("pods are gone", began, () -> mine(Types.POD).isEmpty());
    }

    /** Deletes all pods, of which no kubelet takes leave, until they are gone. */
    public void removePodsWithoutKubelet() throws Exception {
        long began = System.nanoTime();
        removeAll(Types.POD, DeleteOptions.any().gracePeriodSeconds(0));
        watched.await("pods are gone", began, () -> mine(Types.POD).isEmpty());
    }

    /** Deletes all claims, until their volumes are gone, objects and all. */
    public double removeClaims() throws Exception {
        return removeClaims(
                () ->
                        watched.list(Types.PV, "").isEmpty()
                                && watched.list(LogicalVolume.TYPE, "").isEmpty());
    }

    /** Deletes all claims, until they are gone, and enough of their volumes. */
    public double removeClaims(BooleanSupplier enough) throws Exception {
        long began = System.nanoTime();
        removeAll(Types.PVC, DeleteOptions.any());
        return watched.await(
                "volumes are gone",
                began,
                () -> mine(Types.PVC).isEmpty() && enough.getAsBoolean());
    }

    private static String name(int number) {
        return "bench-" + number;
    }

    private static KubeObject claim(String storageClass, int number) {
        return Claim.of(name(number), storageClass, "32Mi").object(NAMESPACE);
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
        return watched.list(type, NAMESPACE);
    }

    private void removeAll(ResourceType type, DeleteOptions options) throws Exception {
        var keys = mine(type).stream().map(KubeObject::key).toList();
        AtOnce.run(keys.size(), i -> kube.delete(type, keys.get(i), options));
    }
}
