package lvms.deploy.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.deploy.monitoring.AlertCase.Series;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The alerts that users of NativeStor know fire when and where they have to, and end. */
@OursAlone("promtool asks no server")
class NativeStorAlertTests {
    private static final Map<String, String> CLASS = Map.of("node", "n1", "device_class", "a");
    private static final Series[] NONE = {};

    @TempDir private Path folder;

    /** One that is another one during the bad hour. */
    private static Series turning(String name, String well, String bad) {
        return new Series(name, "%sx29 %sx59 %sx89".formatted(well, bad, well));
    }

    private static Series[] group(String node, String well, String bad) {
        var of = "{node=\"%s\",device_class=\"a\"}".formatted(node);
        return new Series[] {
            turning("topolvm_volumegroup_size_bytes" + of, "100", "100"),
            turning("topolvm_volumegroup_available_bytes" + of, well, bad)
        };
    }

    /** A pool of an LVMCluster takes its whole volume group from the beginning. */
    private static Series[] thin(String node) {
        var of = "{node=\"%s\",device_class=\"a\"}".formatted(node);
        var group = group(node, "1", "1");
        var pool = turning("topolvm_thinpool_overprovisioned_available" + of, "7", "7");
        return new Series[] {group[0], group[1], pool};
    }

    private static AlertCase health(String alert, String metric, String label) {
        var series = metric + "{" + label + "=\"%s\"}";
        return AlertCase.of(
                        alert,
                        Map.of(label, "bad"),
                        turning(series.formatted("bad"), "0", "1"),
                        turning(series.formatted("good"), "0", "0"))
                .value("1");
    }

    private static AlertCase usage(String alert, String value, Series[]... groups) {
        var series = Arrays.stream(groups).flatMap(Arrays::stream).toList();
        return AlertCase.of(alert, CLASS, series.toArray(NONE)).value(value);
    }

    /** A node with a device that gets into this state, and another one with one that does not. */
    private static AlertCase rawDevices(String alert, String state) {
        var series = "lvms_raw_devices{node=\"%s\",state=\"%s\"}";
        return AlertCase.of(
                        alert,
                        Map.of("node", "n1", "state", state),
                        turning(series.formatted("n1", state), "0", "1"),
                        turning(series.formatted("n2", "unavailable"), "1", "1"))
                .value("1");
    }

    static final List<AlertCase> CASES =
            List.of(
                    usage(
                            "volume.group.usage.near.full",
                            "0.8",
                            group("n1", "25", "20"),
                            group("n2", "26", "26"),
                            thin("n3")),
                    usage(
                            "volume.group.usage.critical",
                            "0.9",
                            group("n1", "15", "10"),
                            group("n2", "16", "16"),
                            thin("n3")),
                    health(
                            "topolvm.cluster.unavailable",
                            "topolvm_health_cluster_status",
                            "cluster_name"),
                    health("topolvm.node.unavailable", "topolvm_health_node_status", "node_name"),
                    rawDevices("LVMSRawDeviceLost", "lost"),
                    rawDevices("LVMSRawDeviceNotErased", "unerased"));

    @Test
    void promtoolAcceptsTheRules() throws Exception {
        var rules = Rules.read(Rules.NATIVESTOR).save(folder).toString();
        var checked = Tool.promtool("", "check", "rules", rules).require();
        assertTrue(checked.contains("SUCCESS: 6 rules"), checked);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "volume.group.usage.near.full, Medium, volume group usage near full",
        "volume.group.usage.critical, High, volume group usage critical",
        "topolvm.cluster.unavailable, Critical, cluster unavailable",
        "topolvm.node.unavailable, Critical, node unavailable",
        "LVMSRawDeviceLost, Critical, raw device of a volume lost",
        "LVMSRawDeviceNotErased, Medium, raw device cannot be erased"
    })
    void keepsWhatReceiversMatch(String name, String severity, String summary) throws Exception {
        var alert = Rules.read(Rules.NATIVESTOR).alert(name);
        assertEquals(severity, alert.severity());
        assertEquals(summary, alert.annotations().get("summary"));
        assertEquals("[]", alert.annotations().get("alert_notifications"));
        assertEquals("{{ $value }}", alert.annotations().get("alert_current_value"));
        assertEquals(
                alert.annotations().get("description"), alert.labels().get("alert_description"));
    }

    @Test
    void eachAlertHasACase() throws Exception {
        assertEquals(
                Rules.read(Rules.NATIVESTOR).alerts().stream()
                        .map(Rules.Alert::name)
                        .collect(Collectors.toSet()),
                CASES.stream().map(AlertCase::alert).collect(Collectors.toSet()));
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("CASES")
    void firesForOneAndEnds(AlertCase tested) throws Exception {
        var rules = Rules.read(Rules.NATIVESTOR);
        rules.save(folder);
        var alert = rules.alert(tested.alert());
        Tool.promtool("", "test", "rules", tested.save(folder, alert).toString()).require();
    }
}
