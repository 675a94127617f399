package lvms.operator.rawdevice;

import lvms.api.Drivers;
import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.deploy.Roles;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Faults;
import lvms.operator.ProvisionerSettings;
import lvms.operator.RawDeviceOperator;
import lvms.operator.ServedObjects;
import lvms.operator.VolumeOperatorSettings;
import lvms.operator.informer.OperatorInformers;
import lvms.tests.lab.standin.ControlPlane;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster in memory whose nodes have raw devices: API server, stand-ins for what Kubernetes
 * brings along, a stand-in for the agents, and the operator's part, which can be killed and started
 * again.
 */
final class RawCluster extends ServedObjects implements AutoCloseable {
    static final long GIB = 1L << 30;
    static final String WAIT = ",'volumeBindingMode':'WaitForFirstConsumer'";
    static final ObjectKey DRIVER = ObjectKey.cluster("nativestor.alauda.io");
    private static final ObjectKey POD = ObjectKey.of("lvms-system", "lvms-operator-0");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final ApiServer server;
    final KubeClient kube;
    final FakeRawAgent agent;
    private final KubeClient agentKube;
    private final KubeClient standInKube;
    private final ControlPlane standIns;
    private String token;
    private KubeClient operatorKube;
    private EventRecorder events;
    private OperatorInformers informers;
    private RawDeviceOperator operator;
    private final MetricsRegistry metrics = new MetricsRegistry();

    /** Starts it with the CSIDriver, and without nodes and operator. */
    RawCluster() throws Exception {
        super(PATIENCE);
        server = Servers.start();
        kube = client("test", server.token());
        kube.create(
                Types.NAMESPACE,
                KubeObject.create(Types.NAMESPACE, ObjectKey.cluster(POD.namespace())));
        Definitions.install(kube, List.of("nativestor.alauda.io_rawdevices"));
        standInKube = client("stand-ins", server.token());
        standIns = ControlPlane.start(standInKube);
        agentKube = client("agent", server.token());
        agent = new FakeRawAgent(agentKube);
        createDriver("LVMCluster");
    }

    /** The usual one: a class that waits for pods, node n1, and the operator at work. */
    static RawCluster withNode() throws Exception {
        var cluster = new RawCluster();
        cluster.node("n1");
        cluster.createClass("raw", WAIT);
        cluster.startOperator();
        return cluster;
    }

    private KubeClient client(String name, String token) throws Exception {
        return KubeClient.open(server.config(token), name).withFieldManager(name);
    }

    /**
     * Creates the CSIDriver.
     *
     * @param owner kind of its owner, empty for another installation's
     */
    void createDriver(String owner) throws ApiException, InterruptedException {
        var label = Names.OWNED_BY_PREFIX;
        var labels =
                owner.isEmpty()
                        ? "{}"
                        : "{'%skind':'%s','%snamespace':'lvms-system','%sname':'my','%suid':'u'}"
                                .formatted(label, owner, label, label, label);
        create(
                Types.CSI_DRIVER,
                ("{'metadata':{'name':'nativestor.alauda.io','labels':%s},'spec':{"
                                + "'attachRequired':false,'podInfoOnMount':true,"
                                + "'storageCapacity':true}}")
                        .formatted(labels));
    }

    void node(String name) throws ApiException, InterruptedException {
        Nodes.create(
                kube,
                KubeObject.create(Types.NODE, ObjectKey.cluster(name))
                        .with(
                                object(
                                        "{'topology.nativestor.alauda.io/node':'%s'}"
                                                .formatted(name)),
                                "metadata",
                                "labels"));
        create(
                Types.CSI_NODE,
                ("{'metadata':{'name':'%1$s'},'spec':{'drivers':[{'name':'nativestor.alauda.io',"
                                + "'nodeID':'%1$s','topologyKeys':["
                                + "'topology.nativestor.alauda.io/node']}]}}")
                        .formatted(name));
    }

    /** Adds a free device; returns the name of its object. */
    String device(String node, String path, long bytes) throws ApiException, InterruptedException {
        var name = RawDevice.nameOf(node, path);
        var spec = new RawDevice.Spec(node, bytes, "disk", path, 8, 16, "", true, "");
        kube.create(RawDevice.TYPE, RawDevice.create(name, spec, Map.of("SERIAL", "disk " + path)));
        return name;
    }

    RawDevice device(String name) throws ApiException, InterruptedException {
        return RawDevice.of(kube.get(RawDevice.TYPE, ObjectKey.cluster(name)));
    }

    List<RawDevice> devices() throws ApiException, InterruptedException {
        return list(RawDevice.TYPE).stream().map(RawDevice::of).toList();
    }

    /** Has the node of a device say something about it. */
    void say(String device, boolean available, String reason)
            throws ApiException, InterruptedException {
        patch(
                RawDevice.TYPE,
                ObjectKey.cluster(device),
                "{'spec':{'available':%s,'reason':'%s'}}".formatted(available, reason));
    }

    void startOperator() throws Exception {
        token = server.issueToken("operator", "system:masters");
        operatorKube = client(Names.OPERATOR, token);
        events = EventRecorder.open(operatorKube, "topolvm.io/lvms-operator", "test");
        informers =
                OperatorInformers.of(
                        operatorKube,
                        Drivers.DEFAULT,
                        Drivers.DEFAULT.and(RawDevice.DRIVER),
                        POD.namespace());
        informers.ofClaims().forEach(Informer::start);
        operator =
                new RawDeviceOperator(
                        operatorKube,
                        informers,
                        VolumeOperatorSettings.of(POD, "test", Path.of("unused"))
                                .provisioner(ProvisionerSettings.DEFAULT),
                        events,
                        metrics);
        operator.start();
    }

