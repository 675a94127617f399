package lvms.deploy.monitoring;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.metrics.ProcessMetrics;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.Lvm;
import lvms.node.NativestorSettings;
import lvms.node.NodeAgent;
import lvms.node.NodeAgentSettings;
import lvms.operator.ClusterOperator;
import lvms.operator.RawDeviceOperator;
import lvms.operator.VolumeOperator;
import lvms.operator.VolumeOperatorSettings;
import lvms.operator.cluster.ClusterSettings;
import lvms.operator.informer.OperatorInformers;
import lvms.tests.server.Definitions;
import lvms.tests.server.Looks;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** An operator and a node agent at work, put together as their commands do, and their metrics. */
final class Cluster implements AutoCloseable {
    static final String NODE = "n1";
    private static final String NAMESPACE = "lvms-system";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A group of this name is nobody else's on this machine. */
    static final String GROUP = "lvmsmetrics" + ProcessHandle.current().pid();

    /** Size of the only raw device. */
    static final long RAW_BYTES = 3L << 30;

    private static final String MADE = "made";
    private static final String FAILED = "failed";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final MetricsRegistry ofOperator = ProcessMetrics.registry(true);
    private final MetricsRegistry ofAgent = ProcessMetrics.registry(true);
    private final ApiServer server;
    private final KubeClient kube;

