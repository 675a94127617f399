package lvms.operator.uninstall;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.ListTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.ClusterOperator;
import lvms.operator.NodeSettings;
import lvms.operator.ProvisionerSettings;
import lvms.operator.VolumeOperator;
import lvms.operator.VolumeOperatorSettings;
import lvms.operator.cluster.ClusterSettings;
import lvms.operator.informer.OperatorInformers;
import lvms.tests.lab.standin.ControlPlane;
import lvms.tests.server.Definitions;
import lvms.tests.server.Looks;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A cluster with two nodes where the shipped manifests mean something: the operator works while its
 * Deployment, role and account exist, the agents while the DaemonSet, their role and account do.
 */
final class World implements AutoCloseable {
    static final String SYSTEM = Names.DEFAULT_NAMESPACE;
    static final ObjectKey DEPLOYMENT = ObjectKey.of(SYSTEM, Names.OPERATOR);
    static final ObjectKey CLUSTER = ObjectKey.of(SYSTEM, "my");
    static final ObjectKey CLAIM = ObjectKey.of("default", "data");
    static final ObjectKey POD = ObjectKey.of("default", "app");
    private static final ObjectKey AGENTS = ObjectKey.of(SYSTEM, Names.VG_MANAGER);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    // A turn asks nine times, which costs a real server much.
    private static final Duration POLL = Duration.ofMillis(Servers.ours() ? 50 : 250);
    private static final ResourceType[] KINDS = Manifests.KINDS.toArray(ResourceType[]::new);

    final ApiServer server;
    final KubeClient kube;
    final Disks disks = Disks.blank();
    private final Set<String> working = ConcurrentHashMap.newKeySet();
    private final KubeClient parts;
    private final ControlPlane standIns;
    private final Thread kubelet;
    private volatile boolean closed;
    private volatile Optional<Operator> operator = Optional.empty();
    private Optional<SimulatedAgents> agents = Optional.empty();

    /** The operator's process. */
    private record Operator(
            KubeClient kube,
            EventRecorder events,
            VolumeOperator volumes,
            ClusterOperator clusters,
            boolean obeys)
            implements AutoCloseable {
        static Operator start(ApiServer server, boolean nativeStor) throws Exception {
            var kube =
                    KubeClient.open(server.config(), "operator").withFieldManager(Names.OPERATOR);
            var pod = ObjectKey.of(SYSTEM, "operator-0");
            var drivers = nativeStor ? Drivers.servedAfterNativeStor(kube) : Drivers.DEFAULT;
            var informers = OperatorInformers.of(kube, drivers, SYSTEM);
            var events = EventRecorder.open(kube, Names.OPERATOR, "test");
            var metrics = new MetricsRegistry();
            var volumeSettings = VolumeOperatorSettings.of(pod, "test", Path.of("unused"));
            var volumes =
                    new VolumeOperator(
                            kube,
                            informers,
                            new VolumeOperatorSettings(
                                    volumeSettings.sizes(),
                                    volumeSettings.defaultDeviceClass(),
                                    pod,
                                    "test",
                                    Map.of(),
                                    ProvisionerSettings.DEFAULT,
                                    NodeSettings.NONE),
                            events,
                            metrics);
            var settings = ClusterSettings.of(SYSTEM, pod.name()).image("localhost/lvms:test");
            var clusters =
                    new ClusterOperator(
                            kube,
                            nativeStor ? settings.nativeStor(Map.of()) : settings,
                            informers,
                            metrics);
            volumes.start();
            clusters.start();
            return new Operator(kube, events, volumes, clusters, nativeStor);
        }

        @Override
        public void close() {
            clusters.close();
            volumes.close();
            events.close();
            kube.close();
        }
    }

