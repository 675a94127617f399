package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.WatchOptions;
import lvms.k8s.client.WatchStream;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.AuditedRequest;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A real API server can be had alone, and fails on demand as one in the field does. */
@Timeout(300)
@ParameterizedClass(name = "Kubernetes {0}")
@ValueSource(strings = {Programs.NEWEST, Programs.OLDEST})
@Lasts(seconds = 60)
@FullOnly("tests of the test cluster itself; all suites need it")
class ControlPlaneTests {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private static Path folder;
    private static ControlPlane plane;
    private static KubeClient admin;

    private final String version;

    ControlPlaneTests(String version) {
        this.version = version;
    }

    @BeforeParameterizedClassInvocation
    static void start(String version) throws Exception {
        var options = ControlPlane.options(Programs.find(), folder.resolve(version));
        plane = options.kubernetes(version).withAudit().start();
        admin = client(plane.kubeconfig());
    }

    @AfterParameterizedClassInvocation
    static void end() throws Exception {
        admin.close();
        plane.close();
    }

    private static KubeClient client(Path kubeconfig) throws Exception {
        return KubeClient.open(KubeConfig.load(Optional.of(kubeconfig)), "tests")
                .withFieldManager("tests");
    }

    private KubeObject configMap(String name) throws Exception {
        var key = ObjectKey.of("default", name);
        return admin.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, key));
    }

    @Test
    void isTheVersionAskedForAndObeysRoles() throws Exception {
        assertEquals("v" + version, admin.serverVersion());
        try (var nobody = client(plane.kubeconfig("nobody", "nothing"))) {
            assertThrows(
                    ApiException.Forbidden.class,
                    () -> nobody.list(Types.CONFIG_MAP, ListOptions.all()));
        }
        try (var reader = client(plane.kubeconfig("lvms:reader", "system:masters"))) {
            assertTrue(reader.list(Types.NODE, ListOptions.all()).items().isEmpty());
        }
    }

    @Test
    void aKubeletMayWriteItsOwnNodeAlone() throws Exception {
        plane.saveKubelet(folder.resolve("node1"), "node1", InetAddress.getLoopbackAddress());
        try (var kubelet = client(folder.resolve("node1/kubeconfig"))) {
            var own = KubeObject.create(Types.NODE, ObjectKey.cluster("node1"));
            kubelet.create(Types.NODE, own);
            var other = KubeObject.create(Types.NODE, ObjectKey.cluster("node2"));
            assertThrows(ApiException.Forbidden.class, () -> kubelet.create(Types.NODE, other));
        }
    }

    @Test
    void aFrozenOneAnswersOnceItIsThawed() throws Exception {
        plane.freeze();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answer = threads.submit(() -> admin.serverVersion());
            assertThrows(TimeoutException.class, () -> answer.get(500, TimeUnit.MILLISECONDS));
            plane.thaw();
            assertEquals("v" + version, answer.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aKilledOneKeepsItsDataAndItsAddress() throws Exception {
        var written = configMap("kept");
        plane.kill();
        assertEquals(1, plane.dead().size());
        plane.restart();
        var read = admin.get(Types.CONFIG_MAP, written.key());
        assertEquals(written.uid(), read.uid());
        assertTrue(plane.dead().isEmpty());
    }

    @Test
    void aWatchOfACompactedRevisionIsGone() throws Exception {
        var first = configMap("first");
        configMap("second");
        configMap("third");
        plane.kill();
        plane.compact();
        plane.restart();
        var from = WatchOptions.from(first.resourceVersion(), LIMIT);
        assertThrows(ApiException.Gone.class, () -> drain(from));
    }

    private void drain(WatchOptions from) throws Exception {
        var all = ListOptions.all().namespace("default");
        try (WatchStream watch = admin.watch(Types.CONFIG_MAP, all, from)) {
            watch.next(LIMIT);
        }
    }

    @Test
    void anExpiredCertificateIsRefusedUntilItIsRenewed() throws Exception {
        plane.restartWithCertificate(true);
        try (var fresh = client(plane.kubeconfig())) {
            var failure = assertThrows(ApiException.Unreachable.class, fresh::serverVersion);
            assertTrue(failure.getMessage().contains("expired"), failure.getMessage());
        }
        plane.restartWithCertificate(false);
        try (var fresh = client(plane.kubeconfig())) {
            assertEquals("v" + version, fresh.serverVersion());
        }
    }

    @Test
    void countsRequestsAndLearnsOfSnapshots() throws Exception {
        plane.applySnapshotDefinitions();
        assertTrue(admin.serves(Types.VOLUME_SNAPSHOT));
        configMap("counted");
        var counted = plane.requests().stream().filter(ControlPlaneTests::madeAConfigMap);
        assertEquals(1, counted.count());
        assertTrue(plane.metrics().contains("apiserver_request_total{"));
    }

    private static boolean madeAConfigMap(AuditedRequest request) {
        return request.user().equals("admin")
                && request.verb().equals("create")
                && request.resource().equals("configmaps")
                && request.status() == 201;
    }
}
