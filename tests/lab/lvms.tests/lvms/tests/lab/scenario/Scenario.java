package lvms.tests.lab.scenario;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.lab.cluster.ClusterOptions;
import lvms.tests.lab.cluster.LabCluster;
import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A cluster with lvms installed, and what a user does in it. */
public final class Scenario implements AutoCloseable {
    /** Where the product is installed. */
    public static final String SYSTEM = "lvms-system";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String NAMESPACE = "default";

    private final LabCluster cluster;
    private final Manifests manifests;

    private Scenario(LabCluster cluster) {
        this.cluster = cluster;
        this.manifests = new Manifests(cluster.kube());
    }

    /** Starts a cluster of two nodes, installs lvms, and waits until its storage is ready. */
    public static Scenario start(String name, String deviceClasses) throws Exception {
        return start(name, deviceClasses, 2);
    }

    /** The same with another number of nodes. Disks and logs are below {@code out/lab}. */
    public static Scenario start(String name, String deviceClasses, int nodes) throws Exception {
        return start(deviceClasses, ClusterOptions.twoNodes(Path.of("out/lab", name)).nodes(nodes));
    }

    /** The same on a cluster of one's own. */
    public static Scenario start(String deviceClasses, ClusterOptions options) throws Exception {
        delete(options.folder());
        var cluster = LabCluster.start(options, _ -> {});
        var scenario = new Scenario(cluster);
        scenario.manifests.applyFolder(options.repository().resolve("deploy/guard"));
        scenario.manifests.applyFolder(options.repository().resolve("deploy/base"));
        scenario.await(
                "the operator serves LVMCluster", () -> scenario.kube().serves(LvmCluster.TYPE));
        scenario.manifests.apply(
                """
                apiVersion: lvm.topolvm.io/v1alpha1
                kind: LVMCluster
                metadata:
                  name: lvmcluster
                  namespace: lvms-system
                spec:
                  storage:
                    deviceClasses:
                """
                        + deviceClasses.indent(6));
        scenario.await("LVMCluster is ready", scenario::storageReady);
        return scenario;
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var paths = Files.walk(folder)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private boolean storageReady() throws ApiException, InterruptedException {
        var object = kube().get(LvmCluster.TYPE, ObjectKey.of(SYSTEM, "lvmcluster"));
        return object.text("status", "state").orElse("").equals("Ready") && capacitiesReported();
    }

    private boolean capacitiesReported() throws ApiException, InterruptedException {
        return kube().list(Types.NODE, ListOptions.all()).items().stream()
                .allMatch(
                        node ->
                                node.annotations().entrySet().stream()
                                        .filter(a -> a.getKey().startsWith("capacity.topolvm.io/"))
                                        .anyMatch(a -> a.getValue().matches("[1-9][0-9]*")));
    }

    public LabCluster cluster() {
        return cluster;
    }

    /** Returns the administrator's client. */
    public KubeClient kube() {
        return cluster.kube();
    }

    /** Applies manifests. */
    public void apply(String yaml) throws ApiException, InterruptedException {
        manifests.apply(yaml);
    }

    /** Creates a claim of the class lvms-vg1. */
    public void claim(String name, String size) throws ApiException, InterruptedException {
        claim(name, size, "lvms-vg1");
    }

    /** Creates a claim. */
    public void claim(String name, String size, String storageClass)
            throws ApiException, InterruptedException {
        apply(
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: %s
                  namespace: default
                spec:
                  storageClassName: %s
                  accessModes: [ReadWriteOnce]
                  resources:
                    requests:
                      storage: %s
                """
                        .formatted(name, storageClass, size));
    }

    /** Creates a pod that has the claim of the same name at /data and waits to be told to end. */
    public void pod(String name) throws ApiException, InterruptedException {
        apply(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: default
                spec:
                  terminationGracePeriodSeconds: 1
                  containers:
                    - name: main
                      image: busybox
                      command: [sh, -c, "trap 'exit 0' TERM; while true; do sleep 1; done"]
                      volumeMounts:
                        - name: data
                          mountPath: /data
                  volumes:
                    - name: data
                      persistentVolumeClaim:
                        claimName: %s
                """
                        .formatted(name, name));
    }

    /** Waits until a pod is ready; returns it. */
    public KubeObject awaitReady(String pod) throws Exception {
        await(
                "pod " + pod + " is ready",
                () -> find(Types.POD, pod).filter(Scenario::ready).isPresent());
        return find(Types.POD, pod).orElseThrow();
    }

    static boolean ready(KubeObject pod) {
        return pod.condition("Ready").filter(lvms.k8s.object.Condition::holds).isPresent();
    }

    /** Reads an object of the user's namespace. */
    public java.util.Optional<KubeObject> find(ResourceType type, String name)
            throws ApiException, InterruptedException {
        return kube().find(type, ObjectKey.of(NAMESPACE, name));
    }

    /** Runs a script in a pod. */
    public String inPod(String pod, String script) throws Exception {
        return cluster.exec(ObjectKey.of(NAMESPACE, pod), List.of("sh", "-c", script))
                .require(pod + ": " + script);
    }

    /** Returns whether commands can be run in a pod. */
    public boolean runs(String pod) throws Exception {
        return cluster.exec(ObjectKey.of(NAMESPACE, pod), List.of("true")).succeeded();
    }

    /** Waits for a condition; an API error while waiting counts as not yet. */
    public void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static boolean holds(Callable<Boolean> condition) throws Exception {
        try {
            return condition.call();
        } catch (ApiException e) {
            return false;
        }
    }

    /** The logical volumes on the disks of all nodes that run, without pools. */
    public List<String> volumesOnDisk() throws IOException {
        var found = new ArrayList<String>();
        for (var node : cluster.lab().nodes()) {
            if (node.running()) {
                found.addAll(volumesOn(node));
            }
        }
        return found;
    }

    private static List<String> volumesOn(Node node) throws IOException {
        return node.shell("lvs --noheadings --options lv_name --select 'segtype!=thin-pool' vg1")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** The LogicalVolume objects. */
    public List<KubeObject> logicalVolumes() throws ApiException, InterruptedException {
        return kube().list(LogicalVolume.TYPE, ListOptions.all()).items();
    }

    /** Kills the node agent of a node; kubelet starts it again. */
    public void killAgent(String node) throws IOException {
        cluster.node(node).shell("kill -KILL $(cat " + Node.SHARE + "/pods/*/vg-manager.pid)");
    }

    /** Deletes the user's pods and claims, and waits until nothing is left of them anywhere. */
    public void removeAll() throws Exception {
        for (var type : List.of(Types.POD, Types.PVC)) {
            for (var object : kube().list(type, ListOptions.all().namespace(NAMESPACE)).items()) {
                kube().delete(type, object.key(), DeleteOptions.any());
            }
        }
        await(
                "objects are gone",
                () ->
                        logicalVolumes().isEmpty()
                                && kube().list(Types.PV, ListOptions.all()).items().isEmpty());
        await("volumes are gone", () -> volumesOnDisk().isEmpty());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
