package lvms.operator.csi;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.deploy.Roles;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.operator.NodeSettings;
import lvms.operator.ProvisionerSettings;
import lvms.operator.ServedObjects;
import lvms.operator.VolumeOperator;
import lvms.operator.VolumeOperatorSettings;
import lvms.operator.claim.ClaimMark;
import lvms.operator.informer.OperatorInformers;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cluster in memory: API server, stand-ins for what Kubernetes brings along, fake node agents,
 * and the control plane under test, which can be killed and started again.
 */
final class DriverCluster extends ServedObjects implements AutoCloseable {
    static final ObjectKey POD = ObjectKey.of("lvms-system", "lvms-operator-0");
    private static final String REPORTER = "topolvm.io/lvms-operator";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final ApiServer server;
    final KubeClient kube;
    final FakeAgent agent;
    private final Drivers drivers;
    private final KubeClient agentKube;
    private final KubeClient standInKube;
    private final lvms.tests.lab.standin.ControlPlane standIns;
    private String operatorToken;
    private KubeClient operatorKube;
    private EventRecorder events;
    private MetricsRegistry metrics;
    private VolumeOperator operator;
    private Map<Driver, Path> sockets = Map.of();
    private ProvisionerSettings provisioner = ProvisionerSettings.DEFAULT;
    private NodeSettings nodes = NodeSettings.NONE;

    DriverCluster() throws Exception {
        this(Drivers.DEFAULT);
    }

    /**
     * @param drivers whose node service runs on the nodes, and whom operators serve
     */
    DriverCluster(Drivers drivers) throws Exception {
        super(PATIENCE);
        this.drivers = drivers;
        server = Servers.start();
        kube = client("test");
        var namespace = ObjectKey.cluster(POD.namespace());
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        standInKube = client("stand-ins");
        agentKube = client("agent");
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
        Definitions.install(kube, Path.of("tests/lab/lvms.tests/resources/snapshot-crds.yaml"));
        standIns = lvms.tests.lab.standin.ControlPlane.start(standInKube);
        agent = new FakeAgent(agentKube, drivers);
    }

    /** Returns a cluster with one node and the operator at work. */
    static DriverCluster withNode(long bytes) throws Exception {
        return withNode(bytes, ProvisionerSettings.DEFAULT);
    }

    /** The same with an operator that has been told these choices. */
    static DriverCluster withNode(long bytes, ProvisionerSettings provisioner) throws Exception {
        var cluster = new DriverCluster();
        cluster.provisioner = provisioner;
        cluster.agent.addNode("n1", bytes);
        cluster.startOperator();
        return cluster;
    }

    /** A node n1 whose agent is away, as the operator knows from its start on. */
    static DriverCluster withUnregisteredNode(long bytes) throws Exception {
        var cluster = new DriverCluster();
        cluster.agent.addNode("n1", bytes);
        cluster.agent.unregister("n1");
        cluster.startOperator();
        return cluster;
    }

    /**
     * Makes the server know a type, until discovery has it: a client remembers that it does not.
     */
    void define(Path file, ResourceType type) throws Exception {
        Definitions.install(kube, file);
        await(type.kind() + " is discovered", () -> discovered(type));
    }

    private boolean discovered(ResourceType type) throws Exception {
        try (var fresh = client("discovery")) {
            return fresh.serves(type);
        }
    }

    private KubeClient client(String name) throws Exception {
        return client(name, server.token());
    }

    private KubeClient client(String name, String token) throws Exception {
        return KubeClient.open(server.config(token), name).withFieldManager(name);
    }

    /** Lets the next operators serve the CSI socket too. */
    void serveOn(Path path) {
        serveOn(Driver.TOPOLVM, path);
    }

    /** The same for one of several drivers. */
    void serveOn(Driver driver, Path path) {
        sockets = Map.of(driver, path);
    }

    /** Has the next operators make other choices. */
    void choose(ProvisionerSettings choices) {
        provisioner = choices;
    }

    /** Returns the operator's page of metrics. */
    String page() {
        return metrics.text();
    }

    /** Returns whether the operator's page of metrics has this line. */
    boolean measures(String line) {
        return page().lines().anyMatch(line::equals);
    }

    /** Waits until what sidecars call elsewhere has ended with this code so often. */
    void awaitCalls(String method, String code, int times) throws Exception {
        var line =
                "csi_sidecar_operations_seconds_count{driver_name=\"topolvm.io\","
                        + "method_name=\"/csi.v1.%s\",grpc_status_code=\"%s\"} %d";
        await(method, () -> measures(line.formatted(method, code, times)));
    }

    /** The same about nodes. */
    void choose(NodeSettings choices) {
        nodes = choices;
    }

    void startOperator() throws Exception {
        operatorToken = server.issueToken("operator", "system:masters");
        operatorKube = client(Names.OPERATOR, operatorToken);
        events = EventRecorder.open(operatorKube, REPORTER, "test");
        metrics = new MetricsRegistry();
        var settings = VolumeOperatorSettings.of(POD, "test", Path.of("unused"));
        operator =
                new VolumeOperator(
                        operatorKube,
                        OperatorInformers.of(operatorKube, drivers, POD.namespace()),
                        new VolumeOperatorSettings(
                                settings.sizes(),
                                settings.defaultDeviceClass(),
                                settings.pod(),
                                settings.version(),
                                sockets,
                                provisioner,
                                nodes),
                        events,
                        metrics);
        operator.start();
        await("operator is ready", operator::ready);
    }

