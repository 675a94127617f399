package lvms.deploy.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.deploy.Admin;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What {@code deploy/monitoring} has for the operator of Prometheus is what its types take, by
 * their definitions of version 0.85.0, and it may come before them.
 */
@Timeout(240)
@Lasts(seconds = 30)
class PrometheusTypesTests {
    private static final Path DEFINITIONS =
            Path.of(System.getProperty("lvms.cache"), "prometheus", "definitions-v0.85.0");
    private static final String MONITOR = "servicemonitor/lvms-operator-metrics-monitor";
    private static final String RULES = "prometheusrule/prometheus-lvmo-rules";

    @TempDir private Path directory;
    private ApiServer server;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        assumeTrue(Files.isDirectory(DEFINITIONS), "there was no Go to fetch the definitions");
        server = Servers.start();
        admin = new Admin(server.kubeconfig(directory), directory);
        admin.succeed("create", "namespace", "lvms-system");
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    private void define() throws Exception {
        admin.succeed("apply", "--server-side", "--filename=" + DEFINITIONS);
        Cluster.await("the types are served", () -> isListed("servicemonitors"));
        Cluster.await("the types are served", () -> isListed("prometheusrules"));
    }

    private void undefine() throws Exception {
        admin.succeed("delete", "--filename=" + DEFINITIONS, "--ignore-not-found");
        Cluster.await("the types are gone", () -> !isListed("servicemonitors"));
        Cluster.await("the types are gone", () -> !isListed("prometheusrules"));
    }

    private boolean isListed(String resource) throws IOException, InterruptedException {
        return newcomer().run("get", resource, "--all-namespaces").code() == 0;
    }

    private Admin.Run apply(String folder, String validation)
            throws IOException, InterruptedException {
        return newcomer().run("apply", "--validate=" + validation, "--kustomize=" + folder);
    }

    /** Whose kubectl remembers nothing of what the server has had. */
    private Admin newcomer() throws IOException {
        return new Admin(
                server.kubeconfig(directory), Files.createTempDirectory(directory, "home"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deploy/monitoring",
                "deploy/monitoring/own-certificates",
                "deploy/monitoring/openshift"
            })
    void theTypesTakeAllThatIsInTheFolder(String folder) throws Exception {
        define();
        var run = apply(folder, "strict");
        assertEquals(0, run.code(), run.output());
        assertTrue(!run.output().contains("Warning"), run.output());
        admin.succeed("get", "--namespace=lvms-system", MONITOR, RULES);
    }

    @Test
    void theTypesTakeTheAlertsOfNativeStor() throws Exception {
        define();
        var run = apply("deploy/monitoring/nativestor", "strict");
        assertEquals(0, run.code(), run.output());
        assertTrue(!run.output().contains("Warning"), run.output());
        admin.succeed("get", "--namespace=lvms-system", "prometheusrule/topolvm-alert");
    }

    @Test
    void aFieldThatTheTypesDoNotKnowIsRefused() throws Exception {
        define();
        var wrong =
                Files.writeString(
                        directory.resolve("wrong.yaml"),
                        """
                        apiVersion: monitoring.coreos.com/v1
                        kind: ServiceMonitor
                        metadata: {name: wrong, namespace: lvms-system}
                        spec:
                          selector: {}
                          endpoints: [{port: https, noSuchField: true}]
                        """);
        var run = admin.run("apply", "--validate=strict", "--filename=" + wrong);
        assertEquals(1, run.code(), run.output());
        assertTrue(run.output().contains("noSuchField"), run.output());
    }

    /** All else is there by then, so that to apply it once more is all that is left to do. */
    @Test
    void typesThatAppearLaterNeedNothingButTheSameCommandAgain() throws Exception {
        undefine(); // a real server keeps them for the next test
        var before = apply("deploy/monitoring", "ignore");
        assertEquals(1, before.code(), before.output());
        for (var kind : new String[] {"ServiceMonitor", "PrometheusRule"}) {
            var missing = "no matches for kind \"" + kind + "\"";
            assertTrue(before.output().contains(missing), before.output());
        }
        admin.succeed(
                "get",
                "--namespace=lvms-system",
                "service/lvms-operator-metrics-service",
                "service/vg-manager-metrics-service",
                "networkpolicy/lvms-metrics");
        define();
        var after = apply("deploy/monitoring", "ignore");
        assertEquals(0, after.code(), after.output());
        admin.succeed("get", "--namespace=lvms-system", MONITOR, RULES);
    }
}
