package lvms.deploy.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.deploy.monitoring.AlertCase.Series;
import lvms.tests.runner.Lasts;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Each alert fires when and where it has to, and nowhere else, and ends: in promtool's own test.
 * For half an hour all is well, for an hour it is not, and then it is again.
 */
@OursAlone("promtool asks no server")
@Lasts(seconds = 40)
class AlertTests {
    @TempDir private Path folder;

    /** A value that is another one during the bad hour. */
    private static Series turning(String name, String well, String bad) {
        return new Series(name, "%sx29 %sx59 %sx89".formatted(well, bad, well));
    }

    private static Series always(String name, String value) {
        return turning(name, value, value);
    }

    /** A counter that rises in the bad hour alone, each minute. */
    private static Series counting(String name) {
        return new Series(name, "0x29 0+1x59 59x89");
    }

    private static Series size(String node) {
        return always("topolvm_volumegroup_size_bytes" + of(node), "100");
    }

    private static Series available(String node, String well, String bad) {
        return turning("topolvm_volumegroup_available_bytes" + of(node), well, bad);
    }

    /** What makes a class a thin one. */
    private static Series thin(String node) {
        return always("topolvm_thinpool_overprovisioned_available" + of(node), "7");
    }

    private static Series data(String node, String well, String bad) {
        return turning("topolvm_thinpool_data_percent" + of(node), well, bad);
    }

    private static Series metadata(String node, String well, String bad) {
        return turning("topolvm_thinpool_metadata_percent" + of(node), well, bad);
    }

    private static String of(String node) {
        return "{node=\"%s\",device_class=\"a\"}".formatted(node);
    }

    private static final Map<String, String> CLASS = Map.of("node", "n1", "device_class", "a");
    private static final Map<String, String> NODE = Map.of("node", "n1");
    private static final String CERTIFICATE =
            "serving_certificate_expiration_timestamp_seconds{port=\"metrics\",pod=\"%s\"}";
    private static final String BEHIND =
            "informer_not_following{job=\"%s\",pod=\"%s\",name=\"pods\"}";
    private static final String LIVED =
            "jvm_memory_pool_collection_used_bytes{job=\"%s\",pod=\"%s\",pool=\"Tenured Gen\"}";
    private static final String HEAP =
            "jvm_memory_pool_max_bytes{job=\"%s\",pod=\"%s\",pool=\"Tenured Gen\"}";
    private static final String FAILURES = "lvms_volume_operation_failures_total";

    private static AlertCase failing(String alert, String operation, String other) {
        return AlertCase.of(
                alert,
                Map.of("node", "n1", "operation", operation),
                counting(FAILURES + "{node=\"n1\",operation=\"%s\"}".formatted(operation)),
                always(FAILURES + "{node=\"n2\",operation=\"%s\"}".formatted(operation), "5"),
                counting(FAILURES + "{node=\"n3\",operation=\"%s\"}".formatted(other)));
    }

    private static AlertCase gauge(
            String alert, String name, String well, String bad, String fine) {
        return AlertCase.of(
                alert, CLASS, turning(name + of("n1"), well, bad), always(name + of("n2"), fine));
    }

    private static Series commands(String node, String command, String bound, String values) {
        return new Series(
                "lvms_lvm_command_duration_seconds_bucket"
                        + "{node=\"%s\",command=\"%s\",le=\"%s\"}".formatted(node, command, bound),
                values);
    }

    private static AlertCase pending(String state) {
        var series = "lvms_volumes{node=\"%s\",device_class=\"a\",state=\"%s\"}";
        return AlertCase.of(
                "LVMSVolumesPending",
                Map.of("node", "n1", "device_class", "a", "state", state),
                turning(series.formatted("n1", state), "0", "1"),
                always(series.formatted("n2", "ready"), "9"),
                always(series.formatted("n2", "terminating"), "9"));
    }

