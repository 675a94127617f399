package lvms.tests.sanity;

import lvms.csi.SocketChannel;
import lvms.tests.cluster.ginkgo.GinkgoReport;
import lvms.tests.lab.kubelet.PluginChannel;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.scenario.Scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A cluster of one node with a thick and a thin class, and the driver's two sockets. The suite runs
 * on the node, since it makes the folders that volumes are published to.
 */
final class Site implements AutoCloseable {
    /** Below kubelet's folder, which alone the node agent shares with the node. */
    private static final String FOLDER = "/var/lib/kubelet/plugins/sanity";

    private static final String NODE_SOCKET =
            "/var/lib/kubelet/plugins/topolvm.io/node/csi-topolvm.sock";
    private static final String CONTROLLER_SOCKET = "csi-topolvm.sock";
    private static final Duration PATIENCE = Duration.ofMinutes(8);
    private static final String CLASSES =
            """
            - name: thick
              fstype: ext4
              deviceSelector:
                paths: [/dev/ubdb]
            - name: thin
              default: true
              fstype: ext4
              deviceSelector:
                paths: [/dev/ubdc]
              thinPoolConfig:
                name: pool
                sizePercent: 90
                overprovisionRatio: 10
            """;

    private final Path program;
    private final Scenario scenario;
    private final Node node;
    private final Path links;
    private final SocketChannel controller;
    private final PluginChannel nodeSide;

    private Site(Path program, Scenario scenario) throws IOException {
        this.program = program;
        this.scenario = scenario;
        node = scenario.cluster().node("node1");
        node.shell("mkdir " + FOLDER);
        links = Files.createTempDirectory("sanity");
        controller = new SocketChannel(shortPath(operatorSocket()));
        nodeSide = new PluginChannel(node, NODE_SOCKET);
    }

    /** Starts the cluster. */
    static Site open(Path program) throws Exception {
        return new Site(program, Scenario.start("CsiSanityTests", CLASSES, 1));
    }

    /** The operator's pod runs on this machine, and so its socket is here. */
    private Path operatorSocket() throws IOException {
        try (var paths = Files.walk(scenario.cluster().lab().folder().resolve("control"))) {
            return paths.filter(path -> path.endsWith(CONTROLLER_SOCKET)).findFirst().orElseThrow();
        }
    }

    /** The address of a Unix socket has at most 107 bytes: unix(7). */
    private Path shortPath(Path socket) throws IOException {
        var link = links.resolve("controller");
        Files.createSymbolicLink(link, socket.getParent().toAbsolutePath());
        return link.resolve(socket.getFileName());
    }

    /** What the driver says of itself. */
    Declared declared() {
        return Declared.by(controller.grpc(), nodeSide.grpc());
    }

    /** Runs the whole suite once. */
    GinkgoReport run(Run run) throws IOException {
        var address = scenario.cluster().lab().hostAddress();
        var report = node.share().resolve("sanity.json");
        Files.deleteIfExists(report);
        Files.writeString(node.share().resolve("parameters.yaml"), run.parameters());
        Files.writeString(node.share().resolve("mutable-parameters.yaml"), run.mutableParameters());
        var snapshots = node.share().resolve("snapshot-parameters.yaml");
        Files.writeString(snapshots, run.snapshotParameters());
        try (var toController = new FilesystemDoor(address, controller.grpc(), run.filesystem());
                var toNode = new FilesystemDoor(address, nodeSide.grpc(), run.filesystem())) {
            var endpoint = run.filesystem().isEmpty() ? NODE_SOCKET : toNode.endpoint();
            var command = run.command(program, FOLDER, endpoint, toController.endpoint());
            var result = node.run(command, PATIENCE);
            Files.writeString(node.share().resolve(run + ".log"), result.out() + result.err());
            if (!Files.exists(report)) {
                throw new IOException("csi-sanity gave no report: " + result);
            }
            return GinkgoReport.of(Files.readString(report));
        }
    }

    /** What a run left on the disk, in the mount table and in the cluster. */
    List<String> leftBehind() throws Exception {
        scenario.await("LogicalVolumes are gone", () -> scenario.logicalVolumes().isEmpty());
        var disk =
                node.shell("lvs --noheadings --options vg_name,lv_name --select 'lv_name!=pool'");
        var mounts =
                node.shell(
                        "grep --regexp=/dev/mapper --regexp=plugins/sanity /proc/mounts || true");
        var folders = node.shell("find " + FOLDER + " -mindepth 1");
        return (disk + mounts + folders).lines().filter(line -> !line.isBlank()).toList();
    }

    @Override
    public void close() throws IOException {
        nodeSide.close();
        controller.close();
        Files.delete(links.resolve("controller"));
        Files.delete(links);
        scenario.close();
    }
}
