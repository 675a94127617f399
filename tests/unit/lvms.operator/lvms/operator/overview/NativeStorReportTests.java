package lvms.operator.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** TopolvmClusters and RawDevices are shown where there are any, and what is wrong is said. */
class NativeStorReportTests {
    private static final String FINALIZER = "topolvmcluster.topolvm.cybozu.com";

    private static Scene scene(boolean flag) {
        return Scene.working()
                .without("LVMCluster", "my")
                .without("Pod", "operator-0")
                .with(
                        """
                        kind: Pod
                        metadata: {name: operator-0, namespace: lvms-system,
                          labels: {app.kubernetes.io/name: lvms-operator}}
                        spec: {nodeName: n1, containers: [{name: c, image: "lvms:1", args: [%s]}]}
                        status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
                        """
                                .formatted(flag ? "operator, --nativestor" : "operator"));
    }

    private static String cluster(String namespace, String status) {
        return """
        kind: TopolvmCluster
        metadata: {name: topolvm, namespace: %s, creationTimestamp: "2026-01-02T11:00:00Z",
          finalizers: [%s]}
        spec: {storage: {useAllNodes: true}}
        status: %s
        """
                .formatted(namespace, FINALIZER, status);
    }

    private static String condition(String type, String reason, String message) {
        return "{type: %s, status: 'False', reason: %s, message: '%s', lastTransitionTime:"
                        .formatted(type, reason, message)
                + " '2026-01-02T11:00:00Z'}";
    }

    private static String rawDevice(String path, String more) {
        return """
        kind: RawDevice
        metadata: {name: d%s, annotations: {%s}}
        """
                .formatted(path.hashCode(), more);
    }

    private static String rawDevice(
            String path, boolean available, String reason, String annotations, String volume) {
        return rawDevice(path, annotations)
                + """
                spec: {nodeName: n1, size: 4294967296, type: disk, realPath: %s, major: 8, minor: 1,
                  uuid: "", available: %s, reason: '%s'}
                status: {name: '%s'}
                """
                        .formatted(path, available, reason, volume);
    }

    private static List<List<String>> rows(Scene scene, String name) {
        return StatusReport.of(scene.overview()).stream()
                .filter(section -> section.name().equals(name))
                .flatMap(section -> section.rows().stream())
                .map(row -> row.stream().map(Cell::text).toList())
                .toList();
    }

    /** As {@code SEVERITY subject: text}. */
    private static List<String> findings(Scene scene) {
        return ClusterFindings.of(scene.overview()).stream()
                .map(f -> f.severity() + " " + f.subject() + ": " + f.text())
                .toList();
    }

    @Test
    void whoeverHasNothingOfNativeStorSeesNoTableOfIt() {
        var names = StatusReport.of(Scene.working().overview()).stream().map(Section::name);
        assertEquals(List.of("clusters", "programs", "nodes", "classes", "disks"), names.toList());
    }

