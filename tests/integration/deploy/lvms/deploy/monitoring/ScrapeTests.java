package lvms.deploy.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.k8s.health.HealthServer;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.serving.TokenGate;
import lvms.k8s.tls.Authority;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an operator and a node agent serve is what the alerts and the dashboards ask for, and
 * Prometheus takes it: over HTTPS, with a token, from processes that do some work on a loop device.
 */
@OursAlone("a real server does not know the tokens that this one issues")
@Timeout(240)
@Lasts(seconds = 30)
class ScrapeTests {
    /** Prometheus gives this one itself. */
    private static final Set<String> OF_PROMETHEUS = Set.of("up");

    @TempDir private static Path folder;
    private static LoopDisks disks;
    private static Cluster cluster;
    private static Prometheus prometheus;
    private static final List<HttpListener> LISTENERS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(LoopDisks.possible(), "needs root and loop devices");
        disks = new LoopDisks(folder);
        var disk = disks.add(64 << 20);
        cluster = new Cluster(folder, disks.lvm());
        cluster.use(disk);
        serve();
    }

    private static void serve() throws Exception {
        var authority = Authority.make("metrics", Duration.ofDays(1));
        Files.writeString(folder.resolve("ca.crt"), authority.pem());
        Files.writeString(folder.resolve("token"), cluster.server().issueToken("prometheus"));
        authority.server("metrics", List.of("localhost"), List.of()).save(folder, "tls");
        var tls = ServerTls.ofFolder(folder, () -> TlsBounds.DEFAULT);
        var gate = TokenGate.of(cluster.kube());
        var targets = new HashMap<String, Integer>();
        for (var process : cluster.registries().entrySet()) {
            tls.measure(process.getValue(), "metrics");
            var listener =
                    HttpListener.start(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            Limits.CALLERS,
                            Optional.of(tls),
                            gate.before(HealthServer.metricsPage(process.getValue())));
            LISTENERS.add(listener);
            targets.put(process.getKey(), listener.address().getPort());
        }
        prometheus = Prometheus.start(folder, targets);
        for (var job : targets.keySet()) {
            Cluster.await("Prometheus scrapes " + job, () -> prometheus.scrapes(job));
        }
    }

    @AfterAll
    static void end() throws Exception {
        if (prometheus != null) {
            prometheus.close();
        }
        LISTENERS.forEach(HttpListener::close);
        if (cluster != null) {
            cluster.tidy();
            cluster.close();
        }
        if (disks != null) {
            disks.close();
        }
    }

    @Test
    void promtoolFindsNothingWrongThatIsOurs() throws Exception {
        var found = new TreeSet<String>();
        for (var page : cluster.pages()) {
            Tool.promtool(page, "check", "metrics").output().lines().forEach(found::add);
        }
        assertEquals(Set.of(), found);
    }

    @Test
    void promtoolWouldFindWhatIsWrong() throws Exception {
        var found = Tool.promtool("# HELP b A.\n# TYPE b counter\nb 1\n", "check", "metrics");
        assertTrue(found.output().contains("_total"), found.output());
    }

    /** Returns the names of all series that there are or can be, by the types on the pages. */
    private static Set<String> served() {
        return cluster.pages().stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" "))
                .flatMap(words -> names(words[2], words[3]))
                .collect(Collectors.toSet());
    }

    /** Returns the names of the series of a family. */
    static Stream<String> names(String family, String type) {
        return switch (type) {
            case "histogram" -> Stream.of(family + "_bucket", family + "_count", family + "_sum");
            case "summary" -> Stream.of(family + "_count", family + "_sum");
            default -> Stream.of(family);
        };
    }

    private static List<String> expressions() throws Exception {
        return Stream.of(
                        Expressions.ofAlerts(),
                        Expressions.ofNativeStor(),
                        Expressions.ofDashboards())
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void everySeriesThatAnAlertOrADashboardNamesIsServed() throws Exception {
        var known = served();
        for (var expression : expressions()) {
            var asked = Expressions.names(expression);
            assertFalse(asked.isEmpty(), expression);
            asked.removeAll(OF_PROMETHEUS);
            asked.removeAll(known);
            assertEquals(Set.of(), asked, expression);
        }
    }

    @Test
    void prometheusEvaluatesEveryExpression() throws Exception {
        for (var expression : expressions()) {
            prometheus.query(expression.replace("$device_class", ".*").replace("$node", "n1"));
        }
        var rules =
                prometheus.get("rules").objects("data", "groups").stream()
                        .flatMap(group -> group.objects("rules").stream())
                        .toList();
        assertEquals(Rules.read().alerts().size(), rules.size());
        Cluster.await("all rules were evaluated", () -> unhealthy().isEmpty());
    }

    private static List<ObjectTree> unhealthy() throws Exception {
        return prometheus.get("rules").objects("data", "groups").stream()
                .flatMap(group -> group.objects("rules").stream())
                .filter(rule -> !rule.text("health").orElse("").equals("ok"))
                .toList();
    }

    /** A volume group of 64 MiB, with a volume that was made and has grown to 12. */
    @Test
    void prometheusKnowsWhatHasHappened() throws Exception {
        assertEquals(60 << 20, value("topolvm_volumegroup_size_bytes"));
        Cluster.await(
                "the capacity is reported",
                () -> value("topolvm_volumegroup_available_bytes") == 48 << 20);
        assertEquals(48 << 20, value("lvms_capacity_bytes"));
        assertEquals(1, value("lvms_volumes{state=\"ready\"}"));
        assertEquals(1, value("lvms_volume_operations_total{operation=\"create\"}"));
        assertEquals(1, value("lvms_volume_operations_total{operation=\"grow\"}"));
        assertEquals(1, value("sum(lvms_volume_operation_failures_total)"));
        assertEquals(1, value("lvms_volumes{state=\"failed\",device_class=\"\"}"));
        assertEquals(0, value("lvms_kubelet_registered"));
        assertEquals(1, value("lvms_lvm_engine{engine=\"exec\"}"));
        assertTrue(value("lvms_lvm_command_duration_seconds_count{command=\"lvcreate\"}") >= 1);
        assertEquals(2, value("lvms_volume_event_lag_seconds_count"));
        assertEquals(2, value("count(lvms_build_info{version=\"test\",commit=\"unknown\"})"));
        assertEquals(2, value("count(jvm_memory_used_bytes{area=\"heap\"})"));
        assertEquals(1, value("leader_election_master_status"));
        assertEquals(1, value("lvms_raw_devices{node=\"n1\",state=\"available\"}"));
        assertEquals(0, value("lvms_raw_devices{state=\"lost\"}"));
        assertEquals(Cluster.RAW_BYTES, value("lvms_raw_device_available_bytes"));
    }

    /** What a person compares when a number of a dashboard is in doubt. */
    @Test
    void theGaugesOfTheGroupAreWhatVgsSays() throws Exception {
        var line =
                LoopDisks.run(
                        "vgs",
                        "--noheadings",
                        "--units=b",
                        "--nosuffix",
                        "--options=vg_size,vg_free",
                        Cluster.GROUP);
        var bytes = line.strip().split(" +");
        assertEquals(Long.parseLong(bytes[0]), value("topolvm_volumegroup_size_bytes"));
        Cluster.await(
                "the free space is " + bytes[1],
                () -> value("topolvm_volumegroup_available_bytes") == Long.parseLong(bytes[1]));
    }

    private static double value(String expression) throws Exception {
        var result = prometheus.query(expression);
        assertEquals(1, result.size(), () -> expression + ": " + result);
        return Double.parseDouble(result.getFirst().texts("value").getLast());
    }
}
