package lvms.tests.cluster;

import lvms.tests.lab.machine.CommandResult;
import lvms.tests.lab.tool.ControlClient;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code ./build.sh cluster}: a process that holds a cluster until it is told to end, and the
 * client of that process.
 */
public final class ClusterTool {
    private static final Path FOLDER = Path.of("out/cluster/state");
    private static final ControlClient CLIENT =
            new ControlClient(Cluster.CONTROL, "cluster", "out/cluster/log");

    private ClusterTool() {}

    /** Runs one verb; the exit status is the command's. */
    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        switch (words.getFirst()) {
            case "serve" -> serve(Integer.parseInt(words.get(1)));
            case "await" -> System.exit(CLIENT.await(Long.parseLong(words.get(1))) ? 0 : 1);
            case "down" -> System.exit(CLIENT.down());
            default -> System.exit(CLIENT.ask(words));
        }
    }

    private static void serve(int nodes) throws Exception {
        var options = ClusterOptions.twoNodes(FOLDER).nodes(NodeSpec.alternating(nodes));
        var cluster = RunningCluster.start(options, System.out::println);
        var requests = new ClusterRequests(cluster);
        Cluster.CONTROL.serve(
                words -> words.getFirst().equals("end") ? end(cluster) : requests.answer(words));
    }

    private static CommandResult end(RunningCluster cluster) {
        Thread.startVirtualThread(
                () -> {
                    try {
                        cluster.close();
                    } catch (IOException e) {
                        e.printStackTrace();
                    }
                    Runtime.getRuntime().exit(0);
                });
        return new CommandResult(0, "", "");
    }
}
