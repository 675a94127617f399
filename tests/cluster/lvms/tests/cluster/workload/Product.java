package lvms.tests.cluster.workload;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.check.Checker;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * The product in a cluster: installed as an administrator does, with an LVMCluster of a thin class
 * and a thick one, each on a disk of its own on every node.
 */
public final class Product {
    /** The namespace that the manifests install to. */
    public static final String SYSTEM = Names.DEFAULT_NAMESPACE;

    /** The thin class: xfs, default StorageClass. */
    public static final String THIN = "thin";

    /** The thick class: ext4. */
    public static final String THICK = "thick";

    /** The StorageClass of {@link #THIN}. */
    public static final String THIN_CLASS = Names.classOf(THIN);

    /** The StorageClass of {@link #THICK}. */
    public static final String THICK_CLASS = Names.classOf(THICK);

    /** The name of the LVMCluster. */
    public static final ObjectKey LVM_CLUSTER = ObjectKey.of(SYSTEM, "lvmcluster");

    /** The field manager of what tests write. */
    private static final String MANAGER = "test";

    private static final Duration DEADLINE = Duration.ofSeconds(180);
    private static final long PAUSE_MILLIS = 500;
    private static final String THIN_YAML =
            """
            - name: thin
              default: true
              fstype: xfs
              deviceSelector:
                paths: [/dev/ubdc]
              thinPoolConfig:
                name: pool
                sizePercent: 90
                overprovisionRatio: %d
            """;
    private static final String THICK_YAML =
            """
            - name: thick
              fstype: ext4
              deviceSelector:
                paths: [/dev/ubdd]
            """;
    private static final int OVERPROVISION_RATIO = 5;
    private static final String DEVICE_CLASSES =
            THIN_YAML.formatted(OVERPROVISION_RATIO) + THICK_YAML;
    private static Product shared;

    private final Cluster cluster;
    private final KubeClient kube;

    private Product(Cluster cluster) throws Exception {
        this.cluster = cluster;
        this.kube =
                KubeClient.open(
                                KubeConfig.load(Optional.of(cluster.kubeconfig())),
                                "lvms-conformance")
                        .withFieldManager(MANAGER);
    }

    /** Returns the product on the shared cluster, installed and ready. */
    public static synchronized Product shared() throws Exception {
        if (shared == null) {
            shared = on(Cluster.shared());
        }
        shared.install();
        return shared;
    }

    /** Returns the product on a cluster; it need not be installed. */
    public static Product on(Cluster cluster) throws Exception {
        return new Product(cluster);
    }

    public Cluster cluster() {
        return cluster;
    }

    /** Returns the administrator's client. */
    public KubeClient kube() {
        return kube;
    }

    /** Returns a checker of disk, objects and mounts. */
    public Checker checker() {
        return new Checker(cluster, kube);
    }

    /** Returns the patience that suits a cluster of slow nodes. */
    public Patience patience() {
        return patience(DEADLINE, "default");
    }

    /** Returns a patience whose diagnosis is about a namespace. */
    public Patience patience(Duration deadline, String namespace) {
        return new Patience(deadline, () -> Diagnosis.of(cluster, namespace, SYSTEM));
    }

    /** Installs what is not there and waits until the LVMCluster is Ready. */
    public void install() throws Exception {
        if (clusterState().equals("Ready")) {
            return;
        }
        installManifests();
        applyCluster();
        awaitReady();
    }

    /** Applies the LVMCluster with the thin class and the thick one. */
    public void applyCluster() throws ApiException, InterruptedException {
        applyCluster(DEVICE_CLASSES);
    }

    /** Applies the manifests and waits until the operator is ready. */
    public void installManifests() throws Exception {
        kubectl("apply", "-k", "deploy/guard");
        kubectl("apply", "-k", "deploy");
        kubectl(
                "rollout",
                "status",
                "--namespace=" + SYSTEM,
                "deployment/" + Names.OPERATOR,
                "--timeout=" + DEADLINE.toSeconds() + "s");
    }

    /** Applies the LVMCluster with the given device classes. */
    public void applyCluster(String deviceClasses) throws ApiException, InterruptedException {
        kube.apply(LvmCluster.TYPE, lvmCluster(deviceClasses));
    }

    private static KubeObject lvmCluster(String deviceClasses) {
        return KubeObject.create(LvmCluster.TYPE, LVM_CLUSTER)
                .with(Yaml.read(deviceClasses), "spec", "storage", "deviceClasses");
    }

    /** Returns the LVMCluster with the usual device classes, as it is applied. */
    public static KubeObject lvmCluster() {
        return lvmCluster(DEVICE_CLASSES);
    }

