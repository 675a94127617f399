package lvms.tests.lab.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Options;
import lvms.tests.lab.kubelet.Kubelet;
import lvms.tests.lab.kubelet.LocalPlace;
import lvms.tests.lab.kubelet.NodePlace;
import lvms.tests.lab.kubelet.Place;
import lvms.tests.lab.machine.CommandResult;
import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.lab.standin.ControlPlane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A cluster on the nodes of a lab, with nothing installed in it. */
public final class LabCluster implements AutoCloseable {
    private static final Duration EXEC_DEADLINE = Duration.ofMinutes(2);
    private static final String OPERATOR = "lvms-operator";

    private final ClusterOptions options;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Map<String, Kubelet> kubelets = new ConcurrentHashMap<>();
    private final Lab lab;
    private final ApiServer server;
    private final KubeClient kube;
    private final ControlPlane plane;
    private final ServerCredentials credentials;
    private final Path kubeconfig;

    private LabCluster(ClusterOptions options, Consumer<String> progress) throws Exception {
        this.options = options;
        Files.createDirectories(options.folder());
        lab =
                closing(
                        Lab.open(
                                options.cache(),
                                options.repository().resolve("tests/lab"),
                                options.folder()));
        var directory = Files.createDirectories(options.folder().resolve("apiserver"));
        server =
                closing(
                        ApiServer.start(
                                Options.defaults()
                                        .address(lab.hostAddress())
                                        .directory(directory)));
        kubeconfig = server.kubeconfig(options.folder());
        credentials = new ServerCredentials(server);
        progress.accept("API server at " + server.url());
        kube = closing(client());
        plane = closing(ControlPlane.start(kube));
        for (int i = 1; i <= options.nodes(); i++) {
            boot(add("node" + i));
            progress.accept("node" + i + " is up");
        }
    }

    /**
     * Starts a cluster; each step is told. What came up of one that fails is taken down by the lab
     * when the process ends.
     */
    public static LabCluster start(ClusterOptions options, Consumer<String> progress)
            throws Exception {
        return new LabCluster(options, progress);
    }

    private <T extends AutoCloseable> T closing(T part) {
        opened.push(part);
        return part;
    }

    private KubeClient client() throws KubeConfigException {
        return KubeClient.open(KubeConfig.load(Optional.of(kubeconfig)), "lab")
                .withFieldManager("test");
    }

    private Node add(String name) throws IOException, InterruptedException {
        return lab.add(options.udev() ? nodeOptions(name).withUdev() : nodeOptions(name));
    }

    private NodeOptions nodeOptions(String name) {
        return NodeOptions.named(name, options.diskBytes())
                .withMounts(Map.of("/opt/lvms", options.image()));
    }

    private void boot(Node node)
            throws ApiException, IOException, TimeoutException, InterruptedException {
        node.boot();
        var kubelet =
                Kubelet.start(
                        kube, node, credentials, pod -> place(pod, node), plane.violationSink());
        kubelets.put(node.name(), kubelet);
    }

    private Place place(KubeObject pod, Node node) {
        boolean operator = pod.label("app.kubernetes.io/name").orElse("").equals(OPERATOR);
        return operator
                ? new LocalPlace(lab.network(), options.folder().resolve("control/pods"))
                : new NodePlace(node);
    }

    /** Cuts the power of a node. The cluster learns of it as from a silent kubelet. */
    public void powerCut(String name) throws ApiException, InterruptedException {
        var kubelet = kubelets.remove(name);
        kubelet.close();
        lab.node(name).powerCut();
        kubelet.declareLost();
    }

    /** Boots a node again on its disks. */
    public void bootAgain(String name)
            throws ApiException, IOException, TimeoutException, InterruptedException {
        boot(lab.node(name));
    }

    /** Runs a command in the first container of a pod on a node, as {@code kubectl exec} does. */
    public CommandResult exec(ObjectKey pod, List<String> command)
            throws ApiException, IOException, InterruptedException {
        var object = kube.get(Types.POD, pod);
        var node = lab.node(object.text("spec", "nodeName").orElseThrow());
        var container = object.objects("spec", "containers").getFirst().at("name").asText();
        var files = Node.SHARE + "/pods/" + object.uid() + "/" + container;
        // Before it is started, a process without the container's mounts has the id.
        var pid = node.run("sh", "-c", "test -s %1$s.started && cat %1$s.pid".formatted(files));
        if (!pid.succeeded()) {
            return pid;
        }
        var target = pid.out().strip();
        var entered = new ArrayList<>(List.of("nsenter", "--mount", "--target", target));
        entered.addAll(command);
        return node.run(entered, EXEC_DEADLINE);
    }

    /** Returns the machines. */
    public Lab lab() {
        return lab;
    }

    /** Returns a machine by its name. */
    public Node node(String name) {
        return lab.node(name);
    }

    /** Returns the kubelet of a node that runs. */
    public Kubelet kubelet(String node) {
        return kubelets.get(node);
    }

    /** Returns the API server, for faults. */
    public ApiServer server() {
        return server;
    }

    /** Returns the administrator's client. */
    public KubeClient kube() {
        return kube;
    }

    /** Returns the administrator's kubeconfig. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Returns the root of the sources. */
    public Path repository() {
        return options.repository();
    }

    /** What a real cluster would have refused or tripped over, oldest first. */
    public List<String> violations() {
        return plane.violations();
    }

    @Override
    public void close() {
        kubelets.values().forEach(Kubelet::close);
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                System.getLogger(LabCluster.class.getName())
                        .log(System.Logger.Level.WARNING, "the cluster did not end cleanly", e);
            }
        }
    }
}
