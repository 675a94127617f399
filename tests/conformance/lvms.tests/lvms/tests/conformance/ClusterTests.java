package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.time.Duration;

/**
 * A cluster's machines are nodes of Kubernetes: they run pods, keep their state, come and go. Only
 * with {@code --full}: what it guards, the suites of the product need as well.
 */
@FullOnly("tests of the test cluster itself; all suites need it")
class ClusterTests {
    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(3), () -> "");
    private static final String POD = "harness";
    private static final String MANIFEST =
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {
                "nodeName": "node1", "terminationGracePeriodSeconds": 1,
                "tolerations": [{"operator": "Exists"}],
                "containers": [{"name": "main", "image": "localhost/test:1",
                    "command": ["sh", "-c", "echo said; exec sleep 100000"]}]}}
            """;

    private static Cluster cluster;

    @BeforeAll
    static void startAPod() throws Exception {
        cluster = Cluster.shared();
        var manifest = Files.createTempFile("pod", ".json");
        Files.writeString(manifest, MANIFEST.formatted(POD));
        kubectl("apply", "--filename=" + manifest);
        Files.delete(manifest);
        awaitRunning();
    }

    @AfterAll
    static void deleteIt() throws Exception {
        kubectl("delete", "pod", POD, "--ignore-not-found");
    }

    private static String kubectl(String... arguments) throws Exception {
        return cluster.kubectl(arguments).require("kubectl " + String.join(" ", arguments));
    }

    private static void awaitRunning() throws Exception {
        PATIENCE.until("the pod runs", () -> kubectl("exec", POD, "--", "hostname").equals(POD));
    }

    @Test
    void aPodsOutputCanBeReadAndCommandsRunInIt() throws Exception {
        assertEquals("said", kubectl("logs", POD));
        assertEquals(POD, kubectl("exec", POD, "--", "hostname"));
    }

    @Test
    void aPodIsThereAgainAfterAPowerCut() throws Exception {
        var node = cluster.node("node1");
        var uid = kubectl("get", "pod", POD, "--output=jsonpath={.metadata.uid}");
        node.shell("echo kept >/var/lib/kept; sync /var/lib/kept");
        node.powerCut();
        assertFalse(node.running());
        node.boot();
        assertEquals("kept", node.shell("cat /var/lib/kept"));
        awaitRunning();
        assertEquals(uid, kubectl("get", "pod", POD, "--output=jsonpath={.metadata.uid}"));
    }

    @Test
    void oneNodeHasLvmAndUdevAndTheOtherHasNeither() throws Exception {
        assertTrue(cluster.node("node2").run("ls", "/sbin/lvm", "/run/udev/control").succeeded());
        assertFalse(cluster.node("node1").run("ls", "/sbin/lvm").succeeded());
        assertFalse(cluster.node("node1").run("ls", "/run/udev/control").succeeded());
        assertTrue(cluster.node("node1").run("lvm", "version").succeeded());
    }

    @Test
    void aNodeJoinsAndIsTakenAway() throws Exception {
        var spec = NodeSpec.plain("joined").disks().kubeletRoot("/var/lib/elsewhere");
        var node = cluster.addNode(spec.withoutThinPoolModule());
        try {
            assertTrue(node.run("ls", "/var/lib/elsewhere/pods").succeeded());
            assertFalse(node.run("modprobe", "dm-thin-pool").succeeded());
            assertTrue(cluster.node("node2").run("modprobe", "dm-thin-pool").succeeded());
            assertEquals(0, node.disks().size());
            assertEquals("/dev/ubdc", node.addDisk(64L << 20).device());
            assertEquals("67108864", node.shell("blockdev --getsize64 /dev/ubdc"));
        } finally {
            cluster.removeNode("joined");
            kubectl("delete", "node", "joined");
        }
    }
}
