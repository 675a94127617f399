package lvms.launcher.admin;

import lvms.api.finding.Finding;
import lvms.k8s.client.ApiException;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.node.doctor.Diagnosis;
import lvms.node.doctor.HistorySocket;
import lvms.operator.overview.InstallationFindings;
import lvms.operator.overview.Overview;
import lvms.operator.page.ClusterReport;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code lvms report --html=FILE}: the whole installation as one page for a browser, with a map of
 * each disk. It only reads.
 */
public final class ReportCommand implements Command {
    private static final String HTML = "html";
    private static final String STDOUT = "-";

    @Override
    public String name() {
        return "report";
    }

    @Override
    public String summary() {
        return "write nodes, disks, pools, volumes and findings as one HTML page (--html)";
    }

    @Override
    public List<Flag> flags() {
        return ClusterCommand.flags(
                new Flag(
                        LocalCommand.LOCAL,
                        Flag.Kind.SWITCH,
                        "false",
                        "print this machine's part as JSON"),
                new Flag(HTML, Flag.Kind.TEXT, "", "file to write; - for standard output"));
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return List.of(
                new ExitCode(0, "the page has everything"),
                new ExitCode(
                        1,
                        "there is no page, or a part of it is missing; lines on standard error and"
                                + " on the page say what"),
                new ExitCode(2, "wrong flags or environment"));
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var html = flags.text(HTML);
        if (flags.on(LocalCommand.LOCAL)) {
            if (!html.isEmpty()) {
                throw new UsageException("--local prints JSON: leave out --" + HTML);
            }
            return ofMachine();
        }
        if (html.isEmpty()) {
            throw new UsageException("name the file to write: --" + HTML + "=FILE");
        }
        return ofCluster(flags, html);
    }

    private static int ofCluster(Flags flags, String html)
            throws UsageException, InterruptedException {
        var file = html.equals(STDOUT) ? PageFile.STDOUT : PageFile.at(Path.of(html));
        try (var kube = ClusterCommand.client("lvms-report", flags)) {
            kube.serverVersion(); // no empty page of a server that gives no answer
            var overview = Overview.read(kube, InstantSource.system());
            var installed =
                    InstallationFindings.of(
                            kube, overview.installation(), overview.obeysNativeStor());
            boolean nodes = ClusterCommand.asksNodes(flags);
            var report = ClusterReport.read(kube, overview, installed, nodes, source());
            file.write(report.html());
            return ClusterCommand.gaps(Stream.of(report.gaps())) ? 1 : 0;
        } catch (ApiException e) {
            return LocalCommand.failed(1, e.getMessage());
        } catch (IOException e) {
            return LocalCommand.failed(1, "cannot write " + html + ": " + e.getMessage());
        }
    }

    static String source() {
        return "lvms " + VersionCommand.version();
    }

    /** Disks and findings are worth having without the history. */
    private static ObjectTree part(Diagnosis diagnosis) throws InterruptedException {
        try {
            return diagnosis.report(HistorySocket.read(HistorySocket.PATH));
        } catch (IOException e) {
            var why = "it cannot be read: " + e.getMessage();
            var lost = Finding.warning("history of pools", why, "look into the agent's log");
            return diagnosis.with(lost).report(ListTree.EMPTY);
        }
    }

    private static int ofMachine() throws InterruptedException {
        return LocalCommand.diagnose(
                1,
                diagnosis -> {
                    System.out.println(part(diagnosis));
                    return 0;
                });
    }
}
