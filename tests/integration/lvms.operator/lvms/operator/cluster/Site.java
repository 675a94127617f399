package lvms.operator.cluster;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.deploy.Roles;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Options;
import lvms.k8s.yaml.Yaml;
import lvms.operator.ClusterOperator;
import lvms.operator.informer.OperatorInformers;
import lvms.tests.server.Definitions;
import lvms.tests.server.Looks;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** An API server with our types, an operator, and nodes whose agents do as the test says. */
final class Site implements AutoCloseable {
    static final String NAMESPACE = Clusters.NAMESPACE;
    private static final String TESTER = "test";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final ApiServer server;
    final KubeClient kube;
    private final KubeClient operatorKube;
    private ClusterOperator operator;
    private MetricsRegistry metrics;
    private boolean keepAfterNodes;
    private final AtomicInteger ends = new AtomicInteger();
    private Optional<Map<String, String>> nativeStor = Optional.empty();
    private volatile Map<String, String> logWishes = Map.of();

    private Site(ApiServer server, KubeConfig config) {
        this.server = server;
        this.kube = KubeClient.open(config, TESTER).withFieldManager(TESTER);
        this.operatorKube =
                KubeClient.open(config, Names.OPERATOR).withFieldManager(Names.OPERATOR);
    }

    /** Starts everything but the operator. */
    static Site open() throws Exception {
        var server = Servers.start(Options.defaults().storageProtection(false));
        var site = new Site(server, server.config());
        site.install();
        return site;
    }

    private void install() throws Exception {
        Definitions.install(kube, Definitions.ALL);
        for (var type :
                List.of(
                        LvmCluster.TYPE,
                        LvmVolumeGroup.TYPE,
                        LvmVolumeGroupNodeStatus.TYPE,
                        LogicalVolume.TYPE)) {
            await(type + " is served", () -> kube.serves(type));
        }
        namespace(NAMESPACE);
    }

