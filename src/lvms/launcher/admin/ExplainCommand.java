package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.object.ObjectKey;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.node.doctor.Table;
import lvms.operator.overview.ClaimExplanation;
import lvms.operator.overview.Section;

import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code lvms explain pvc NAME}: why a claim waits, on which node, and who has to act. It only
 * reads.
 */
public final class ExplainCommand implements Command {
    private static final String NAMESPACE = "namespace";

    @Override
    public String name() {
        return "explain pvc";
    }

    @Override
    public String summary() {
        return "say why a claim waits, on which node, and who has to act";
    }

    @Override
    public List<String> operands() {
        return List.of("NAME");
    }

    @Override
    public List<Flag> flags() {
        return List.of(
                new Flag(
                        NAMESPACE,
                        Flag.Kind.TEXT,
                        "",
                        "namespace of the claim; else that of the kubeconfig"),
                LocalCommand.output(),
                ClusterCommand.kubeconfig());
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return ClusterCommand.EXIT_CODES;
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(flags);
        try (var kube = ClusterCommand.client("lvms-explain", flags)) {
            var namespace = flags.text(NAMESPACE);
            var claim =
                    ObjectKey.of(
                            namespace.isEmpty() ? kube.namespace() : namespace, flags.operand(0));
            var answer = ClaimExplanation.of(kube, claim, InstantSource.system());
            var sections = answer.sections();
            System.out.print(json ? ClusterCommand.json(sections) : text(sections));
            return ClusterCommand.gaps(Stream.of(answer.gaps())) ? 1 : 0;
        } catch (ApiException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    /** One answer reads better from top to bottom. */
    private static String text(List<Section> sections) {
        var answer = sections.getFirst();
        var row = answer.rows().getFirst();
        var lines = new Table(answer.columns().getFirst(), row.getFirst().text());
        for (int i = 1; i < row.size(); i++) {
            lines.add(answer.columns().get(i), row.get(i).text());
        }
        var events = sections.getLast();
        return lines.text()
                + (events.rows().isEmpty() ? "" : "\n" + ClusterCommand.text(List.of(events)));
    }
}
