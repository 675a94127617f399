package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.launcher.command.VersionCommand;
import lvms.operator.inspection.NodeInspection;
import lvms.operator.overview.ClusterFindings;
import lvms.operator.overview.InstallationFindings;
import lvms.operator.overview.Overview;
import lvms.operator.overview.Section;
import lvms.operator.overview.StatusReport;
import lvms.operator.overview.SupportBundle;
import lvms.operator.overview.VolumeReport;
import lvms.operator.page.ClusterReport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code lvms support-bundle} and {@code lvms gather} collect: reports, objects, logs, and
 * what LVM says on each node.
 *
 * @param kube with the caller's rights
 * @param since leaves out older lines of logs
 * @param nodes whether the agents are asked
 */
record Bundle(KubeClient kube, Optional<Instant> since, boolean nodes) {
    private static final String FILE_NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,80}";

    /**
     * Writes it all.
     *
     * @return what is missing, one line each
     */
    List<String> write(SupportBundle.Sink sink)
            throws ApiException, IOException, InterruptedException {
        var overview = Overview.read(kube, InstantSource.system());
        var version = "lvms " + VersionCommand.version() + "\n" + kube.serverVersion() + "\n";
        add(sink, "version.txt", version);
        report(sink, "status.txt", StatusReport.of(overview));
        report(sink, "volumes.txt", VolumeReport.of(overview));
        var installed =
                InstallationFindings.of(kube, overview.installation(), overview.obeysNativeStor());
        var findings = new ArrayList<>(ClusterFindings.of(overview));
        findings.addAll(installed.findings());
        report(sink, "doctor.txt", List.of(Section.findings(findings)));
        var page = ClusterReport.read(kube, overview, installed, nodes, ReportCommand.source());
        add(sink, "report.html", page.html());
        var gaps = new ArrayList<>(page.gaps());
        gaps.addAll(SupportBundle.collect(kube, overview, since, sink));
        if (nodes) {
            gaps.addAll(machines(overview, sink));
        }
        var distinct = gaps.stream().distinct().toList();
        add(sink, "gaps.txt", String.join("\n", distinct) + "\n");
        return distinct;
    }

    private List<String> machines(Overview overview, SupportBundle.Sink sink)
            throws IOException, InterruptedException {
        var broken = new ArrayList<String>();
        var gaps =
                new NodeInspection(kube, overview)
                        .ask(
                                List.of("support-bundle", "--local", "--output=-"),
                                (node, tar) -> {
                                    if (!unpacked(node, tar, sink)) {
                                        broken.add(
                                                "node "
                                                        + node
                                                        + ": its archive is broken, or has other"
                                                        + " files than ours");
                                    }
                                });
        broken.addAll(gaps);
        return broken;
    }

    /** A node may be in other hands: its names must not leave its folder. */
    static boolean unpacked(String node, byte[] archive, SupportBundle.Sink sink)
            throws IOException {
        var files = Tar.read(archive);
        boolean all = files.isPresent();
        for (var file : files.orElse(Map.of()).entrySet()) {
            if (file.getKey().matches(FILE_NAME)) {
                sink.add("nodes/" + node + "/" + file.getKey(), file.getValue());
            } else {
                all = false;
            }
        }
        return all;
    }

    private static void report(SupportBundle.Sink sink, String name, List<Section> sections)
            throws IOException {
        add(sink, name, ClusterCommand.text(sections));
    }

    static void add(SupportBundle.Sink sink, String name, String text) throws IOException {
        sink.add(name, text.getBytes(StandardCharsets.UTF_8));
    }
}
