package lvms.tests.cluster;

import lvms.tests.lab.machine.CommandResult;
import lvms.tests.lab.tool.ControlSocket;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real cluster whose nodes are Ready and have the product's image; nothing of the product is
 * installed in it. Any thread may use it.
 */
public final class Cluster implements AutoCloseable {
    /** The control socket of the cluster that {@code ./build.sh cluster up} started. */
    static final ControlSocket CONTROL = new ControlSocket(Path.of("out/cluster/control"));

    /** Suites that run side by side have a process and a cluster each. */
    private static final Path SHARED_FOLDER =
            Path.of("out/conformance/cluster-" + System.getProperty("lvms.lane", "1"));

    private static final Duration KUBECTL_DEADLINE = Duration.ofMinutes(5);
    private static Cluster shared;

    private final Requests requests;
    private final Closeable owned;
    private final ClusterControl control;

    private Cluster(Requests requests, Closeable owned) {
        this.requests = requests;
        this.owned = owned;
        this.control = new ClusterControl(requests);
    }

    /**
     * Returns the cluster that all tests of this process share: the one of {@code ./build.sh
     * cluster up} where that is up, else one that is started now and ends with the process.
     */
    public static synchronized Cluster shared() throws Exception {
        if (shared == null) {
            shared = attached();
        }
        return shared;
    }

    private static Cluster attached() throws Exception {
        try {
            CONTROL.ask(List.of("status"));
            return new Cluster(CONTROL::ask, () -> {});
        } catch (IOException e) {
            return start(ClusterOptions.twoNodes(SHARED_FOLDER)); // none is up
        }
    }

    /** Starts a cluster of the caller's own. */
    public static Cluster start(ClusterOptions options) throws Exception {
        var running = RunningCluster.start(options, System.out::println);
        return new Cluster(new ClusterRequests(running)::answer, running);
    }

    /** Returns the administrator's kubeconfig. */
    public Path kubeconfig() throws IOException {
        return Path.of(requests.require("kubeconfig"));
    }

    /** Returns what nsenter(1) needs to run a program of this machine beside the pods. */
    public Path networkNamespace() throws IOException {
        return Path.of(requests.require("namespace"));
    }

    public ClusterControl controlPlane() {
        return control;
    }

    /** Returns the nodes, in the order they were added. */
    public List<ClusterNode> nodes() throws IOException {
        return requests.require("nodes").lines().map(this::node).toList();
    }

    public ClusterNode node(String name) {
        return new ClusterNode(name, requests);
    }

    /** Adds a node and waits until it is Ready. */
    public ClusterNode addNode(NodeSpec spec) throws IOException {
        requests.require(NodeRequest.words(spec));
        return node(spec.name());
    }

    /** Takes a machine away with its disks; its Node object stays. */
    public void removeNode(String name) throws IOException {
        requests.require("remove-node", name);
    }

    /** Runs kubectl as administrator. */
    public CommandResult kubectl(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("kubectl", "--kubeconfig=" + kubeconfig()));
        command.addAll(List.of(arguments));
        var out = Files.createTempFile("kubectl", ".out");
        var err = Files.createTempFile("kubectl", ".err");
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectInput(Path.of("/dev/null").toFile())
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile())
                            .start();
            if (!process.waitFor(KUBECTL_DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command + " did not end in " + KUBECTL_DEADLINE);
            }
            return new CommandResult(process.exitValue(), text(out), text(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    /** Ends a cluster that this process started; one that it found stays up. */
    @Override
    public void close() throws IOException {
        owned.close();
    }
}
