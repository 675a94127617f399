package lvms.tests.lab.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/** A network and its nodes. Ends with the process that made it, at the latest. */
public final class Lab implements AutoCloseable {
    private final Kernel kernel;
    private final Path scripts;
    private final Path folder;
    private final LabNetwork network;
    private final List<Node> nodes = new ArrayList<>();
    private final Thread atExit = new Thread(this::end);

    private Lab(Kernel kernel, Path scripts, Path folder, LabNetwork network) {
        this.kernel = kernel;
        this.scripts = scripts;
        this.folder = folder;
        this.network = network;
    }

    /** Opens a lab without nodes, as the test command has prepared it. */
    public static Lab inFolder(Path folder) throws IOException, InterruptedException {
        return open(Path.of(System.getProperty("lvms.cache")), Path.of("tests/lab"), folder);
    }

    /**
     * Opens a lab without nodes.
     *
     * @param cache the download cache
     * @param scripts the folder of {@code init.sh} and {@code agent.pl}
     * @param folder for disks and logs
     */
    public static Lab open(Path cache, Path scripts, Path folder)
            throws IOException, InterruptedException {
        var kernel = Kernel.ofCache(cache.toAbsolutePath());
        var network = LabNetwork.open();
        var lab = new Lab(kernel, scripts.toAbsolutePath(), folder.toAbsolutePath(), network);
        Runtime.getRuntime().addShutdownHook(lab.atExit);
        return lab;
    }

    /** Adds a node; it has no power yet. */
    public Node add(NodeOptions options) throws IOException, InterruptedException {
        var node =
                new Node(
                        options,
                        nodes.size() + 1,
                        network,
                        kernel,
                        scripts,
                        folder.resolve(options.name()));
        nodes.add(node);
        return node;
    }

    /** Returns the nodes in the order they were added. */
    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    public Node node(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no node " + name));
    }

    /** Returns the address of this machine in the lab, where nodes reach what it serves. */
    public String hostAddress() {
        return network.hostAddress();
    }

    public LabNetwork network() {
        return network;
    }

    /** Returns the kernel of the nodes. */
    public Kernel kernel() {
        return kernel;
    }

    /** Returns the folder of disks and logs. */
    public Path folder() {
        return folder;
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        end();
    }

    private void end() {
        for (var closeable : closeables()) {
            try {
                closeable.close();
            } catch (Exception e) {
                System.getLogger(Lab.class.getName())
                        .log(System.Logger.Level.ERROR, "the lab left something behind", e);
            }
        }
    }

    private List<AutoCloseable> closeables() {
        var all = new ArrayList<AutoCloseable>(nodes);
        all.add(network);
        return all;
    }
}