    @Test
    void aClusterShowsItsPhaseAndWhatIsWrong() {
        var scene =
                scene(true)
                        .with(
                                cluster(
                                        "lvms-system",
                                        "{phase: Ready, nodesReady: 1/2, conditions: ["
                                                + condition(
                                                        "VolumeGroupsReady",
                                                        "VGsFailed",
                                                        "node n2: class fast: create failed")
                                                + "]}"));
        assertEquals(
                List.of(
                        List.of(
                                "lvms-system/topolvm",
                                "Ready",
                                "1/2",
                                "60m",
                                "node n2: class fast: create failed")),
                rows(scene, "topolvmClusters"));
        assertEquals(1, rows(scene, "classes").size(), "the classes of its nodes are there, too");
        assertEquals(
                List.of(
                        "ERROR TopolvmCluster lvms-system/topolvm: node n2: class fast: create"
                                + " failed"),
                findings(scene));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | '' | '' | '' | free | -",
                "false | is mounted | '' | '' | unavailable | is mounted",
                "false | has child | lvms.topolvm.io/content: used | d1 | used | has child",
                "false | '' | 'lvms.topolvm.io/content: used, lvms.topolvm.io/erased-bytes:"
                        + " \"1073741824\"' | '' | erasing, 25% | -",
                "false | the device is gone | lvms.topolvm.io/content: used | d1 | lost | the"
                        + " device is gone"
            })
    void aRawDeviceIsFreeUsedErasingLostOrUnavailable(
            boolean available,
            String reason,
            String annotations,
            String volume,
            String state,
            String shown) {
        var scene = scene(true).with(rawDevice("/dev/sdc", available, reason, annotations, volume));
        assertEquals(
                List.of(
                        List.of(
                                "n1",
                                "/dev/sdc",
                                "4GiB",
                                state,
                                volume.isEmpty() ? "-" : volume,
                                shown)),
                rows(scene, "rawDevices"));
    }

    @Test
    void aDeviceThatIsLostOrCannotBeErasedIsSaid() {
        var scene =
                scene(true)
                        .with(cluster("lvms-system", "{}"))
                        .with(
                                rawDevice(
                                        "/dev/sdc",
                                        false,
                                        "the device is gone",
                                        "lvms.topolvm.io/content: used",
                                        "d1"))
                        .with(
                                rawDevice(
                                        "/dev/sdd",
                                        false,
                                        "",
                                        "lvms.topolvm.io/content: used,"
                                                + " lvms.topolvm.io/erasure-failure: it is mounted",
                                        ""));
        assertEquals(
                List.of(
                        "ERROR node n1, raw device /dev/sdc: it is gone, and volume d1 has it",
                        "WARNING node n1, raw device /dev/sdd: it cannot be erased: it is mounted"),
                findings(scene));
    }

    @Test
    void aClusterInAnotherNamespaceOrASecondOneSaysWhatItsConditionSays() {
        var text = "a TopolvmCluster has to be in the namespace of the operator";
        var scene =
                scene(true)
                        .with(
                                cluster(
                                        "elsewhere",
                                        "{conditions: ["
                                                + condition(
                                                        "ResourcesAvailable", "SpecRejected", text)
                                                + "]}"));
        assertEquals(List.of("ERROR TopolvmCluster elsewhere/topolvm: " + text), findings(scene));
    }

    @Test
    void aBrokenSettingIsSaid() {
        var scene =
                scene(true)
                        .with(
                                cluster(
                                        "lvms-system",
                                        "{conditions: ["
                                                + condition(
                                                        "SettingsUnderstood",
                                                        "SettingsInPart",
                                                        "TOPOLVM_ENABLE is maybe")
                                                + "]}"));
        assertEquals(
                List.of("ERROR TopolvmCluster lvms-system/topolvm: TOPOLVM_ENABLE is maybe"),
                findings(scene));
    }

    @Test
    void anOperatorWithoutTheFlagDoesNothingForACluster() {
        var scene = scene(false).with(cluster("lvms-system", "{}"));
        assertEquals(
                List.of(
                        "ERROR TopolvmCluster lvms-system/topolvm: nothing is done for it: the"
                                + " operator runs without --nativestor"),
                findings(scene));
    }

    /** NativeStor's own, in its own namespace, is not ours to judge. */
    @Test
    void aClusterOfANativeStorElsewhereIsNoFinding() {
        var scene = scene(false).with(cluster("nativestor-system", "{phase: Ready}"));
        assertEquals(List.of(), findings(scene));
    }

    @Test
    void theFlagWithoutTheTypeIsSaid() {
        var found = findings(scene(true).withoutNativeStor());
        assertTrue(
                found.contains(
                        "ERROR operator: it runs with --nativestor, and the cluster does not know"
                                + " the type topolvmclusters.topolvm.cybozu.com"),
                found.toString());
    }

    @Test
    void aNodeOfTheClusterWithoutAnAgentIsSaid() {
        var scene =
                scene(true)
                        .node("n2", true, "0")
                        .with(
                                cluster(
                                        "lvms-system",
                                        "{nodeStorageState: [{node: n1}, {node: n2}]}"));
        assertEquals(
                List.of("ERROR node n2: it should have an agent, and there is no pod of one"),
                findings(scene));
    }
}