    /** Starts both, without a volume yet; kubelet is not there. */
    Cluster(Path folder, Lvm lvm) throws Exception {
        server = opening(Servers.start());
        kube = client("test", new MetricsRegistry());
        Definitions.install(kube, Definitions.ALL);
        Definitions.install(kube, Definitions.NATIVESTOR);
        create(Types.NAMESPACE, ObjectKey.cluster(NAMESPACE), ObjectTree.EMPTY);
        Nodes.create(kube, KubeObject.create(Types.NODE, ObjectKey.cluster(NODE)));
        create(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, NODE), ObjectTree.EMPTY);
        createRawDevice();
        startOperator(folder);
        startAgent(folder, lvm);
    }

    private void createRawDevice() throws Exception {
        var labels =
                List.of("kind=TopolvmCluster", "namespace=" + NAMESPACE, "name=any", "uid=any");
        var driver =
                KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(RawDevice.DRIVER.name()))
                        .with(false, "spec", "attachRequired");
        for (var label : labels) {
            var words = label.split("=");
            driver = driver.with(words[1], "metadata", "labels", Names.OWNED_BY_PREFIX + words[0]);
        }
        kube.create(Types.CSI_DRIVER, driver);
        var spec = new RawDevice.Spec(NODE, RAW_BYTES, "disk", "/dev/sdb", 8, 16, "", true, "");
        var name = RawDevice.nameOf(NODE, spec.realPath());
        kube.create(RawDevice.TYPE, RawDevice.create(name, spec, Map.of("SERIAL", "raw")));
    }

    private void startOperator(Path folder) throws Exception {
        var pod = ObjectKey.of(NAMESPACE, "lvms-operator-0");
        var client = client(Names.OPERATOR, ofOperator);
        var events = opening(EventRecorder.open(client, Names.OPERATOR, pod.name()));
        var all = Drivers.DEFAULT.and(RawDevice.DRIVER);
        var informers = OperatorInformers.of(client, Drivers.DEFAULT, all, NAMESPACE);
        var settings = VolumeOperatorSettings.of(pod, "test", folder.resolve("c/csi.sock"));
        var volumes = opening(new VolumeOperator(client, informers, settings, events, ofOperator));
        var raw = opening(new RawDeviceOperator(client, informers, settings, events, ofOperator));
        var clusters =
                opening(
                        new ClusterOperator(
                                client,
                                ClusterSettings.of(NAMESPACE, pod.name())
                                        .image("localhost/lvms")
                                        .nativeStor(Map.of()),
                                informers,
                                ofOperator));
        var lease = ObjectKey.of(NAMESPACE, Names.OPERATOR_LEASE);
        opening(LeaderElector.of(client, lease, pod.name())).start(new Leading());
        volumes.start();
        raw.start();
        clusters.start();
        await("the operator is ready", () -> volumes.ready() && clusters.ready());
        await("raw devices are served", () -> ofOperator.text().contains("\nlvms_raw_devices{"));
    }

    private record Leading() implements LeaderElector.Listener {
        @Override
        public void onStartedLeading() {}

        @Override
        public void onStoppedLeading() {}
    }

    private void startAgent(Path folder, Lvm lvm) throws Exception {
        var client = client(Names.VG_MANAGER, ofAgent);
        var events = opening(EventRecorder.open(client, Names.VG_MANAGER, NODE));
        var settings =
                new NodeAgentSettings(
                        NODE,
                        NAMESPACE,
                        "test",
                        folder.resolve("lvmd.yaml"),
                        folder.resolve("k"),
                        Optional.empty(),
                        Optional.empty(),
                        NativestorSettings.NONE);
        var agent = opening(new NodeAgent(settings, client, events, ofAgent));
        agent.start(lvm);
        await("the agent is ready", () -> agent.groupsReady() && agent.volumesReady());
    }

    /** Lets the agent make a volume group of the disk, a volume that grows, and none in vain. */
    void use(Path disk) throws Exception {
        var spec = // this machine cannot activate volumes, so it cannot zero them
                "{'default':true,'deviceSelector':{'paths':['%s']},"
                        + "'erasureConfig':{'zeroVolumes':'none'}}";
        create(
                LvmVolumeGroup.TYPE,
                ObjectKey.of(NAMESPACE, GROUP),
                Json.parse(spec.formatted(disk).replace('\'', '"')).asObject());
        var status = ObjectKey.of(NAMESPACE, NODE);
        await(
                "the class is served",
                () -> kube.get(LvmVolumeGroupNodeStatus.TYPE, status).toJson().contains("Ready"));
        var made = createVolume(MADE, GROUP);
        await("the volume is made", () -> bytes(made) == 8 << 20);
        kube.mergePatch(
                LogicalVolume.TYPE, made, Json.parse("{\"spec\":{\"size\":\"12Mi\"}}").asObject());
        await("the volume has grown", () -> bytes(made) == 12 << 20);
        var failed = createVolume(FAILED, "nobodys");
        await("a volume fails", () -> volume(failed).status().code() == StatusCode.NOT_FOUND);
    }

    private ObjectKey createVolume(String name, String deviceClass) throws Exception {
        var spec =
                new LogicalVolume.Spec(name, NODE, Quantity.parse("8Mi"), deviceClass, "", "", "");
        return kube.create(LogicalVolume.TYPE, LogicalVolume.create(Driver.TOPOLVM, spec, Map.of()))
                .key();
    }

    private LogicalVolume volume(ObjectKey key) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, key));
    }

    private long bytes(ObjectKey key) throws Exception {
        return volume(key).status().currentSize().map(Quantity::bytes).orElse(0L);
    }

    /** Takes all down again that {@link #use} made. */
    void tidy() throws Exception {
        remove(LogicalVolume.TYPE, ObjectKey.cluster(MADE));
        remove(LogicalVolume.TYPE, ObjectKey.cluster(FAILED));
        remove(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, GROUP));
    }

    private void remove(ResourceType type, ObjectKey key) throws Exception {
        if (kube.find(type, key).isPresent()) {
            kube.delete(type, key, DeleteOptions.any());
            await(key + " is gone", () -> kube.find(type, key).isEmpty());
        }
    }

    private void create(ResourceType type, ObjectKey key, ObjectTree spec) throws Exception {
        kube.create(type, KubeObject.create(type, key).with(spec, "spec"));
    }

    private KubeClient client(String name, MetricsRegistry metrics) {
        return opening(KubeClient.open(server.config(), name, metrics).withFieldManager(name));
    }

    static void await(String what, Callable<Boolean> state) throws Exception {
        Looks.until(what, PATIENCE, state);
    }

    private <T extends AutoCloseable> T opening(T part) {
        opened.push(part);
        return part;
    }

    ApiServer server() {
        return server;
    }

    KubeClient kube() {
        return kube;
    }

    /** Returns the metrics of each process, by the Service that leads to it. */
    Map<String, MetricsRegistry> registries() {
        return Map.of(
                "lvms-operator-metrics-service", ofOperator,
                "vg-manager-metrics-service", ofAgent);
    }

    /** Returns the page of each process. */
    List<String> pages() {
        return registries().values().stream().map(MetricsRegistry::text).toList();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                throw new AssertionError("a part does not close", e);
            }
        }
    }
}