    /** Ends the operator as a kill would: from here on it can write nothing. */
    void killOperator() {
        server.revokeToken(token);
        stopOperator();
    }

    private void stopOperator() {
        operator.close();
        informers.ofClaims().forEach(Informer::close);
        informers.csiDrivers().close();
        events.close();
        operatorKube.close();
        operator = null;
    }

    /** Returns the lines of the operator's page of metrics that begin with this. */
    List<String> measures(String beginning) {
        return metrics.text().lines().filter(line -> line.startsWith(beginning)).toList();
    }

    void createClass(String name, String fields) throws ApiException, InterruptedException {
        create(
                Types.STORAGE_CLASS,
                "{'metadata':{'name':'%s'},'provisioner':'nativestor.alauda.io'%s}"
                        .formatted(name, fields));
    }

    /** Creates a claim of a block volume. */
    KubeObject createClaim(String name, String storageClass, String size)
            throws ApiException, InterruptedException {
        return createClaim(
                name, storageClass, size, ",'volumeMode':'Block','accessModes':['ReadWriteOnce']");
    }

    KubeObject createClaim(String name, String storageClass, String size, String spec)
            throws ApiException, InterruptedException {
        return create(
                Types.PVC,
                ("{'metadata':{'namespace':'default','name':'%s'},'spec':{'storageClassName':'%s',"
                                + "'resources':{'requests':{'storage':'%s'}}%s}}")
                        .formatted(name, storageClass, size, spec));
    }

    /** Creates a pod that uses the claim of its name. */
    void createPod(String name) throws ApiException, InterruptedException {
        create(
                Types.POD,
                ("{'metadata':{'namespace':'default','name':'%1$s'},'spec':{'containers':["
                                + "{'name':'c','image':'i','volumeDevices':[{'name':'v',"
                                + "'devicePath':'/dev/sdf'}]}],'volumes':[{'name':'v',"
                                + "'persistentVolumeClaim':{'claimName':'%1$s'}}]}}")
                        .formatted(name));
    }

    /** Returns the PersistentVolume of a claim, once that is bound. */
    KubeObject awaitVolumeOf(String claim) throws Exception {
        await("claim " + claim + " is bound", () -> isBound(claim));
        var name = kube.get(Types.PVC, claim(claim)).text("spec", "volumeName").orElseThrow();
        return kube.get(Types.PV, ObjectKey.cluster(name));
    }

    boolean isBound(String claim) throws ApiException, InterruptedException {
        return kube.get(Types.PVC, claim(claim))
                .text("status", "phase")
                .filter("Bound"::equals)
                .isPresent();
    }

    /** Waits until no claim marks the device any more. */
    void awaitUnmarked(String device) throws Exception {
        await(
                "the mark of the claim is off",
                () -> RawDeviceStore.mark(device(device).object()).isEmpty());
    }

    /** Returns the node of a pod, once it has one. */
    String awaitNodeOf(String pod) throws Exception {
        await("pod " + pod + " is placed", () -> nodeOf(pod).isPresent());
        return nodeOf(pod).orElseThrow();
    }

    private Optional<String> nodeOf(String pod) throws ApiException, InterruptedException {
        return kube.get(Types.POD, claim(pod)).text("spec", "nodeName");
    }

    /** Waits for an Event about a claim that says this. */
    void awaitEvent(String claim, String reason, String words) throws Exception {
        await(
                "event " + reason + " of " + claim + ": " + words,
                () ->
                        list(Types.EVENT).stream()
                                .filter(e -> e.text("regarding", "name").orElse("").equals(claim))
                                .filter(e -> e.text("reason").orElse("").equals(reason))
                                .anyMatch(e -> e.text("note").orElse("").contains(words)));
    }

    /** Waits until what is published of the class on a node is this. */
    void awaitCapacity(String node, String total, String largest) throws Exception {
        await(
                "capacity of " + node + " is " + total + ", largest " + largest,
                () ->
                        list(Types.CSI_STORAGE_CAPACITY).stream()
                                .filter(
                                        c ->
                                                c.textMap("nodeTopology", "matchLabels")
                                                        .getOrDefault(
                                                                "topology.nativestor.alauda.io/node",
                                                                "")
                                                        .equals(node))
                                .anyMatch(
                                        c ->
                                                c.text("capacity").orElse("").equals(total)
                                                        && c.text("maximumVolumeSize")
                                                                .orElse("")
                                                                .equals(largest)));
    }

    /** Returns whether the operator has made such a request since they were forgotten. */
    boolean requested(String method, String part) {
        return server.faults().requests().stream()
                .anyMatch(r -> isOfOperator(r, method) && r.target().contains(part));
    }

    static boolean isOfOperator(Faults.Seen request, String method) {
        return request.headers().getOrDefault("user-agent", "").equals(Names.OPERATOR)
                && request.method().equals(method);
    }

    @Override
    protected KubeClient user() {
        return kube;
    }

    @Override
    public void close() throws IOException {
        if (operator != null) {
            stopOperator();
        }
        Roles.requireAllowed(
                server.faults().requests(),
                Names.OPERATOR,
                Roles.OPERATOR,
                Roles.RAW_DEVICE_OPERATOR);
        agent.close();
        agentKube.close();
        standIns.close();
        standInKube.close();
        kube.close();
        server.close();
    }
}