    private World() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        parts = KubeClient.open(server.config(), "parts").withFieldManager("parts");
        standIns = ControlPlane.start(parts);
        kubelet = Thread.ofPlatform().name("kubelet").unstarted(this::work);
    }

    /** Starts an empty cluster with two nodes. */
    static World open() throws Exception {
        var world = new World();
        world.kubelet.start();
        for (var node : List.of("n1", "n2")) {
            world.node(node);
        }
        return world;
    }

    private void node(String name) throws Exception {
        Nodes.create(
                kube,
                KubeObject.create(Types.NODE, ObjectKey.cluster(name))
                        .with(name, "metadata", "labels", Driver.TOPOLVM.topologyKey())
                        .with(
                                Long.toString(100L << 30),
                                "metadata",
                                "annotations",
                                Driver.TOPOLVM.capacityAnnotation("ssd")));
        kube.create(
                Types.CSI_NODE,
                KubeObject.create(Types.CSI_NODE, ObjectKey.cluster(name))
                        .with(ListTree.EMPTY, "spec", "drivers"));
        ready(name, true);
        working.add(name);
    }

    /** Says whether kubelet reports; one that does not ends no pod, and its agent is away. */
    void ready(String node, boolean ready) throws Exception {
        if (!ready) {
            working.remove(node);
        }
        kube.mergePatchStatus(
                Types.NODE,
                ObjectKey.cluster(node),
                Yaml.read(
                                "status: {conditions: [{type: Ready, status: \""
                                        + (ready ? "True" : "Unknown")
                                        + "\"}]}")
                        .asObject());
    }

    /** Takes a node away as its machine goes: object and agent. */
    void removeNode(String node) throws Exception {
        working.remove(node);
        kube.delete(Types.NODE, ObjectKey.cluster(node), DeleteOptions.any());
        kube.delete(Types.CSI_NODE, ObjectKey.cluster(node), DeleteOptions.any());
    }

    static List<KubeObject> manifests(String folder) throws Exception {
        var file = Path.of(folder, "kustomization.yaml");
        var resources = KubeObject.of(Yaml.read(Files.readString(file)).asObject());
        var objects = new ArrayList<KubeObject>();
        for (var resource : resources.list("resources")) {
            if (Files.isDirectory(Path.of(folder, resource.asText()))) {
                continue; // another kustomization
            }
            objects.addAll(Definitions.read(Path.of(folder, resource.asText())));
        }
        return objects;
    }

    static ResourceType type(KubeObject object) {
        return Stream.of(
                        Manifests.installed(SYSTEM),
                        Manifests.guard(),
                        Manifests.nativeStor(SYSTEM))
                .flatMap(List::stream)
                .map(Manifests.Entry::type)
                .filter(type -> type.kind().equals(object.kind()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("unknown kind " + object.kind()));
    }

    /** {@code kubectl apply -k}. */
    void apply(String folder) throws Exception {
        for (var object : manifests(folder)) {
            await(
                    "the former " + object.kind() + " " + object.name() + " is gone",
                    () ->
                            kube.find(type(object), object.key())
                                    .filter(KubeObject::terminating)
                                    .isEmpty());
            kube.apply(type(object), object);
        }
        for (var kind : KINDS) {
            if (folder.equals("deploy/base")) {
                await(kind + " is served", () -> served(kind));
            }
        }
    }

    boolean served(ResourceType type) throws Exception {
        var definition = kube.find(Types.CRD, ObjectKey.cluster(type.qualifiedPlural()));
        if (definition.flatMap(crd -> crd.condition("Established")).isEmpty()) {
            return false;
        }
        try {
            kube.list(type, ListOptions.all());
            return true;
        } catch (ApiException e) {
            return false;
        }
    }

    /** {@code kubectl delete -k}; returns what was refused. */
    List<String> delete(String folder) throws Exception {
        var refused = new ArrayList<String>();
        for (var object : manifests(folder)) {
            delete(type(object), object.key()).ifPresent(refused::add);
        }
        return refused;
    }

    /** Returns why it was refused. */
    Optional<String> delete(ResourceType type, ObjectKey key) throws Exception {
        try {
            kube.delete(type, key, DeleteOptions.any());
            return Optional.empty();
        } catch (ApiException.Forbidden e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Guard, manifests, an LVMCluster with one class, and a pod with a volume on node n1. */
    void install(boolean guarded) throws Exception {
        if (guarded) {
            apply("deploy/guard");
        }
        apply("deploy/base");
        createCluster("Delete");
        if (guarded) {
            awaitGuard();
        }
    }

    /** A server takes a moment until a policy holds; nothing here needs the role. */
    private void awaitGuard() throws Exception {
        var name = ObjectKey.of(SYSTEM, Names.OPERATOR);
        var role = kube.get(Types.ROLE, name);
        await(
                "the guard holds",
                () -> {
                    if (delete(Types.ROLE, name).isPresent()) {
                        return true;
                    }
                    kube.apply(
                            Types.ROLE,
                            role.without("metadata", "uid")
                                    .without("metadata", "resourceVersion")
                                    .without("metadata", "creationTimestamp")
                                    .without("metadata", "managedFields"));
                    return false;
                });
    }

    /** As {@link #install}, with the flag for NativeStor and a TopolvmCluster of two nodes. */
    void installNativeStor(boolean cleanup) throws Exception {
        apply("deploy/guard");
        apply("deploy/nativestor/guard");
        apply("deploy/base");
        apply("deploy/nativestor");
        await("its types are served", () -> served(TopolvmCluster.TYPE) && served(RawDevice.TYPE));
        for (var object : manifests("deploy/base")) {
            if (object.kind().equals("Deployment")) {
                kube.apply(type(object), obeying(object));
            }
        }
        await("the operator obeys", () -> operator.filter(Operator::obeys).isPresent());
        create(
                TopolvmCluster.TYPE,
                """
                metadata: {name: topolvm, namespace: lvms-system}
                spec:
                  topolvmVersion: x
                  cleanup: %s
                  storage:
                    useAllNodes: true
                    useAllDevices: false
                    useLoop: false
                    className: ssd
                    volumeGroupName: data
                    devices: [{name: /dev/vda, type: disk}]
                """
                        .formatted(cleanup));
        await("agents hold the groups", () -> disks.groups().size() == working.size());
        create(
                Types.STORAGE_CLASS,
                """
                metadata: {name: lvms-ssd}
                provisioner: topolvm.io
                volumeBindingMode: Immediate
                parameters: {topolvm.io/device-class: ssd}
                """);
    }

    private static KubeObject obeying(KubeObject deployment) {
        var container =
                deployment.objects("spec", "template", "spec", "containers").getFirst().toBuilder();
        container.put(
                "args",
                ListTree.ofTexts(
                        Stream.concat(
                                        deployment
                                                .objects("spec", "template", "spec", "containers")
                                                .getFirst()
                                                .texts("args")
                                                .stream(),
                                        Stream.of("--nativestor"))
                                .toList()));
        return deployment.with(
                ListTree.of(container.build()), "spec", "template", "spec", "containers");
    }

    private boolean nativeStor() throws ApiException, InterruptedException {
        return parts.find(Types.DEPLOYMENT, DEPLOYMENT)
                .filter(
                        d ->
                                d.objects("spec", "template", "spec", "containers")
                                        .getFirst()
                                        .texts("args")
                                        .contains("--nativestor"))
                .isPresent();
    }

    /** Scales the operator, and waits until it is so. */
    void scaleOperator(int replicas) throws Exception {
        kube.mergePatch(
                Types.DEPLOYMENT,
                DEPLOYMENT,
                Yaml.read("spec: {replicas: " + replicas + "}").asObject());
        await("the operator is scaled", () -> operator.isPresent() == replicas > 0);
    }

    void createCluster(String reclaimPolicy) throws Exception {
        create(
                LvmCluster.TYPE,
                """
                metadata: {name: my, namespace: lvms-system}
                spec:
                  storage:
                    deviceClasses:
                      - name: ssd
                        default: true
                        deviceSelector: {paths: [/dev/vda]}
                        storageClassOptions: {volumeBindingMode: Immediate, reclaimPolicy: %s}
                """
                        .formatted(reclaimPolicy));
        await(
                "groups are made",
                () ->
                        kube.find(LvmVolumeGroup.TYPE, ObjectKey.of(SYSTEM, "ssd"))
                                .filter(g -> g.finalizers().size() == working.size())
                                .isPresent());
        await(
                "the class is there",
                () -> kube.find(Types.STORAGE_CLASS, ObjectKey.cluster("lvms-ssd")).isPresent());
    }

    void useIt() throws Exception {
        create(
                Types.PVC,
                """
                metadata: {name: data, namespace: default}
                spec:
                  storageClassName: lvms-ssd
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """);
        await(
                "the claim is bound",
                () ->
                        kube.get(Types.PVC, CLAIM)
                                .text("status", "phase")
                                .filter("Bound"::equals)
                                .isPresent());
        create(
                Types.POD,
                """
                metadata: {name: app, namespace: default}
                spec:
                  nodeName: %s
                  containers: [{name: c, image: i}]
                  volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
                """
                        .formatted(disks.volumes().values().iterator().next()));
    }

    void create(ResourceType type, String yaml) throws Exception {
        var tree = Yaml.read(yaml).asObject().toBuilder();
        tree.put("apiVersion", type.apiVersion());
        tree.put("kind", type.kind());
        kube.create(type, KubeObject.of(tree.build()));
    }

    private void work() {
        while (!closed) {
            try {
                turn();
            } catch (ApiException e) {
                // a moment in which the server answers nobody, or another writer was faster
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private void turn() throws Exception {
        boolean wanted =
                kube.find(Types.DEPLOYMENT, DEPLOYMENT)
                        .filter(d -> d.number("spec", "replicas").orElse(1) > 0)
                        .isPresent();
        runOperator(wanted && allowed(Names.OPERATOR));
        runAgents(parts.find(Types.DAEMON_SET, AGENTS).isPresent() && allowed(Names.VG_MANAGER));
        for (var pod : parts.list(Types.POD, ListOptions.all()).items()) {
            boolean ended =
                    pod.terminating() && working.contains(pod.text("spec", "nodeName").orElse(""));
            boolean scaledAway = !wanted && ofOperator(pod);
            if (ended || scaledAway) {
                parts.delete(
                        Types.POD, pod.key(), DeleteOptions.uid(pod.uid()).gracePeriodSeconds(0));
            }
        }
    }

    private boolean allowed(String account) throws ApiException, InterruptedException {
        return parts.find(Types.SERVICE_ACCOUNT, ObjectKey.of(SYSTEM, account)).isPresent()
                && parts.find(Types.CLUSTER_ROLE_BINDING, ObjectKey.cluster(account)).isPresent();
    }

    private static boolean ofOperator(KubeObject pod) {
        return pod.label("app.kubernetes.io/name").filter(Names.OPERATOR::equals).isPresent();
    }

    private List<KubeObject> operatorPods() throws ApiException, InterruptedException {
        return parts.list(Types.POD, ListOptions.all()).items().stream()
                .filter(World::ofOperator)
                .toList();
    }

    private void runOperator(boolean wanted) throws Exception {
        boolean obeys = nativeStor();
        if (wanted && operator.filter(o -> o.obeys() != obeys).isPresent()) {
            operator.get().close(); // the Deployment rolls it out anew
            operator = Optional.empty();
        }
        if (wanted && operator.isEmpty() && !operatorPods().isEmpty()) {
            operator = Optional.of(Operator.start(server, obeys));
        } else if (!wanted && operator.isPresent()) {
            operator.get().close();
            operator = Optional.empty();
        }
    }

    private void runAgents(boolean wanted) throws Exception {
        if (wanted && agents.isEmpty()) {
            register(true); // if a write fails, the next turn begins anew
            agents = Optional.of(new SimulatedAgents(parts, disks, working));
        } else if (!wanted && agents.isPresent()) {
            register(false);
            agents.get().close();
            agents = Optional.empty();
        }
    }

    private void register(boolean there) throws ApiException, InterruptedException {
        for (var node : working) {
            var now = parts.get(Types.CSI_NODE, ObjectKey.cluster(node));
            var drivers =
                    there
                            ? "[{name: topolvm.io, nodeID: "
                                    + node
                                    + ", topologyKeys: [topology.topolvm.io/node]}]"
                            : "[]";
            parts.replace(Types.CSI_NODE, now.with(Yaml.read(drivers), "spec", "drivers"));
        }
    }

    void await(String what, Callable<Boolean> holds) throws Exception {
        Looks.until(() -> what + ", left: " + left(), PATIENCE, holds);
    }

    boolean gone(ResourceType type, ObjectKey key) throws Exception {
        return new Reads(kube).find(type, key).isEmpty();
    }

    boolean onlyGuardIsLeft() throws Exception {
        return left().size() == Manifests.guard().size();
    }

    /** Returns every object of ours that exists; a node's label of its topology is kubelet's. */
    List<String> left() throws Exception {
        var remains = new Survey(new Reads(kube), SYSTEM).read();
        var left = new ArrayList<String>();
        remains.installed().forEach(item -> left.add(item.text() + item.object().finalizers()));
        remains.guard().forEach(item -> left.add(item.text()));
        remains.unfinished().forEach(item -> left.add(item.text() + item.object().finalizers()));
        remains.snapshots().forEach(item -> left.add(item.text()));
        remains.classes().forEach(item -> left.add(item.text()));
        remains.daemonSets().forEach(item -> left.add(item.text()));
        remains.nativeStor().installed().forEach(item -> left.add(item.text()));
        remains.nativeStor().rawDevices().forEach(item -> left.add(item.text()));
        remains.nativeStor().configMaps().forEach(item -> left.add(item.text()));
        remains.nodes().stream()
                .filter(node -> remains.marks().holds(node.object()))
                .forEach(item -> left.add(item.text()));
        return left;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        try {
            kubelet.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (operator.isPresent()) {
            operator.get().close();
        }
        if (agents.isPresent()) {
            agents.get().close();
        }
        standIns.close();
        parts.close();
        kube.close();
        server.close();
    }
}
