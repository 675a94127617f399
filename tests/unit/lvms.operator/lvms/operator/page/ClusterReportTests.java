package lvms.operator.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.finding.Finding;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.inspection.NodeInspection;
import lvms.operator.overview.Scene;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;

/** The page says what the cluster and its nodes say, and nothing in it runs or asks elsewhere. */
class ClusterReportTests {
    private final Scene scene =
            Scene.working()
                    .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                    .persistentVolume("pvc-1", "v1", "Bound", "data");

    private static final ClaimPods PODS =
            ClaimPods.of(
                    List.of(
                            pod("web-0", "{name: d, persistentVolumeClaim: {claimName: data}}"),
                            pod("web-1", "{name: d, persistentVolumeClaim: {claimName: data}}"),
                            pod("job", "{name: tmp, ephemeral: {}}")));

    private static KubeObject pod(String name, String volume) {
        return KubeObject.of(
                Yaml.read(
                                """
                                {kind: Pod, metadata: {namespace: default, name: %s},
                                 spec: {volumes: [%s]}}
                                """
                                        .formatted(name, volume))
                        .asObject());
    }

    private static Optional<NodeInspection.Answers> answers(String node, String json) {
        var nodes = new TreeMap<String, ObjectTree>();
        nodes.put(node, Json.parse(json).asObject());
        return Optional.of(new NodeInspection.Answers(nodes, List.of()));
    }

    private ClusterReport report(Optional<NodeInspection.Answers> answers) {
        return ClusterReport.of(scene.overview(), List.of(), List.of(), answers, PODS, "lvms test");
    }

    private static final String DISK =
            """
            {"volumeGroups": [{"name": "vg1", "extentSizeBytes": 4194304, "physicalVolumes": [
               {"device": "/dev/sdb", "sizeBytes": 41943040, "extents": 10, "missing": false,
                "runs":
                 [{"start": 0, "length": 3, "volume": "v1", "type": "linear"},
                  {"start": 3, "length": 1, "volume": "pvmove0", "type": "mirror"},
                  {"start": 4, "length": 6}]}],
              "logicalVolumes": [{"name": "v1", "sizeBytes": 1, "health": "partial"}]}]}
            """;

    @Test
    void aVolumeShowsItsClaimItsPodsAndItsHealth() {
        var html = report(answers("n1", DISK)).html();
        assertTrue(
                html.contains(
                        "<td>default/data</td><td>ready</td><td>60m</td><td>-</td>"
                                + "<td>web-0, web-1</td><td>partial</td>"),
                html);
    }

    @Test
    void aDiskIsAMapOfItsExtentsWithWordsForThoseWhoDoNotSeeIt() {
        var html = report(answers("n1", DISK)).html();
        var colour = Colours.of("v1");
        assertTrue(html.contains("viewBox=\"0 0 10 24\""), html);
        assertTrue(
                html.contains(
                        "<rect x=\"0\" y=\"0\" width=\"3\" height=\"24\" class=\""
                                + colour
                                + "\"><title>v1 of default/data, data (linear), extents 0 to"
                                + " 2</title>"),
                html);
        assertTrue(html.contains("width=\"1\" height=\"12\""), html);
        assertTrue(html.contains("pvmove0, being moved by pvmove (mirror)"), html);
        assertTrue(html.contains("24MiB free, at most 24MiB in one piece"), html);
        assertTrue(
                html.contains(
                        "<title>Map of /dev/sdb on n1: 10 extents of 4MiB, 6 free, 2 volumes"),
                html);
    }

    @Test
    void aMissingDiskSaysSo() {
        var html = report(answers("n1", DISK.replace("false", "true"))).html();
        assertTrue(html.contains("<figure class=\"disk missing\">"), html);
        assertTrue(html.contains("the node does not find this disk"), html);
    }

    @Test
    void aNodeThatGivesNoAnswerIsShownWithTheReason() {
        var gap = "node n1: report --local: timed out";
        var silent = Optional.of(new NodeInspection.Answers(new TreeMap<>(), List.of(gap)));
        var report = report(silent);
        assertTrue(report.html().contains("No answer: " + gap), report.html());
        assertTrue(report.html().contains("<li>" + gap + "</li>"), report.html());
        assertEquals(List.of(gap), report.gaps());
    }

    @Test
    void nodesThatWereNotAskedAreNotCalledSilent() {
        var html = report(Optional.empty()).html();
        assertTrue(html.contains("The nodes were not asked"), html);
        assertFalse(html.contains("No answer"), html);
    }

    @Test
    void findingsComeWithWhatToDoWorstFirst() {
        var installed =
                List.of(
                        Finding.note("x", "could be better", "nothing"),
                        Finding.error("y", "is broken", "mend it"));
        var html =
                ClusterReport.of(
                                scene.overview(),
                                installed,
                                List.of(),
                                Optional.empty(),
                                PODS,
                                "lvms test")
                        .html();
        assertTrue(html.contains("What to do: mend it"), html);
        assertTrue(html.indexOf("is broken") < html.indexOf("could be better"), html);
    }

    /** A node that is lost is found once for each of its volumes. */
    @Test
    void manyFindingsWithOneCureAreOneAndHideNoOther() {
        var found = new ArrayList<Finding>();
        for (int i = 0; i < 300; i++) {
            found.add(Finding.error("volume " + i, "has no node", "bring it back"));
        }
        found.add(Finding.error("disk", "is lost", "replace it"));
        var html = new Html();
        new FindingList(found).write(html);
        var page = html.toString();
        assertEquals(2, page.split("What to do: ", -1).length - 1, page);
        assertTrue(page.contains("<details><summary>297 more like these</summary>"), page);
        assertTrue(page.contains("volume 299: has no node"), page);
    }