    static final List<AlertCase> CASES =
            List.of(
                    AlertCase.of(
                            "VolumeGroupUsageAtThresholdNearFull",
                            CLASS,
                            size("n1"),
                            available("n1", "50", "20"),
                            size("n2"),
                            available("n2", "26", "25"),
                            size("n3"),
                            available("n3", "14", "14")),
                    AlertCase.of(
                            "VolumeGroupUsageAtThresholdNearFull",
                            CLASS,
                            size("n1"),
                            available("n1", "50", "15")),
                    AlertCase.of(
                            "VolumeGroupUsageAtThresholdNearFull",
                            CLASS,
                            size("n1"),
                            available("n1", "5", "5"),
                            thin("n1"),
                            data("n1", "75", "80"),
                            size("n2"),
                            available("n2", "5", "5"),
                            thin("n2"),
                            data("n2", "70", "70"),
                            size("n3"),
                            available("n3", "5", "5"),
                            thin("n3"),
                            data("n3", "90", "90"),
                            size("n4"),
                            available("n4", "20", "20"),
                            thin("n4")),
                    AlertCase.of(
                            "VolumeGroupUsageAtThresholdCritical",
                            CLASS,
                            size("n1"),
                            available("n1", "50", "10"),
                            size("n2"),
                            available("n2", "15", "15")),
                    AlertCase.of(
                            "VolumeGroupUsageAtThresholdCritical",
                            CLASS,
                            size("n1"),
                            available("n1", "5", "5"),
                            thin("n1"),
                            data("n1", "50", "90"),
                            size("n2"),
                            available("n2", "5", "5"),
                            thin("n2"),
                            data("n2", "85", "85"),
                            size("n3"),
                            available("n3", "5", "5"),
                            thin("n3")),
                    AlertCase.of(
                            "ThinPoolDataUsageAtThresholdNearFull",
                            CLASS,
                            data("n1", "75", "76"),
                            data("n2", "86", "86"),
                            metadata("n3", "80", "80")),
                    AlertCase.of(
                            "ThinPoolDataUsageAtThresholdNearFull", CLASS, data("n1", "20", "85")),
                    AlertCase.of(
                            "ThinPoolDataUsageAtThresholdCritical",
                            CLASS,
                            data("n1", "85", "85.1"),
                            metadata("n3", "90", "90")),
                    AlertCase.of(
                            "ThinPoolMetaDataUsageAtThresholdNearFull",
                            CLASS,
                            metadata("n1", "75", "80"),
                            data("n1", "90", "90"),
                            metadata("n2", "86", "86"),
                            data("n2", "50", "50")),
                    AlertCase.of(
                            "ThinPoolMetaDataUsageAtThresholdCritical",
                            CLASS,
                            metadata("n1", "85", "86"),
                            data("n3", "90", "90")),
                    gauge("LVMSRAIDDegraded", "lvms_raid_health_status", "0", "1", "2"),
                    gauge("LVMSRAIDFailed", "lvms_raid_health_status", "0", "2", "1"),
                    gauge("LVMSRAIDSyncSlow", "lvms_raid_sync_in_progress", "0", "1", "0"),
                    gauge("LVMSThinPoolRefusesVolumes", "lvms_thinpool_refuses", "0", "1", "0"),
                    AlertCase.of(
                            "LVMSVolumeGroupMetadataNearFull",
                            CLASS,
                            always("lvms_volumegroup_metadata_size_bytes" + of("n1"), "100"),
                            turning("lvms_volumegroup_metadata_used_bytes" + of("n1"), "20", "81"),
                            always("lvms_volumegroup_metadata_size_bytes" + of("n2"), "100"),
                            always("lvms_volumegroup_metadata_used_bytes" + of("n2"), "80")),
                    gauge("LVMSUnclaimedVolumes", "lvms_unclaimed_volumes", "0", "3", "0"),
                    gauge("LVMSMissingVolumes", "lvms_missing_volumes", "0", "1", "0"),
                    failing("LVMSVolumeCreationFailing", "create", "grow"),
                    failing("LVMSVolumeGrowthFailing", "grow", "remove"),
                    failing("LVMSVolumeRemovalFailing", "remove", "create"),
                    pending("pending"),
                    pending("growing"),
                    AlertCase.of(
                            "LVMSDriverNotRegistered",
                            NODE,
                            turning("lvms_kubelet_registered{node=\"n1\"}", "1", "0"),
                            always("lvms_kubelet_registered{node=\"n2\"}", "1")),
                    AlertCase.of(
                            "LVMSWorkerDeaths",
                            NODE,
                            counting("lvms_lvm_worker_deaths_total{node=\"n1\"}"),
                            new Series("lvms_lvm_worker_deaths_total{node=\"n2\"}", "0x29 1x149")),
                    AlertCase.of(
                            "LVMSCommandsSlow",
                            NODE,
                            commands("n1", "vgs", "10", "0+60x29 1740x59 1740+60x89"),
                            commands("n1", "vgs", "30", "0+60x29 1740+60x59 5280+60x89"),
                            commands("n1", "vgs", "+Inf", "0+60x29 1740+60x59 5280+60x89"),
                            commands("n2", "vgs", "10", "0+57x179"),
                            commands("n2", "vgs", "30", "0+60x179"),
                            commands("n2", "vgs", "+Inf", "0+60x179"),
                            commands("n3", "pvmove", "10", "0x179"),
                            commands("n3", "pvmove", "30", "0+60x179"),
                            commands("n3", "pvmove", "+Inf", "0+60x179")),
                    AlertCase.of(
                            "LVMSAgentDown",
                            Map.of("node", "n1", "job", "vg-manager-metrics-service"),
                            turning("up{job=\"vg-manager-metrics-service\",node=\"n1\"}", "1", "0"),
                            always("up{job=\"vg-manager-metrics-service\",node=\"n2\"}", "1"),
                            always("up{job=\"another\",node=\"n3\"}", "0")),
                    AlertCase.of(
                            "LVMSOperatorDown",
                            Map.of(),
                            turning(
                                    "up{job=\"lvms-operator-metrics-service\",pod=\"a\"}",
                                    "1",
                                    "0"),
                            always("up{job=\"lvms-operator-metrics-service\",pod=\"b\"}", "0")),
                    AlertCase.of(
                            "LVMSCertificateEnds",
                            Map.of("port", "metrics", "pod", "a"),
                            turning(CERTIFICATE.formatted("a"), "900000", "80000"),
                            always(CERTIFICATE.formatted("b"), "900000")),
                    AlertCase.of(
                            "LVMSCacheBehind",
                            Map.of(
                                    "job", "vg-manager-metrics-service",
                                    "pod", "a",
                                    "name", "pods"),
                            turning(BEHIND.formatted("vg-manager-metrics-service", "a"), "0", "1"),
                            always(BEHIND.formatted("vg-manager-metrics-service", "b"), "0"),
                            always(BEHIND.formatted("another", "c"), "1")),
                    AlertCase.of(
                            "LVMSHeapNearFull",
                            Map.of(
                                    "job", "lvms-operator-metrics-service",
                                    "pod", "a",
                                    "pool", "Tenured Gen"),
                            turning(
                                    LIVED.formatted("lvms-operator-metrics-service", "a"),
                                    "84",
                                    "86"),
                            always(HEAP.formatted("lvms-operator-metrics-service", "a"), "100"),
                            always(LIVED.formatted("lvms-operator-metrics-service", "b"), "84"),
                            always(HEAP.formatted("lvms-operator-metrics-service", "b"), "100"),
                            always(LIVED.formatted("another", "c"), "99"),
                            always(HEAP.formatted("another", "c"), "100")),
                    AlertCase.of(
                            "LVMSProvisioningFailing",
                            Map.of("class", "fast"),
                            counting(
                                    "controller_persistentvolumeclaim_provision_failed_total"
                                            + "{class=\"fast\",source=\"\"}"),
                            new Series(
                                    "controller_persistentvolumeclaim_provision_failed_total"
                                            + "{class=\"slow\",source=\"\"}",
                                    "0x29 1x59 2x89")));

