package lvms.tests.bench.fleet;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.deploy.Admin;
import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.node.FleetAgents;
import lvms.operator.unit.CsiDriverUnit;
import lvms.tests.bench.ImageProcess;
import lvms.tests.bench.Setting;
import lvms.tests.bench.cluster.AtOnce;
import lvms.tests.bench.cluster.Crowd;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.PlaneOptions.Part;
import lvms.tests.cluster.Programs;
import lvms.tests.support.Nodes;
import lvms.tests.training.Launcher;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A control plane with an operator, and Nodes without machines: what kubelets would write of them,
 * the bench writes. Nobody says that they are gone, since they have no kubelets whose leases end.
 */
final class FleetPlane implements AutoCloseable {
    /** The StorageClass, which waits for pods. */
    static final String STORAGE_CLASS = FleetAgents.DEVICE_CLASS;

    private static final String NAMESPACE = FleetAgents.NAMESPACE;
    private static final String[] RATE = {"--kube-api-qps=500", "--kube-api-burst=1000"};
    private static final int UNLIMITED = 100_000;

    private final Path folder;
    private final ControlPlane plane;
    private final FleetAudit audit;
    private final KubeClient kube;
    private final ImageProcess operator;

    private FleetPlane(Path image, Path folder, ControlPlane plane, FleetAudit audit)
            throws Exception {
        this.folder = folder;
        this.plane = plane;
        this.audit = audit;
        var config = KubeConfig.load(Optional.of(plane.kubeconfig()));
        var options = ClientOptions.of("bench/1").rateLimit(UNLIMITED, UNLIMITED);
        kube = KubeClient.open(config, options).withFieldManager("bench");
        install();
        operator = operator(image);
    }

    /** Starts it in a folder, which keeps the logs. */
    static FleetPlane start(Path image, Path folder) throws Exception {
        var audit = FleetAudit.in(folder.resolve("audit"), user("vg-manager"));
        var plane =
                ControlPlane.options(Programs.find(), folder.resolve("plane"))
                        .with(Part.CONTROLLER_MANAGER, Part.SCHEDULER)
                        .flags("kube-apiserver", "--disable-admission-plugins=ServiceAccount")
                        .flags("kube-apiserver", audit.flags().toArray(String[]::new))
                        .flags("kube-controller-manager", RATE)
                        .flags(
                                "kube-controller-manager",
                                "--controllers=*,-node-lifecycle-controller")
                        .flags("kube-scheduler", RATE)
                        .start();
        try {
            return new FleetPlane(image, folder, plane, audit);
        } catch (Exception e) {
            plane.close();
            throw e;
        }
    }

    private static String user(String account) {
        return "system:serviceaccount:" + NAMESPACE + ":" + account;
    }

    /** The rights, and the place in the server's queues, that a pod of this account has. */
    private Path account(String name) throws IOException {
        return plane.kubeconfig(
                user(name), "system:serviceaccounts", "system:serviceaccounts:" + NAMESPACE);
    }

    private void install() throws Exception {
        var admin = new Admin(plane.kubeconfig(), folder);
        for (var file :
                new String[] {
                    "namespace.yaml",
                    "crds",
                    "service-accounts.yaml",
                    "operator-rbac.yaml",
                    "vg-manager-rbac.yaml"
                }) {
            admin.succeed("apply", "--server-side", "--filename=deploy/base/" + file);
        }
        admin.succeed("wait", "--for=condition=Established", "crd", "--all");
        var namespace = ObjectKey.cluster(Crowd.NAMESPACE);
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        var cluster =
                KubeObject.create(LvmCluster.TYPE, ObjectKey.of(NAMESPACE, "fleet"))
                        .with("00000000-0000-4000-8000-000000000000", "metadata", "uid");
        kube.create(Types.CSI_DRIVER, CsiDriverUnit.desired(LvmCluster.of(cluster)));
        var parameters = "topolvm.io/device-class: " + FleetAgents.DEVICE_CLASS;
        kube.create(
                Types.STORAGE_CLASS,
                KubeObject.create(Types.STORAGE_CLASS, ObjectKey.cluster(STORAGE_CLASS))
                        .with("topolvm.io", "provisioner")
                        .with("WaitForFirstConsumer", "volumeBindingMode")
                        .with(Yaml.read(parameters), "parameters"));
    }

    private ImageProcess operator(Path image) throws Exception {
        int port = ImageProcess.freePort();
        var words =
                Launcher.words(
                        image,
                        "lvms-operator",
                        "--health-probe-bind-address=127.0.0.1:" + port,
                        "--csi-socket=" + folder.resolve("csi/csi.sock"));
        var environment =
                Map.of(
                        "KUBECONFIG",
                        account("lvms-operator").toString(),
                        "NAMESPACE",
                        NAMESPACE,
                        "NAME",
                        "lvms-operator-0");
        return ImageProcess.server(
                Setting.of(image.toString()),
                "operator",
                words,
                environment,
                URI.create("http://127.0.0.1:" + port + "/readyz"));
    }

    /** Creates what a cluster has of each node. */
    void addNodes(int count) throws Exception {
        AtOnce.run(count, number -> addNode(FleetAgents.nodeName(number)));
    }

    private void addNode(String name) throws Exception {
        var room = "{cpu: 64, memory: 256Gi, pods: 500}";
        var node =
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: NAME
                  labels: {kubernetes.io/hostname: NAME, topology.topolvm.io/node: NAME}
                status:
                  capacity: ROOM
                  allocatable: ROOM
                  conditions:
                    - {type: Ready, status: "True", reason: Bench, message: nobody is there}
                """;
        var csiNode =
                """
                apiVersion: storage.k8s.io/v1
                kind: CSINode
                metadata: {name: NAME}
                spec:
                  drivers:
                    - name: topolvm.io
                      nodeID: NAME
                      topologyKeys: [topology.topolvm.io/node]
                """;
        Nodes.create(kube, read(node.replace("ROOM", room), name));
        kube.create(Types.CSI_NODE, read(csiNode, name));
        var status = LvmVolumeGroupNodeStatus.TYPE;
        kube.create(
                status,
                KubeObject.create(status, ObjectKey.of(NAMESPACE, name))
                        .with(ObjectTree.EMPTY, "spec"));
    }

    private static KubeObject read(String yaml, String name) {
        return KubeObject.of(Yaml.read(yaml.replace("NAME", name)).asObject());
    }

    /** Returns of how many nodes the scheduler knows that there is room. */
    long nodesWithRoom() throws Exception {
        return kube
                .list(Types.CSI_STORAGE_CAPACITY, ListOptions.all().namespace(NAMESPACE))
                .items()
                .stream()
                .filter(object -> !object.text("capacity").orElse("0").equals("0"))
                .count();
    }

    /** Returns the kubeconfig of node agents. */
    Path agents() throws IOException {
        return account("vg-manager");
    }

    Path folder() {
        return folder;
    }

    KubeClient kube() {
        return kube;
    }

    FleetAudit audit() {
        return audit;
    }

    /** Kills the API server; etcd keeps the objects. */
    void kill() throws IOException {
        plane.kill();
    }

    /** Starts the API server again, until it is ready. */
    void restart() throws IOException {
        plane.restart();
    }

    @Override
    public void close() throws IOException {
        operator.close();
        kube.close();
        plane.close();
    }
}