    private static String evil(String place) {
        return "<script>alert('" + place + "')</script>\" onload=\"y";
    }

    /** For YAML and JSON. */
    private static String quoted(String place) {
        return '"' + evil(place).replace("\"", "\\\"") + '"';
    }

    private static final String EVIL_NODE =
            """
            {"findings": [{"severity": "error", "subject": SUBJECT, "finding": TEXT, "cure": CURE}],
             "history": [{"pool": "vg1/p", "time": EVIL, "dataPercent": 1}],
             "volumeGroups": [{"name": GROUP, "extentSizeBytes": 4194304, "physicalVolumes": [
               {"device": DEVICE, "sizeBytes": 41943040, "extents": 10, "runs":
                 [{"start": 0, "length": 3, "volume": VOLUME, "type": TYPE}]}],
              "logicalVolumes": [{"name": POOL, "layout": ["thin", "pool"], "health": SICK,
                "dataPercent": 1}, {"name": "v1", "sizeBytes": 1, "health": HEALTH}]}]}
            """;

    private static String evilNode() {
        return Pattern.compile("\\b[A-Z]{4,}\\b")
                .matcher(EVIL_NODE)
                .replaceAll(place -> Matcher.quoteReplacement(quoted(place.group())));
    }

    /** Names of volumes, claims, disks, messages and reasons come from users and from disks. */
    @Test
    void nothingThatSomebodyWroteBecomesMarkup() {
        scene.with(
                """
                apiVersion: topolvm.io/v1
                kind: LogicalVolume
                metadata:
                  name: bad
                  creationTimestamp: "2026-01-02T11:00:00Z"
                  annotations: {topolvm.io/claim: %s}
                spec: {name: bad, nodeName: n1, size: 1Gi, deviceClass: %s}
                status: {message: %s}
                """
                        .formatted(quoted("annotation"), quoted("class"), quoted("message")));
        scene.with(
                """
                kind: LVMCluster
                metadata: {name: bad, namespace: lvms-system}
                spec: {storage: {deviceClasses: [{name: ssd}]}}
                status:
                  state: Failed
                  conditions:
                    - type: VolumeGroupsReady
                      status: "False"
                      reason: R
                      message: %s
                      lastTransitionTime: "2026-01-02T11:00:00Z"
                """
                        .formatted(quoted("condition")));
        var pods = new ClaimPods(Map.of("default/data", evil("pod")), Optional.empty());
        var html =
                ClusterReport.of(
                                scene.overview(),
                                List.of(),
                                List.of(evil("gap")),
                                answers("n1", evilNode()),
                                pods,
                                evil("source"))
                        .html();
        assertFalse(html.toLowerCase(Locale.ROOT).contains("<script"), html);
        assertFalse(html.contains("onload=\"y"), html);
        for (var place :
                List.of(
                        "annotation",
                        "class",
                        "message",
                        "condition",
                        "pod",
                        "gap",
                        "source",
                        "SUBJECT",
                        "TEXT",
                        "CURE",
                        "GROUP",
                        "DEVICE",
                        "VOLUME",
                        "TYPE",
                        "POOL",
                        "SICK",
                        "HEALTH")) {
            var shown = "&lt;script&gt;alert(&#39;" + place + "&#39;)&lt;/script&gt;&quot; onload";
            assertTrue(html.contains(shown), () -> place + " is not on the page: " + html);
        }
    }

    @Test
    void controlAndDirectionCharactersAreShown() {
        assertEquals("a\uFFFDb\uFFFDc\uFFFD", Html.escaped("a\u0000b\u202Ec\uD800"));
    }

    @Test
    void nothingRunsAndNothingIsAskedElsewhere() {
        var html = report(answers("n1", DISK)).html();
        assertFalse(html.contains("<script"), html);
        assertFalse(Pattern.compile("(\\bsrc=|srcset|@import|url\\()").matcher(html).find(), html);
        assertFalse(Pattern.compile("href=\"(?!#)").matcher(html).find(), html);
        assertTrue(html.contains("default-src 'none'"), html);
        assertTrue(html.contains("prefers-color-scheme:dark"), html);
        assertTrue(html.contains("name=\"viewport\""), html);
    }

    /** Every drawing has a title, every table heads, and every element its end. */
    @Test
    void thePageIsWellFormedAndHasWordsForEachDrawing() throws Exception {
        var html = report(answers("n1", DISK)).html();
        var xml = html.replaceFirst("<!DOCTYPE html>", "").replaceAll("<meta([^>]*)>", "<meta$1/>");
        var document =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        var drawings = document.getElementsByTagName("svg");
        assertTrue(drawings.getLength() > 0);
        for (int i = 0; i < drawings.getLength(); i++) {
            assertEquals("title", drawings.item(i).getFirstChild().getNodeName());
        }
        var tables = document.getElementsByTagName("table");
        for (int i = 0; i < tables.getLength(); i++) {
            assertEquals("caption", tables.item(i).getFirstChild().getNodeName());
            assertEquals("thead", tables.item(i).getChildNodes().item(1).getNodeName());
        }
    }

    @Test
    void aVolumeHasOneColourOnEachPage() {
        assertEquals("c4", Colours.of("v1"));
        assertEquals("c3", Colours.of("pool"));
    }

    @Test
    void aLargeClusterIsOnePage() {
        var large = LargeScene.make();
        var start = Instant.now();
        var html = large.page();
        System.out.println(
                "a page of 3 nodes, 50 disks and 1,000 volumes: %d KiB in %d ms"
                        .formatted(
                                html.length() / 1024,
                                Duration.between(start, Instant.now()).toMillis()));
        assertEquals(50, html.split("class=\"disk").length - 1);
        assertTrue(html.length() < 2 << 20, "" + html.length());
        assertEquals(html, LargeScene.make().page());
    }
}
