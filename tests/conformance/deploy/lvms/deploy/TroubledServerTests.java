package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Drivers;
import lvms.api.LvmCluster;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Condition;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.operator.ClusterOperator;
import lvms.operator.cluster.ClusterSettings;
import lvms.operator.informer.OperatorInformers;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the operator meets at a real API server that somebody broke: it says so once, and goes on by
 * itself when that is mended.
 */
@Timeout(300)
@FullOnly("servers of its own; unit tests hold how each trouble is told")
class TroubledServerTests {
    private static final ObjectKey CLUSTER = ObjectKey.of(NAMESPACE, "lvmcluster");
    private static final ObjectKey AGENTS = ObjectKey.of(NAMESPACE, "vg-manager");

    @TempDir private Path folder;
    private ControlPlane plane;
    private Admin admin;
    private KubeClient root;
    private KubeClient own;
    private ClusterOperator operator;
    private LogLines log;

    @BeforeEach
    void start() throws Exception {
        log = new LogLines();
        plane = ControlPlane.options(Programs.find(), folder.resolve("plane")).start();
        admin = new Admin(plane.kubeconfig(), folder);
        root = admin.client("test");
        admin.succeed("apply", "--kustomize=deploy/guard");
        admin.succeed("apply", "--kustomize=deploy");
        own = admin.account("lvms-operator").client("lvms-operator");
        var settings = ClusterSettings.of(NAMESPACE, "operator-0").image("localhost/lvms:test");
        operator =
                new ClusterOperator(
                        own,
                        settings,
                        OperatorInformers.of(own, Drivers.DEFAULT, NAMESPACE),
                        new MetricsRegistry());
        operator.start();
        Patience.until("it follows the cluster", operator::ready);
    }

    @AfterEach
    void stop() throws Exception {
        if (operator != null) {
            operator.close();
            own.close();
        }
        if (root != null) {
            root.close();
        }
        if (plane != null) {
            plane.close();
        }
        log.close();
    }

    private void createCluster() throws Exception {
        admin.succeed("apply", "--filename=deploy/samples/lvmcluster-every-free-disk.yaml");
    }

    private Optional<Condition> resources() throws Exception {
        return root.get(LvmCluster.TYPE, CLUSTER).condition("ResourcesAvailable");
    }

    private boolean hasAgents() throws Exception {
        return root.find(Types.DAEMON_SET, AGENTS).isPresent();
    }

    @Test
    void anExpiredCertificateIsNamedOnceWithItsDate() throws Exception {
        plane.restartWithCertificate(true);
        Patience.until("it says so", () -> !log.with("expired at").isEmpty());
        var line = log.with("expired at").getFirst();
        assertTrue(
                line.matches(
                        "API server cannot be reached server=https://\\S+ .*the server's"
                                + " certificate CN=.* expired at \\d{4}-\\d\\d-\\d\\dT.*Z"),
                line);
        plane.restartWithCertificate(false);
        createCluster();
        Patience.until("it goes on", this::hasAgents);
        assertEquals(1, log.with("expired at").size(), log.all().toString());
    }

    @Test
    void rightsThatAreTakenAwayAreMissedAloudAndUsedAgainWhenTheyAreBack() throws Exception {
        createCluster();
        Patience.until("it works", this::hasAgents);
        Bindings.empty(admin::succeed, "lvms-operator");
        // A watch that is open stays open; a new one is refused, and so is every write.
        plane.kill();
        plane.restart();
        root.delete(Types.DAEMON_SET, AGENTS, DeleteOptions.any());
        Patience.until("it says so", () -> !log.with("resource \"daemonsets\"").isEmpty());
        admin.succeed("apply", "--kustomize=deploy/guard");
        admin.succeed("apply", "--kustomize=deploy");
        Patience.until("it makes the agents again", this::hasAgents);
        for (var resource : new String[] {"daemonsets", "lvmclusters", "storageclasses"}) {
            var lines = log.with("resource \"" + resource + "\"");
            assertTrue(lines.size() <= 2, lines.toString());
        }
        assertTrue(log.all().size() < 30, log.all().toString());
    }

    @Test
    void snapshotsAreTakenUpWhenTheirTypesAppear() throws Exception {
        createCluster();
        Patience.until("it works without snapshots", this::hasAgents);
        plane.applySnapshotDefinitions();
        Patience.until(
                "the class of snapshots is there",
                () ->
                        root.find(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster("lvms-vg1"))
                                .isPresent());
        assertEquals(List.of(), log.with("volumesnapshot"));
    }

    @Test
    void aWriteThatIsRefusedIsInTheStatus() throws Exception {
        var role = admin.succeed("get", "clusterrole", "lvms-operator", "--output=json");
        var whole = Json.parse(role).asObject();
        var verbs = ListTree.ofTexts(List.of("list", "watch"));
        var rules =
                whole.objects("rules").stream()
                        .map(
                                rule ->
                                        rule.toString().contains("csidrivers")
                                                ? rule.with(verbs, "verbs")
                                                : rule)
                        .toList();
        var narrowed = whole.with(ListTree.of(rules), "rules");
        var file = Files.writeString(folder.resolve("role.json"), narrowed.toString());
        admin.succeed("replace", "--filename=" + file);
        createCluster();
        Patience.until(
                "the status says so",
                () -> resources().filter(c -> c.message().contains("csiDriver: ")).isPresent());
        var message = resources().orElseThrow().message();
        assertTrue(message.contains("cannot patch resource \"csidrivers\""), message);
        admin.succeed("apply", "--kustomize=deploy/guard");
        admin.succeed("apply", "--kustomize=deploy");
        Patience.until(
                "the driver is there",
                () -> root.find(Types.CSI_DRIVER, ObjectKey.cluster("topolvm.io")).isPresent());
        assertEquals(List.of(), log.with("unit failed"));
    }
}