    /** Applies the LVMCluster with another overprovisionRatio of the thin class. */
    public void applyRatio(int overprovisionRatio) throws ApiException, InterruptedException {
        applyCluster(THIN_YAML.formatted(overprovisionRatio) + THICK_YAML);
    }

    /** Applies the LVMCluster without the thick class. */
    public void applyThinAlone() throws ApiException, InterruptedException {
        applyCluster(THIN_YAML.formatted(OVERPROVISION_RATIO));
    }

    /** Applies the LVMCluster with the usual device classes and more. */
    public void applyClasses(String more) throws ApiException, InterruptedException {
        applyCluster(DEVICE_CLASSES + more);
    }

    /** Waits until the LVMCluster is Ready and every node reports its free space. */
    public void awaitReady() throws Exception {
        patience().until("LVMCluster is Ready", () -> clusterState().equals("Ready"));
        patience()
                .until(
                        "nodes tell their capacity",
                        () ->
                                kube.list(Types.NODE, ListOptions.all()).items().stream()
                                        .allMatch(Product::reportsCapacity));
    }

    private static boolean reportsCapacity(KubeObject node) {
        return node.annotation(Driver.TOPOLVM.capacityAnnotation(THIN)).isPresent()
                && node.annotation(Driver.TOPOLVM.capacityAnnotation(THICK)).isPresent()
                && node.label(Driver.TOPOLVM.topologyKey()).isPresent();
    }

    /** Returns the state of the LVMCluster; empty if there is none. */
    public String clusterState() throws ApiException, InterruptedException {
        // What the server serves is remembered for a minute, and a suite may just have removed it.
        var definition = ObjectKey.cluster(LvmCluster.TYPE.qualifiedPlural());
        if (kube.find(Types.CRD, definition).isEmpty()) {
            return "";
        }
        return kube.find(LvmCluster.TYPE, LVM_CLUSTER)
                .flatMap(object -> object.text("status", "state"))
                .orElse("");
    }

    /** Deletes the LVMCluster, waits until it is gone, and then deletes what was installed. */
    public void uninstall() throws Exception {
        removeCluster();
        kubectl("delete", "-k", "deploy", "--timeout=" + DEADLINE.toSeconds() + "s");
        kubectl("delete", "-k", "deploy/guard");
    }

    /** Deletes the LVMCluster, and waits until it is gone with all that it made. */
    public void removeCluster() throws Exception {
        kube.delete(LvmCluster.TYPE, LVM_CLUSTER, DeleteOptions.any());
        patience()
                .until(
                        "LVMCluster is gone",
                        () -> kube.find(LvmCluster.TYPE, LVM_CLUSTER).isEmpty());
    }

    /** Returns the pod of the node agent on a node. */
    public Optional<KubeObject> agent(String node) throws ApiException, InterruptedException {
        return pods(Names.VG_MANAGER).stream()
                .filter(pod -> pod.text("spec", "nodeName").filter(node::equals).isPresent())
                .findFirst();
    }

    /** Returns the pods of the operator or of the node agent. */
    public List<KubeObject> pods(String name) throws ApiException, InterruptedException {
        var selector = "app.kubernetes.io/name=" + name;
        return kube.list(Types.POD, ListOptions.all().namespace(SYSTEM).labels(selector)).items();
    }

    /** Returns our objects of cluster scope and of our namespace that are left. */
    public List<KubeObject> leftovers() throws ApiException, InterruptedException {
        var left = new java.util.ArrayList<KubeObject>();
        for (var type : List.of(LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE)) {
            left.addAll(all(type));
        }
        left.addAll(all(LogicalVolume.TYPE));
        left.addAll(all(Types.STORAGE_CLASS));
        left.addAll(all(Types.CSI_DRIVER));
        left.addAll(all(Types.CSI_STORAGE_CAPACITY));
        left.addAll(all(Types.VOLUME_SNAPSHOT_CLASS));
        left.addAll(all(Types.DAEMON_SET));
        return left;
    }

    /** Returns all objects of a type; none where the server does not know it. */
    public List<KubeObject> all(ResourceType type) throws ApiException, InterruptedException {
        return kube.serves(type) ? kube.list(type, ListOptions.all()).items() : List.of();
    }

    public static boolean holds(KubeObject object, String condition) {
        return object.condition(condition).filter(Condition::holds).isPresent();
    }

    /** Repeats a request while the API server is away. */
    public static void insist(Callable<?> request) throws Exception {
        while (true) {
            try {
                request.call();
                return;
            } catch (ApiException.Unreachable | ApiException.ServerError e) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS); // the server is away, as intended
            }
        }
    }

    /** Runs kubectl; a failure is an exception with all that it said. */
    public String kubectl(String... arguments) throws IOException, InterruptedException {
        return cluster.kubectl(arguments).require("kubectl " + String.join(" ", arguments));
    }
}
