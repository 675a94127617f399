package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a dashboard or an alert for LVMS or TopoLVM asks for is there, by name, type and labels. The
 * page is made of the code, which another test checks.
 */
class CompatibleMetricsTests {
    private static final Path PAGE = Path.of("docs/reference.md");

    private static List<String> rows(String metric) throws Exception {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `" + metric + "` |"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "lvms_raid_health_status,                      gauge,     node device_class",
        "lvms_raid_sync_in_progress,                   gauge,     node device_class",
        "lvms_raid_member_count,                       gauge,     node device_class",
        "lvms_raid_degraded_count,                     gauge,     node device_class",
        "lvms_raid_sync_percent,                       gauge,     node device_class",
        "topolvm_volumegroup_available_bytes,          gauge,     node device_class",
        "topolvm_volumegroup_size_bytes,               gauge,     node device_class",
        "topolvm_health_cluster_status,                gauge,     cluster_name",
        "topolvm_health_node_status,                   gauge,     node_name",
        "topolvm_thinpool_size_bytes,                  gauge,     node device_class",
        "topolvm_thinpool_data_percent,                gauge,     node device_class",
        "topolvm_thinpool_metadata_percent,            gauge,     node device_class",
        "topolvm_thinpool_overprovisioned_available,   gauge,     node device_class",
        "csi_plugin_operations_seconds, histogram, driver_name method_name grpc_status_code",
        "csi_sidecar_operations_seconds, histogram, driver_name method_name grpc_status_code",
        "controller_persistentvolume_delete_total,     counter,   class",
        "controller_persistentvolume_delete_duration_seconds, histogram, class",
        "csistoragecapacities_desired_goal,            gauge,     ''",
        "csistoragecapacities_desired_current,         gauge,     ''",
        "csistoragecapacities_obsolete,                gauge,     ''",
        "controller_runtime_reconcile_total,           counter,   controller result",
        "controller_runtime_reconcile_errors_total,    counter,   controller",
        "controller_runtime_reconcile_time_seconds,    histogram, controller",
        "controller_runtime_max_concurrent_reconciles, gauge,     controller",
        "controller_runtime_active_workers,            gauge,     controller",
        "workqueue_depth,                              gauge,     name controller priority",
        "workqueue_adds_total,                         counter,   name controller",
        "workqueue_queue_duration_seconds,             histogram, name controller",
        "workqueue_work_duration_seconds,              histogram, name controller",
        "workqueue_unfinished_work_seconds,            gauge,     name controller",
        "workqueue_longest_running_processor_seconds,  gauge,     name controller",
        "workqueue_retries_total,                      counter,   name controller",
        "rest_client_requests_total,                   counter,   code method host",
        "leader_election_master_status,                gauge,     name",
        "process_cpu_seconds_total,                    counter,   ''",
        "process_resident_memory_bytes,                gauge,     ''",
        "process_virtual_memory_bytes,                 gauge,     ''",
        "process_open_fds,                             gauge,     ''",
        "process_max_fds,                              gauge,     ''",
        "process_start_time_seconds,                   gauge,     ''"
    })
    void aMetricOfThePredecessorsIsThere(String metric, String type, String labels)
            throws Exception {
        var rows = rows(metric);
        assertEquals(1, rows.size(), metric);
        var cells = rows.getFirst().split(" *\\| *");
        assertEquals(type, cells[2]);
        var shown = cells[3].replace("`", "").replace(",", "");
        assertEquals(labels, shown);
    }
}
