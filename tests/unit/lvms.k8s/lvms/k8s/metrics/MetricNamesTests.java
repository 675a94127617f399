package lvms.k8s.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.admission.AdmissionAnswer;
import lvms.k8s.admission.AdmissionPages;
import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.tls.Authority;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Dashboards made for client-go and controller-runtime find what they ask for, and from the start.
 */
@Timeout(60)
@Behaviour(94)
@TestInstance(Lifecycle.PER_CLASS)
class MetricNamesTests {
    private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"");

    private final MetricsRegistry metrics = new MetricsRegistry();
    private FakeServer server;
    private KubeClient client;

    /** A process with one of each, which has made one request that was repeated once. */
    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        FakeServer.Script script =
                (_, reply) -> {
                    if (server.requests().size() == 1) {
                        reply.send(503, Bodies.status(503, "Busy", "no"), "Retry-After: 0");
                    } else {
                        reply.send(200, Bodies.configMap("a", "u", 1));
                    }
                };
        server = FakeServer.start(script);
        var config = KubeConfig.ofServer(URI.create("http://127.0.0.1:" + server.port()));
        client = KubeClient.open(config, "tests/1", metrics);
        client.get(Types.CONFIG_MAP, ObjectKey.of("ns", "a"));
        Controller.named("c", _ -> Result.done()).metrics(metrics).build();
        LeaderElector.of(client, ObjectKey.of("ns", "lease"), "me").close();
        EventRecorder.open(client, "example.com/tests", "me").close();
        new AdmissionPages(Map.of("/judge", _ -> AdmissionAnswer.allowed()), metrics);
        Authority.make("tests", Duration.ofDays(1))
                .server("hooks", List.of("localhost"), List.of())
                .save(folder, "tls");
        ServerTls.ofFolder(folder, () -> TlsBounds.DEFAULT).measure(metrics, "webhooks");
    }

    @AfterAll
    void close() throws Exception {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "controller_runtime_reconcile_total,                 counter,   controller result",
        "controller_runtime_reconcile_errors_total,          counter,   controller",
        "controller_runtime_terminal_reconcile_errors_total, counter,   controller",
        "controller_runtime_reconcile_panics_total,          counter,   controller",
        "controller_runtime_reconcile_timeouts_total,        counter,   controller",
        "controller_runtime_reconcile_time_seconds,          histogram, controller",
        "controller_runtime_max_concurrent_reconciles,       gauge,     controller",
        "controller_runtime_active_workers,                  gauge,     controller",
        "workqueue_depth,                                    gauge,     controller name priority",
        "workqueue_adds_total,                               counter,   controller name",
        "workqueue_retries_total,                            counter,   controller name",
        "workqueue_queue_duration_seconds,                   histogram, controller name",
        "workqueue_work_duration_seconds,                    histogram, controller name",
        "workqueue_unfinished_work_seconds,                  gauge,     controller name",
        "workqueue_longest_running_processor_seconds,        gauge,     controller name",
        "rest_client_requests_total,                         counter,   code host method",
        "rest_client_request_retries_total,                  counter,   code host verb",
        "rest_client_request_duration_seconds,               histogram, host verb",
        "rest_client_rate_limiter_duration_seconds,          histogram, host verb",
        "rest_client_request_size_bytes,                     histogram, host verb",
        "rest_client_response_size_bytes,                    histogram, host verb",
        "leader_election_master_status,                      gauge,     name",
        "leader_election_slowpath_total,                     counter,   name",
        "events_lost_total,                                  counter,   reason",
        "controller_runtime_webhook_requests_total,          counter,   code webhook",
        "controller_runtime_webhook_requests_in_flight,      gauge,     webhook",
        "controller_runtime_webhook_latency_seconds,         histogram, webhook",
        "certwatcher_read_certificate_total,                 counter,   ''",
        "certwatcher_read_certificate_errors_total,          counter,   ''"
    })
    void isThereWithItsTypeAndLabels(String name, String type, String labels) {
        var lines = metrics.text().lines().toList();
        assertTrue(lines.contains("# TYPE " + name + " " + type), name);
        var series =
                lines.stream()
                        .filter(line -> line.matches(name + "(_bucket|_sum|_count)?[{ ].*"))
                        .toList();
        boolean nobodyWaited = name.equals("rest_client_rate_limiter_duration_seconds");
        assertEquals(nobodyWaited, series.isEmpty(), name);
        for (var line : series) {
            var found = new TreeSet<String>();
            LABEL.matcher(line).results().forEach(label -> found.add(label.group(1)));
            found.remove("le");
            assertEquals(labels, String.join(" ", found), line);
        }
    }
}
