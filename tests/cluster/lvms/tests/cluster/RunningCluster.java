package lvms.tests.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.PlaneOptions.Part;
import lvms.tests.lab.machine.HostProgram;
import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster of this process: control plane, network and nodes. Any thread may use it. */
final class RunningCluster implements Closeable {
    private static final Duration READY = Duration.ofSeconds(120);

    private final ClusterOptions options;
    private final Consumer<String> progress;
    private final ScratchDisk scratch;
    private final Lab lab;
    private final ClusterNetwork network;
    private final Map<String, KubeNode> nodes = new LinkedHashMap<>();
    private ControlPlane plane;
    private KubeClient kube;

    private RunningCluster(ClusterOptions options, Consumer<String> progress)
            throws IOException, InterruptedException {
        this.options = options;
        this.progress = progress;
        HostProgram.run(List.of("rm", "--recursive", "--force", options.folder().toString()));
        Files.createDirectories(options.folder());
        scratch = new ScratchDisk(options);
        lab =
                Lab.open(
                        options.cache(),
                        options.repository().resolve("tests/lab"),
                        options.folder());
        network = ClusterNetwork.of(lab.network(), options.ipv6());
    }

    /** Starts a cluster, waits until its nodes are Ready, and reports each step. */
    static RunningCluster start(ClusterOptions options, Consumer<String> progress)
            throws Exception {
        var cluster = new RunningCluster(options, progress);
        try {
            cluster.startAll();
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll() throws Exception {
        scratch.original();
        progress.accept("the nodes' disk with the images is there");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var starting = threads.submit(this::startPlane);
            var booting = new ArrayList<Future<KubeNode>>();
            for (var spec : options.nodes()) {
                var node = add(spec);
                booting.add(threads.submit(() -> power(node)));
            }
            result(starting);
            progress.accept("API server " + plane.version() + " at " + plane.server());
            var joining = new ArrayList<Future<?>>();
            for (var booted : booting) {
                var node = result(booted);
                joining.add(threads.submit(() -> join(node)));
            }
            for (var joined : joining) {
                result(joined);
            }
        }
    }

    private static <T> T result(Future<T> future) throws Exception {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Returns the file of the network namespace where nodes and pods can be reached. */
    Path networkNamespace() {
        return lab.network().namespaceFile();
    }

    private Void startPlane() throws IOException, KubeConfigException {
        var where = ControlPlane.options(Programs.find(), options.folder().resolve("control"));
        var wanted =
                where.kubernetes(options.kubernetes())
                        .inNamespace(
                                lab.network().namespaceFile(),
                                InetAddress.ofLiteral(network.controlAddress()))
                        .with(Part.values());
        for (var flags : options.flags().entrySet()) {
            wanted = wanted.flags(flags.getKey(), flags.getValue().toArray(String[]::new));
        }
        plane = wanted.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(plane.kubeconfig())), "cluster")
                        .withFieldManager("cluster");
        Files.copy(plane.kubeconfig(), options.folder().resolve("kubeconfig"));
        return null;
    }

    private synchronized KubeNode add(NodeSpec spec) throws IOException, InterruptedException {
        var disks = new ArrayList<>(List.of(ScratchDisk.SIZE_BYTES));
        disks.addAll(spec.diskBytes());
        var machine = lab.add(machineOptions(spec, disks));
        int number = lab.nodes().size();
        network.routePods(number, network.nodeAddress(number, machine));
        var script = options.repository().resolve("tests/cluster/node.sh");
        var node = new KubeNode(machine, script, settings(spec, machine, number));
        nodes.put(spec.name(), node);
        return node;
    }

    private static NodeOptions machineOptions(NodeSpec spec, List<Long> disks) {
        return new NodeOptions(spec.name(), spec.memoryMib(), disks, spec.udev(), Map.of());
    }

