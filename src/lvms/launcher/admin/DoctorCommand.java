package lvms.launcher.admin;

import lvms.api.finding.Finding;
import lvms.k8s.client.ApiException;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.operator.inspection.NodeFindings;
import lvms.operator.overview.ClusterFindings;
import lvms.operator.overview.InstallationFindings;
import lvms.operator.overview.Overview;
import lvms.operator.overview.Section;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code lvms doctor}: what is wrong with the cluster, or with LVM on this machine. It only reads.
 * Its exit codes are like those of diff and grep.
 */
public final class DoctorCommand implements Command {
    private static final int TROUBLE = 2;

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "say what is wrong in the cluster, or with LVM on this machine (--local)";
    }

    @Override
    public List<Flag> flags() {
        return ClusterCommand.flags(LocalCommand.flags().toArray(Flag[]::new));
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return List.of(
                new ExitCode(0, "nothing to do"),
                new ExitCode(1, "it found errors or warnings"),
                new ExitCode(TROUBLE, "it could not look everywhere, or wrong flags"));
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(flags);
        return flags.on(LocalCommand.LOCAL) ? ofMachine(json) : ofCluster(flags, json);
    }

    private static int ofCluster(Flags flags, boolean json)
            throws UsageException, InterruptedException {
        try (var kube = ClusterCommand.client("lvms-doctor", flags)) {
            var overview = Overview.read(kube, InstantSource.system());
            var installed =
                    InstallationFindings.of(
                            kube, overview.installation(), overview.obeysNativeStor());
            var findings = new ArrayList<>(ClusterFindings.of(overview));
            findings.addAll(installed.findings());
            var nodes = ClusterCommand.nodes(flags, kube, overview, "doctor", "--local", "-o=json");
            findings.addAll(NodeFindings.of(nodes.byNode()));
            var sections = List.of(Section.findings(findings));
            System.out.print(
                    json
                            ? ClusterCommand.json(sections)
                            : findings.isEmpty()
                                    ? "nothing found\n"
                                    : ClusterCommand.text(sections));
            boolean blind =
                    ClusterCommand.gaps(Stream.of(overview.gaps(), installed.gaps(), nodes.gaps()));
            return findings.stream().anyMatch(Finding::urgent) ? 1 : blind ? TROUBLE : 0;
        } catch (ApiException e) {
            return LocalCommand.failed(TROUBLE, e.getMessage());
        }
    }

    private static int ofMachine(boolean json) throws InterruptedException {
        return LocalCommand.diagnose(
                TROUBLE,
                diagnosis -> {
                    System.out.print(json ? diagnosis.json() + "\n" : diagnosis.text());
                    return diagnosis.urgent() ? 1 : 0;
                });
    }
}
