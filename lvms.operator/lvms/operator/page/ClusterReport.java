package lvms.operator.page;

import lvms.api.LogicalVolume;
import lvms.api.finding.Finding;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.operator.inspection.LvmReport;
import lvms.operator.inspection.NodeInspection;
import lvms.operator.overview.Cell;
import lvms.operator.overview.ClusterFindings;
import lvms.operator.overview.InstallationFindings;
import lvms.operator.overview.Overview;
import lvms.operator.overview.ProductPod;
import lvms.operator.overview.Section;
import lvms.operator.overview.StatusReport;
import lvms.operator.overview.VolumeReport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The report of a cluster as a page.
 *
 * @param html the page
 * @param gaps what is missing on it, one line each; the page has them too
 */
public record ClusterReport(String html, List<String> gaps) {
    private static final String[] COMMAND = {"report", "--local"};
    private static final String UNASKED =
            "The nodes were not asked: extents, pools and their history are not known here.";

    public ClusterReport {
        gaps = List.copyOf(gaps);
    }

    /**
     * Reads what objects do not say, and makes the page. A node that gives no answer, and a right
     * that is missing, are gaps.
     *
     * @param kube with the caller's rights
     * @param installed what of the installation's own objects is missing
     * @param asksNodes whether to run {@code lvms report --local} in the agents' pods
     * @param source who makes the page, for its head
     */
    public static ClusterReport read(
            KubeClient kube,
            Overview overview,
            InstallationFindings.Answer installed,
            boolean asksNodes,
            String source)
            throws ApiException, InterruptedException {
        var answers =
                asksNodes
                        ? Optional.of(new NodeInspection(kube, overview).json(COMMAND))
                        : Optional.<NodeInspection.Answers>empty();
        var pods = ClaimPods.read(kube);
        var gaps = new ArrayList<>(installed.gaps());
        pods.gap().ifPresent(gaps::add);
        return of(overview, installed.findings(), gaps, answers, pods, source);
    }

    /** What objects alone say; asks nobody. */
    public static ClusterReport ofObjects(Overview overview, String source) {
        return of(overview, List.of(), List.of(), Optional.empty(), ClaimPods.UNASKED, source);
    }

    static ClusterReport of(
            Overview overview,
            List<Finding> installed,
            List<String> gaps,
            Optional<NodeInspection.Answers> answers,
            ClaimPods pods,
            String source) {
        var readings = readings(answers);
        var findings = new ArrayList<>(ClusterFindings.of(overview));
        findings.addAll(installed);
        readings.values().forEach(reading -> findings.addAll(reading.findings()));
        var all = new ArrayList<>(overview.gaps());
        all.addAll(gaps);
        answers.ifPresent(a -> all.addAll(a.gaps()));
        var overall = new ArrayList<>(StatusReport.of(overview));
        answers.ifPresent(a -> overall.add(LvmReport.usage(a.byNode()).getFirst()));
        var page =
                new ReportPage(
                        overview.now(),
                        source,
                        findings,
                        overall,
                        nodes(overview, answers, readings),
                        volumes(overview, readings, pods),
                        all);
        return new ClusterReport(page.html(), page.gaps());
    }

    private static SortedMap<String, NodeReading> readings(
            Optional<NodeInspection.Answers> answers) {
        var readings = new TreeMap<String, NodeReading>();
        answers.ifPresent(
                a -> a.byNode().forEach((n, json) -> readings.put(n, NodeReading.of(n, json))));
        return readings;
    }

    private static List<NodePart> nodes(
            Overview overview,
            Optional<NodeInspection.Answers> answers,
            Map<String, NodeReading> readings) {
        var names = new TreeSet<>(readings.keySet());
        overview.pods().stream()
                .filter(ProductPod::runsLvm)
                .map(ProductPod::node)
                .filter(name -> !name.isEmpty())
                .forEach(names::add);
        overview.statuses().forEach(status -> names.add(status.node()));
        var gaps = answers.map(NodeInspection.Answers::gaps);
        return names.stream()
                .map(
                        name -> {
                            var reading = Optional.ofNullable(readings.get(name));
                            return new NodePart(
                                    name,
                                    reading.isPresent() ? "" : silence(name, gaps),
                                    reading.map(NodeReading::disks).orElse(List.of()),
                                    reading.map(NodeReading::pools).orElse(List.of()),
                                    claims(overview, name));
                        })
                .toList();
    }

    private static String silence(String node, Optional<List<String>> gaps) {
        return gaps.map(
                        lines ->
                                lines.stream()
                                        .filter(line -> line.startsWith("node " + node + ": "))
                                        .findFirst()
                                        .or(
                                                () ->
                                                        lines.stream()
                                                                .filter(l -> !l.isEmpty())
                                                                .findFirst())
                                        .map(line -> "No answer: " + line)
                                        .orElse("No answer."))
                .orElse(UNASKED);
    }

    private static Map<String, String> claims(Overview overview, String node) {
        var claims = new HashMap<String, String>();
        overview.volumes().stream()
                .filter(volume -> volume.spec().nodeName().equals(node))
                .forEach(
                        volume ->
                                VolumeReport.claim(overview, volume)
                                        .ifPresent(
                                                claim -> claims.put(volume.volumeName(), claim)));
        return claims;
    }

    private static List<Section> volumes(
            Overview overview, Map<String, NodeReading> readings, ClaimPods pods) {
        var all =
                VolumeReport.volumes(
                        overview,
                        List.of("pods", "health"),
                        volume ->
                                List.of(
                                        Cell.of(pods.of(VolumeReport.claim(overview, volume))),
                                        Cell.of(health(readings, volume))));
        return Stream.concat(Stream.of(all), VolumeReport.of(overview).stream().skip(1)).toList();
    }

    private static Optional<String> health(
            Map<String, NodeReading> readings, LogicalVolume volume) {
        return Optional.ofNullable(readings.get(volume.spec().nodeName()))
                .map(reading -> reading.health().getOrDefault(volume.volumeName(), "not on disk"));
    }
}
