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
import lvms.operator.overview.Overview;
import lvms.operator.overview.Section;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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

    private ClusterCommand() {}

    static Flag kubeconfig() {
        return new Flag(
                KUBECONFIG, Flag.Kind.TEXT, "", "kubeconfig file; else as kubectl finds it");
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

    /** Prints a report of the cluster, and what may not be read; returns the exit code. */
    static int show(String command, Flags flags, Function<Overview, List<Section>> report)
            throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(flags);
        try (var kube = client("lvms-" + command, flags)) {
            var overview = Overview.read(kube, InstantSource.system());
            var sections = report.apply(overview);
            System.out.print(json ? json(sections) : text(sections));
            return gaps(overview.gaps()) ? 1 : 0;
        } catch (ApiException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    /** Prints what is missing; returns whether anything is. */
    static boolean gaps(List<String> gaps) {
        gaps.forEach(line -> System.err.println("lvms: not shown: " + line));
        return !gaps.isEmpty();
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