    private Map<String, String> settings(NodeSpec spec, Node machine, int number) {
        return Map.of(
                "name", spec.name(),
                "address", network.nodeAddress(number, machine),
                "control", network.controlAddress(),
                "pods", network.pods(number),
                "modules", lab.kernel().modules().toString(),
                "kubelet", Programs.find().kubernetes(Programs.NEWEST, "kubelet").toString(),
                "kubelet_root", spec.kubeletRoot(),
                "host_lvm", spec.hostLvm() ? "1" : "0",
                "thin_pool", spec.thinPoolModule() ? "1" : "0");
    }

    private KubeNode power(KubeNode node) throws IOException, InterruptedException {
        scratch.copyTo(node.machine().disks().getFirst().file());
        node.machine().boot();
        return node;
    }

    private Void join(KubeNode node) throws IOException, ApiException, InterruptedException {
        var machine = node.machine();
        plane.saveKubelet(machine.share(), machine.name(), InetAddress.ofLiteral(node.address()));
        node.startKubelet();
        awaitReady(node);
        progress.accept(machine.name() + " is Ready");
        return null;
    }

    /** Waits until kubelet of this boot, not one before a power cut, has said that it is ready. */
    private void awaitReady(KubeNode node) throws IOException, ApiException, InterruptedException {
        var bootId = node.bootId();
        long end = System.nanoTime() + READY.toNanos();
        while (!ready(node.machine().name(), bootId)) {
            if (System.nanoTime() > end) {
                throw new IOException(
                        node.machine().name()
                                + " is not Ready after "
                                + READY.toSeconds()
                                + " s: see "
                                + node.machine().share().resolve("kubelet.log"));
            }
            Pause.briefly();
        }
    }

    private boolean ready(String name, String bootId) throws ApiException, InterruptedException {
        return kube
                .find(Types.NODE, ObjectKey.cluster(name))
                .filter(
                        node ->
                                node.text("status", "nodeInfo", "bootID")
                                        .equals(Optional.of(bootId)))
                .stream()
                .flatMap(node -> node.objects("status", "conditions").stream())
                .map(KubeObject::of)
                .anyMatch(
                        condition ->
                                condition.text("type").equals(Optional.of("Ready"))
                                        && condition.text("status").equals(Optional.of("True")));
    }

    /** Adds a node to the running cluster and waits until it is Ready. */
    void addNode(NodeSpec spec) throws IOException, ApiException, InterruptedException {
        join(power(add(spec)));
    }

    /** Takes a machine away; its Node object stays. */
    synchronized void removeNode(String name) throws InterruptedException {
        node(name).machine().powerCut();
        nodes.remove(name);
    }

    /** Boots a node again on its disks and waits until it is Ready. */
    void boot(String name) throws IOException, ApiException, InterruptedException {
        var node = node(name);
        node.machine().boot();
        node.startKubelet();
        awaitReady(node);
    }

    synchronized List<String> nodeNames() {
        return List.copyOf(nodes.keySet());
    }

    synchronized KubeNode node(String name) {
        return Optional.ofNullable(nodes.get(name))
                .orElseThrow(() -> new NoSuchElementException("no node " + name));
    }

    Path kubeconfig() {
        return options.folder().resolve("kubeconfig");
    }

    ControlPlane plane() {
        return plane;
    }

    /** Says how to reach the cluster, and how its parts are. */
    synchronized String status() throws IOException {
        var machines =
                nodes.values().stream()
                        .map(KubeNode::machine)
                        .map(
                                machine ->
                                        "%s %s %s logs in %s%n"
                                                .formatted(
                                                        machine.name(),
                                                        machine.running() ? "up" : "off",
                                                        machine.address(),
                                                        machine.share()))
                        .collect(Collectors.joining());
        var dead = plane.dead().stream().map(part -> "ended: " + part + "\n");
        return "export KUBECONFIG="
                + kubeconfig()
                + "\n"
                + machines
                + dead.collect(Collectors.joining());
    }

    @Override
    public void close() throws IOException {
        if (kube != null) {
            kube.close();
        }
        if (plane != null) {
            plane.close();
        }
        lab.close();
    }
}
