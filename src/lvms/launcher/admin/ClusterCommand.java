package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.tree.ObjectTree;
import lvms.launcher.command.ExitCode;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.node.doctor.Table;
import lvms.operator.inspection.NodeInspection;
import lvms.operator.overview.Overview;
import lvms.operator.overview.Section;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the commands that show or change the cluster with the caller's rights have in common. */
final class ClusterCommand {
    /** The codes of commands that only show something. */
    static final List<ExitCode> EXIT_CODES =
            List.of(
                    new ExitCode(0, "everything was shown"),
                    new ExitCode(
                            1,
                            "it could not be shown, or a right is missing for a part of it; lines"
                                    + " on standard error say what"),
                    new ExitCode(2, "wrong flags or environment"));

    private static final String KUBECONFIG = "kubeconfig";
    private static final String NODES = "nodes";

    private ClusterCommand() {}

    static Flag kubeconfig() {
        return new Flag(
                KUBECONFIG,
                Flag.Kind.TEXT,
                "",
                "kubeconfig file, - for standard input; else as kubectl finds it");
    }

    /** The flags of commands that show the whole cluster. */
    static List<Flag> flags(Flag... own) {
        return Stream.concat(Stream.of(own), Stream.of(nodes(), kubeconfig())).toList();
    }

    private static Flag nodes() {
        return new Flag(
                NODES,
                Flag.Kind.SWITCH,
                "true",
                "also run lvms in the agents' pods, which needs create and get of pods/exec");
    }

    /** Asks the agents, unless the flags say not to. */
    static NodeInspection.Answers nodes(
            Flags flags, KubeClient kube, Overview overview, String... words)
            throws InterruptedException {
        return flags.on(NODES)
                ? new NodeInspection(kube, overview).json(words)
                : new NodeInspection.Answers(new TreeMap<>(), List.of());
    }

    static boolean asksNodes(Flags flags) {
        return flags.on(NODES);
    }

    /** A client with the caller's rights; its writes carry the given name. */
    static KubeClient client(String name, Flags flags) throws UsageException {
        LocalCommand.quiet();
        var file = Optional.of(flags.text(KUBECONFIG)).filter(f -> !f.isEmpty()).map(Path::of);
        try {
            return KubeClient.open(KubeConfig.load(file), name + "/" + VersionCommand.version())
                    .withFieldManager(name);
        } catch (KubeConfigException e) {
            throw new UsageException("cannot find a Kubernetes cluster: " + e.getMessage());
        }
    }

    /**
     * Prints a report of the cluster with one of what its agents see, and what may not be read;
     * returns the exit code.
     */
    static int show(
            String command,
            Flags flags,
            Function<Overview, List<Section>> report,
            Function<SortedMap<String, ObjectTree>, List<Section>> reportOfNodes)
            throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(flags);
        try (var kube = client("lvms-" + command, flags)) {
            var overview = Overview.read(kube, InstantSource.system());
            var answers = nodes(flags, kube, overview, "volumes", "--local", "-o=json");
            var sections = new ArrayList<>(report.apply(overview));
            sections.addAll(reportOfNodes.apply(answers.byNode()));
            System.out.print(json ? json(sections) : text(sections));
            return gaps(Stream.of(overview.gaps(), answers.gaps())) ? 1 : 0;
        } catch (ApiException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    /** Prints what is missing; returns whether anything is. */
    static boolean gaps(Stream<List<String>> gaps) {
        var lines = gaps.flatMap(List::stream).distinct().toList();
        lines.forEach(line -> System.err.println("lvms: not shown: " + line));
        return !lines.isEmpty();
    }

    static String text(List<Section> sections) {
        var out = new StringBuilder();
        for (var section : sections) {
            if (!section.rows().isEmpty()) {
                out.append(out.isEmpty() ? "" : "\n").append(section.name()).append(":\n");
                out.append(table(section).text());
            }
        }
        return out.isEmpty() ? "nothing of lvms is in this cluster\n" : out.toString();
    }

    private static Table table(Section section) {
        var table = new Table(section.heads().toArray(String[]::new));
        for (var row : section.rows()) {
            table.add(row.stream().map(cell -> cell.text()).toArray(String[]::new));
        }
        return table;
    }

    static String json(List<Section> sections) {
        var json = ObjectTree.builder();
        sections.forEach(section -> json.put(section.name(), section.json()));
        return json.build() + "\n";
    }
}
