package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Drivers;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
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

import java.nio.file.Path;

/** A real API server at an address of IPv6, in a cluster whose services have no others. */
@FullOnly("a control plane of its own; the client reads addresses of IPv6 in unit tests")
@Timeout(300)
class Ipv6ServerTests {
    private static final ObjectKey AGENTS = ObjectKey.of(NAMESPACE, "vg-manager");

    @TempDir private Path folder;
    private ControlPlane plane;
    private Admin admin;
    private KubeClient root;

    @BeforeEach
    void start() throws Exception {
        plane = ControlPlane.options(Programs.find(), folder.resolve("plane")).ofIpv6().start();
        admin = new Admin(plane.kubeconfig(), folder);
        root = admin.client("test");
    }

    @AfterEach
    void stop() throws Exception {
        if (root != null) {
            root.close();
        }
        if (plane != null) {
            plane.close();
        }
    }

    @Test
    void theManifestsAreAcceptedAndTheOperatorMakesTheAgents() throws Exception {
        assertTrue(plane.server().getHost().startsWith("["), plane.server()::toString);
        Patience.until("services have addresses of IPv6", this::hasService);
        admin.succeed("apply", "--kustomize=deploy/guard");
        admin.succeed("apply", "--kustomize=deploy");
        try (var own = admin.account("lvms-operator").client("lvms-operator");
                var operator = operator(own)) {
            operator.start();
            Patience.until("it follows the cluster", operator::ready);
            admin.succeed("apply", "--filename=deploy/samples/lvmcluster.yaml");
            Patience.until(
                    "the agents are made", () -> root.find(Types.DAEMON_SET, AGENTS).isPresent());
        }
    }

    private boolean hasService() throws Exception {
        return root.find(Types.SERVICE, ObjectKey.of("default", "kubernetes"))
                .flatMap(service -> service.text("spec", "clusterIP"))
                .filter("fd00:10:96::1"::equals)
                .isPresent();
    }

    private static ClusterOperator operator(KubeClient own) {
        var settings = ClusterSettings.of(NAMESPACE, "operator-0").image("localhost/lvms:test");
        var informers = OperatorInformers.of(own, Drivers.DEFAULT, NAMESPACE);
        return new ClusterOperator(own, settings, informers, new MetricsRegistry());
    }
}