    /**
     * Ends the operator as a kill would: from here on it can write nothing, so it tidies nothing.
     * Its connections go first, since a dead process tries no request again.
     */
    void killOperator() {
        server.revokeToken(operatorToken);
        operatorKube.close();
        stopOperator();
    }

    private void stopOperator() {
        operator.close();
        events.close();
        operatorKube.close();
        operator = null;
    }

    /** Creates a class whose volumes lie in device class {@code ssd}. */
    void createClass(String name, String fields) throws ApiException, InterruptedException {
        create(
                Types.STORAGE_CLASS,
                "{'metadata':{'name':'"
                        + name
                        + "'},'provisioner':'topolvm.io','parameters':"
                        + "{'topolvm.io/device-class':'ssd'},'allowVolumeExpansion':true"
                        + fields
                        + "}");
    }

    /** Creates a claim in the default namespace. */
    KubeObject createClaim(String name, String storageClass, String size, String spec)
            throws ApiException, InterruptedException {
        return createClaim(claim(name), storageClass, size, spec);
    }

    /** Creates a claim in a namespace that exists. */
    KubeObject createClaim(ObjectKey key, String storageClass, String size, String spec)
            throws ApiException, InterruptedException {
        return create(
                Types.PVC,
                "{'metadata':{'namespace':'"
                        + key.namespace()
                        + "','name':'"
                        + key.name()
                        + "'},'spec':{'storageClassName':'"
                        + storageClass
                        + "','accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'"
                        + size
                        + "'}}"
                        + spec
                        + "}}");
    }

    /** Returns the claim that a volume is still being made for. */
    static Optional<ClaimMark> mark(LogicalVolume volume) {
        return ClaimMark.of(volume.object(), Driver.TOPOLVM);
    }

    List<LogicalVolume> volumes() throws ApiException, InterruptedException {
        return list(Driver.TOPOLVM.logicalVolumes()).stream().map(LogicalVolume::tolerant).toList();
    }

    KubeObject awaitBound(String claim) throws Exception {
        return awaitBound(claim(claim));
    }

    KubeObject awaitBound(ObjectKey claim) throws Exception {
        await("claim " + claim + " is bound", () -> phase(claim).equals("Bound"));
        return kube.get(Types.PVC, claim);
    }

    /** Returns the key of the PersistentVolume of a claim, once it is bound. */
    ObjectKey awaitVolumeOf(String claim) throws Exception {
        return ObjectKey.cluster(awaitBound(claim).text("spec", "volumeName").orElseThrow());
    }

    String phase(String claim) throws ApiException, InterruptedException {
        return phase(claim(claim));
    }

    private String phase(ObjectKey claim) throws ApiException, InterruptedException {
        return kube.get(Types.PVC, claim).text("status", "phase").orElse("");
    }

    /** Sets an annotation of the node, or takes it off if the value is {@code null}. */
    void annotateNode(String name, String json) throws ApiException, InterruptedException {
        kube.mergePatch(
                Types.NODE,
                ObjectKey.cluster("n1"),
                object("{'metadata':{'annotations':{'" + name + "':" + json + "}}}"));
    }

    /**
     * Waits for an event of this reason and returns its text. Kubernetes has reasons in common with
     * us: its binder reports a failure if it sees a claim before its class.
     */
    String awaitEvent(String reason) throws Exception {
        await("event " + reason, () -> event(reason).isPresent());
        return event(reason).orElseThrow();
    }

    /** Waits for an event of this reason that says this, maybe not as the first one. */
    void awaitEvent(String reason, String words) throws Exception {
        await(
                "event " + reason + ": " + words,
                () -> events(reason).anyMatch(note -> note.contains(words)));
    }

    Optional<String> event(String reason) throws ApiException, InterruptedException {
        return events(reason).findFirst();
    }

    private Stream<String> events(String reason) throws ApiException, InterruptedException {
        return list(Types.EVENT).stream()
                .filter(event -> event.text("reportingController").orElse("").equals(REPORTER))
                .filter(event -> event.text("reason").orElse("").equals(reason))
                .map(event -> event.text("note").orElse(""));
    }

    /** Fails unless the claim's volume is on its disk and nobody asks to delete it. */
    void requireAlive(String claim) throws ApiException, InterruptedException {
        var name = kube.get(Types.PVC, claim(claim)).text("spec", "volumeName").orElseThrow();
        var volume = kube.get(Driver.TOPOLVM.logicalVolumes(), ObjectKey.cluster(name));
        if (volume.terminating()) {
            throw new AssertionError("the volume of a bound claim is being deleted: " + name);
        }
        agent.bytes(volume.uid());
    }

    /** Deletes an object and waits until it is gone. */
    void remove(ResourceType type, ObjectKey key) throws Exception {
        delete(type, key);
        await(type.kind() + " " + key + " is gone", () -> kube.find(type, key).isEmpty());
    }

    /** Waits until nothing is left of any volume. */
    void awaitNothingLeft() throws Exception {
        await("no volume is left", () -> volumes().isEmpty() && agent.made() == 0);
        await("no PersistentVolume is left", () -> list(Types.PV).isEmpty());
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
        var roles = new ArrayList<>(List.of(Roles.OPERATOR));
        if (provisioner.crossNamespaceSources()) {
            roles.add(Roles.CROSS_NAMESPACE);
        }
        if (drivers.all().size() > 1) {
            roles.add(Roles.NATIVE_STOR);
        }
        Roles.requireAllowed(
                server.faults().requests(), Names.OPERATOR, roles.toArray(Path[]::new));
        agent.close();
        agentKube.close();
        standIns.close();
        standInKube.close();
        kube.close();
        server.close();
    }
}