    void namespace(String name) throws Exception {
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, ObjectKey.cluster(name)));
    }

    /** Lets the next operator leave the claims of deleted nodes alone. */
    void keepAfterNodes() {
        keepAfterNodes = true;
    }

    /** How the operator was last told to log. */
    Map<String, String> logWishes() {
        return logWishes;
    }

    /** What the operator serves to Prometheus. */
    String metrics() {
        return metrics.text();
    }

    /** Lets the next operator obey NativeStor's settings, with these variables. */
    void nativeStor(Map<String, String> environment) throws Exception {
        Definitions.install(kube, Definitions.NATIVESTOR);
        nativeStorWithoutTypes(environment);
    }

    /** As {@link #nativeStor}, where nobody has applied the types. */
    void nativeStorWithoutTypes(Map<String, String> environment) {
        nativeStor = Optional.of(environment);
    }

    /** Returns whether the operator knows all that it has to. */
    boolean ready() {
        return operator.ready();
    }

    /** Returns how often the operator asked for the end of its process. */
    int ends() {
        return ends.get();
    }

    /** Starts the operator, or another one after {@link #stopOperator()}. */
    void startOperator() throws Exception {
        var usual = ClusterSettings.of(NAMESPACE, "operator-0").image("localhost/lvms:test");
        var settings = keepAfterNodes ? usual.keepingAfterNodes() : usual;
        metrics = new MetricsRegistry();
        var drivers =
                nativeStor.isPresent()
                        ? Drivers.servedAfterNativeStor(operatorKube)
                        : Drivers.DEFAULT;
        operator =
                new ClusterOperator(
                        operatorKube,
                        nativeStor.map(settings::nativeStor).orElse(settings),
                        OperatorInformers.of(operatorKube, drivers, NAMESPACE),
                        metrics);
        operator.onLogWishes(wishes -> logWishes = wishes);
        operator.onForeignDriver(() -> ends.incrementAndGet());
        operator.start();
    }

    void stopOperator() {
        operator.close();
        operator = null;
    }

    /** Waits until something holds; a missing object counts as not yet. */
    static void await(String what, Callable<Boolean> holds) throws Exception {
        Looks.until(what, PATIENCE, holds);
    }

    /** Waits until an object is as it should be and returns it. */
    KubeObject awaitObject(ResourceType type, ObjectKey key, Predicate<KubeObject> holds)
            throws Exception {
        var deadline = Instant.now().plus(PATIENCE);
        while (true) {
            var found = kube.find(type, key);
            if (found.filter(holds).isPresent()) {
                return found.get();
            }
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError(
                        type + " " + key + " is not as awaited: " + found.map(KubeObject::toJson));
            }
            Looks.pause();
        }
    }

    void awaitGone(ResourceType type, ObjectKey key) throws Exception {
        await(type + " " + key + " is gone", () -> kube.find(type, key).isEmpty());
    }

    KubeObject create(LvmCluster cluster) throws Exception {
        return kube.create(
                LvmCluster.TYPE,
                cluster.object().without("metadata", "uid").without("metadata", "generation"));
    }

    /** Changes the spec of the cluster as a person does with kubectl. */
    void edit(String json) throws Exception {
        kube.mergePatch(LvmCluster.TYPE, CLUSTER, Clusters.tree(json));
    }

    static final ObjectKey CLUSTER = ObjectKey.of(NAMESPACE, "my");

    LvmCluster cluster() throws Exception {
        return LvmCluster.of(kube.get(LvmCluster.TYPE, CLUSTER));
    }

    /** Waits for a condition's reason. */
    LvmCluster awaitReason(ObjectKey key, String type, String reason) throws Exception {
        return LvmCluster.of(
                awaitObject(
                        LvmCluster.TYPE,
                        key,
                        o -> o.condition(type).filter(c -> c.reason().equals(reason)).isPresent()));
    }

    LvmCluster awaitState(String state) throws Exception {
        return LvmCluster.of(
                awaitObject(
                        LvmCluster.TYPE,
                        CLUSTER,
                        o -> o.text("status", "state").filter(state::equals).isPresent()));
    }

    void node(String name) throws Exception {
        Nodes.create(kube, Clusters.node(name));
        kube.create(
                Types.CSI_NODE,
                KubeObject.create(Types.CSI_NODE, ObjectKey.cluster(name))
                        .with(
                                Yaml.read("[{name: topolvm.io, nodeID: " + name + "}]"),
                                "spec",
                                "drivers"));
    }

    /** Lets the agent of a node report all volume groups in this state, and guard them. */
    void report(String node, String state) throws Exception {
        var status = ObjectKey.of(NAMESPACE, node);
        awaitObject(LvmVolumeGroupNodeStatus.TYPE, status, _ -> true);
        var entries = new StringBuilder("{'spec':{'nodeStatus':[");
        var comma = "";
        for (var group : groups()) {
            guard(group, node);
            entries.append(comma)
                    .append("{'name':'" + group.name() + "','status':'" + state + "',")
                    .append("'deviceDiscoveryPolicy':'RuntimeStatic'}");
            comma = ",";
        }
        kube.withFieldManager("vg-manager")
                .mergePatch(
                        LvmVolumeGroupNodeStatus.TYPE,
                        status,
                        Clusters.tree(entries.append("]}}").toString()));
    }

    List<KubeObject> groups() throws ApiException, InterruptedException {
        return kube.list(LvmVolumeGroup.TYPE, ListOptions.all().namespace(NAMESPACE)).items();
    }

    private void guard(KubeObject group, String node) throws Exception {
        kube.withFieldManager("vg-manager")
                .addFinalizer(LvmVolumeGroup.TYPE, group, Names.nodeCleanupFinalizer(node));
    }

    /** Lets the agent of a node report one volume group, and guard it. */
    void report(String node, String group, String entry) throws Exception {
        var status = ObjectKey.of(NAMESPACE, node);
        awaitObject(LvmVolumeGroupNodeStatus.TYPE, status, _ -> true);
        guard(kube.get(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, group)), node);
        kube.withFieldManager("vg-manager")
                .mergePatch(
                        LvmVolumeGroupNodeStatus.TYPE,
                        status,
                        Clusters.tree(
                                "{'spec':{'nodeStatus':[{'name':'%s',%s,".formatted(group, entry)
                                        + "'deviceDiscoveryPolicy':'RuntimeStatic'}]}}"));
    }

    /** Lets the agent of a node be done with a terminating volume group. */
    void release(String group, String node) throws Exception {
        kube.withFieldManager("vg-manager")
                .removeFinalizer(
                        LvmVolumeGroup.TYPE,
                        kube.get(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, group)),
                        Names.nodeCleanupFinalizer(node));
    }

    /** Lets the DaemonSet controller report that all pods run. */
    void rollOut(int pods) throws Exception {
        var key = ObjectKey.of(NAMESPACE, Names.VG_MANAGER);
        var daemonSet =
                awaitObject(Types.DAEMON_SET, key, d -> d.toJson().contains("localhost/lvms:test"));
        kube.withFieldManager("daemon-set-controller")
                .mergePatchStatus(
                        Types.DAEMON_SET,
                        key,
                        Clusters.tree(
                                "{'status':{'observedGeneration':%d,'desiredNumberScheduled':%d,"
                                                .formatted(daemonSet.generation(), pods)
                                        + "'currentNumberScheduled':%d,'numberMisscheduled':0,"
                                                .formatted(pods)
                                        + "'updatedNumberScheduled':%d,'numberReady':%d}}"
                                                .formatted(pods, pods)));
    }

    void unregister(String node) throws Exception {
        kube.withFieldManager("kubelet")
                .mergePatch(
                        Types.CSI_NODE,
                        ObjectKey.cluster(node),
                        Clusters.tree("{'spec':{'drivers':[]}}"));
    }

    void createObject(ResourceType type, ObjectKey key, String json) throws Exception {
        var tree = KubeObject.create(type, key).json().toBuilder();
        Clusters.tree(json).members().forEach(tree::put);
        kube.create(type, KubeObject.of(tree.build()));
    }

    void delete(ResourceType type, ObjectKey key) throws Exception {
        kube.delete(type, key, DeleteOptions.any());
    }

    /** Returns the notes of the events about an object, with their reasons. */
    Optional<KubeObject> event(String name, String reason) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(e -> e.text("regarding", "name").filter(name::equals).isPresent())
                .filter(e -> e.text("reason").filter(reason::equals).isPresent())
                .findFirst();
    }

    KubeObject awaitEvent(String name, String reason) throws Exception {
        await("event " + reason + " of " + name, () -> event(name, reason).isPresent());
        return event(name, reason).orElseThrow();
    }

    @Override
    public void close() throws IOException {
        if (operator != null) {
            operator.close();
        }
        Roles.requireAllowed(
                server.faults().requests(),
                Names.OPERATOR,
                nativeStor.isPresent()
                        ? new Path[] {Roles.OPERATOR, Roles.NATIVE_STOR}
                        : new Path[] {Roles.OPERATOR});
        operatorKube.close();
        kube.close();
        server.close();
    }
}
