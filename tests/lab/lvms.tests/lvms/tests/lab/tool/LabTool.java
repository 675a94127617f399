package lvms.tests.lab.tool;

import lvms.k8s.object.ObjectKey;
import lvms.tests.lab.cluster.ClusterOptions;
import lvms.tests.lab.cluster.LabCluster;
import lvms.tests.lab.machine.CommandResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code ./build.sh lab}: a process that holds a cluster until it is told to end, and the client of
 * that process.
 */
public final class LabTool {
    private static final Path FOLDER = Path.of("out/lab/cluster");
    private static final ControlSocket CONTROL = new ControlSocket(Path.of("out/lab/control"));
    private static final ControlClient CLIENT = new ControlClient(CONTROL, "lab", "out/lab/log");
    private static final Duration RUN = Duration.ofMinutes(5);

    private final LabCluster cluster;

    private LabTool(LabCluster cluster) {
        this.cluster = cluster;
    }

    /** Runs one verb; the exit status is the command's. */
    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        switch (words.getFirst()) {
            case "serve" -> serve(words.size() > 1 ? Integer.parseInt(words.get(1)) : 2);
            case "await" -> System.exit(CLIENT.await(Long.parseLong(words.get(1))) ? 0 : 1);
            case "down" -> System.exit(CLIENT.down());
            default -> System.exit(CLIENT.ask(words));
        }
    }

    private static void serve(int nodes) throws Exception {
        delete(FOLDER);
        var options = ClusterOptions.twoNodes(FOLDER).nodes(nodes);
        var tool = new LabTool(LabCluster.start(options, System.out::println));
        CONTROL.serve(tool::handle);
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private CommandResult handle(List<String> words) {
        try {
            return switch (words.getFirst()) {
                case "status" -> status();
                case "run" -> cluster.node(words.get(1)).run(words.subList(2, words.size()), RUN);
                case "exec" -> exec(words.subList(1, words.size()));
                case "cut" -> done(() -> cluster.powerCut(words.get(1)));
                case "boot" -> done(() -> cluster.bootAgain(words.get(1)));
                case "violations" -> new CommandResult(0, lines(cluster.violations()), "");
                case "end" -> end();
                default -> new CommandResult(2, "", "no verb " + words.getFirst() + "\n");
            };
        } catch (Exception e) {
            return new CommandResult(1, "", e + "\n");
        }
    }

    /** As {@code kubectl exec POD -- COMMAND}, whose two dashes may be left out. */
    private CommandResult exec(List<String> words) throws Exception {
        var pod = ObjectKey.of(words.get(0), words.get(1));
        int command = words.get(2).equals("--") ? 3 : 2;
        return cluster.exec(pod, words.subList(command, words.size()));
    }

    private interface Action {
        void run() throws Exception;
    }

    private static CommandResult done(Action action) throws Exception {
        action.run();
        return new CommandResult(0, "", "");
    }

    private CommandResult status() {
        var nodes =
                cluster.lab().nodes().stream()
                        .map(
                                node ->
                                        "%s %s %s console %s%n"
                                                .formatted(
                                                        node.name(),
                                                        node.running() ? "up" : "off",
                                                        node.address(),
                                                        node.console()))
                        .collect(Collectors.joining());
        return new CommandResult(0, "export KUBECONFIG=" + cluster.kubeconfig() + "\n" + nodes, "");
    }

    private static String lines(List<String> texts) {
        return texts.stream().map(text -> text + "\n").collect(Collectors.joining());
    }

    private CommandResult end() {
        Thread.startVirtualThread(
                () -> {
                    cluster.close();
                    Runtime.getRuntime().exit(0);
                });
        return new CommandResult(0, "", "");
    }
}