    @Test
    void promtoolAcceptsTheRules() throws Exception {
        var rules = Rules.read();
        var checked = Tool.promtool("", "check", "rules", rules.save(folder).toString()).require();
        assertTrue(checked.contains("SUCCESS: " + rules.alerts().size() + " rules"), checked);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "VolumeGroupUsageAtThresholdNearFull, warning, 5",
        "VolumeGroupUsageAtThresholdCritical, critical, 5",
        "ThinPoolDataUsageAtThresholdNearFull, warning, 5",
        "ThinPoolDataUsageAtThresholdCritical, critical, 5",
        "ThinPoolMetaDataUsageAtThresholdNearFull, warning, 5",
        "ThinPoolMetaDataUsageAtThresholdCritical, critical, 5",
        "LVMSRAIDDegraded, critical, 1",
        "LVMSRAIDFailed, critical, 1",
        "LVMSRAIDSyncSlow, warning, 30"
    })
    void keepsWhatLvmsHad(String name, String severity, int minutes) throws Exception {
        var alert = Rules.read().alert(name);
        assertEquals(severity, alert.severity());
        assertEquals(minutes, alert.minutes());
    }

    @Test
    void eachAlertHasACase() throws Exception {
        assertEquals(
                Rules.read().alerts().stream().map(Rules.Alert::name).collect(Collectors.toSet()),
                CASES.stream().map(AlertCase::alert).collect(Collectors.toSet()));
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("CASES")
    void firesForOneAndEnds(AlertCase tested) throws Exception {
        var rules = Rules.read();
        rules.save(folder);
        var alert = rules.alert(tested.alert());
        Tool.promtool("", "test", "rules", tested.save(folder, alert).toString()).require();
    }
}
