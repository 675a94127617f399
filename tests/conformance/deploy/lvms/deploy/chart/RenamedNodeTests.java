package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.CommandLine;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The disks of a node are in another one now, or it has another name. A person with the chart's
 * TopoLVM side moves its volumes there, and a pod reads what was written before.
 */
@Lasts(seconds = 150)
@FullOnly("a cluster of its own")
class RenamedNodeTests {
    private static final long GIB = 1L << 30;
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String FILE = "/data/file";
    private static final ObjectKey OLD = ObjectKey.cluster("node1");

    /** One of the operators is beside the node that goes away. */
    private static final String VALUES =
            Release.VALUES.replace("replicaCount: 1", "replicaCount: 2");

    private final Path folder = Path.of("out/conformance/renamed").toAbsolutePath();
    private Product product;
    private Sandbox box;
    private CommandLine lvms;

    @Test
    void aPodReadsItsDataOnTheNodeThatHasTheDisksNow() throws Exception {
        var options =
                ClusterOptions.of(
                        folder.resolve("cluster"),
                        NodeSpec.debian("node1").disks(4 * GIB),
                        NodeSpec.debian("node2").disks(4 * GIB));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            lvms = CommandLine.lvms(product, folder);
            cluster.node("node1").shell("mkdir -p /run/lock; vgcreate myvg1 /dev/ubdc");
            Release.of(cluster, folder)
                    .apply("install", VALUES, "--create-namespace", "--wait", "--timeout=4m");
            box = Sandbox.open(product, "app");
            box.start(Claim.of("data", "fast", "320Mi"));
            var bytes = box.write("data", FILE, 4);
            nothingIsWrong();
            box.remove(Types.POD, "data");
            moveTheDisk(cluster.node("node1"), cluster.node("node2"));
            until("the new node has the class", () -> announces("node2"));
            until("the former node is away", () -> !ready(product.kube().get(Types.NODE, OLD)));
            product.patience(DEADLINE, box.namespace())
                    .untilNothingMissing("nothing hinders the move", () -> obstacle("--plan"));
            assertEquals("", obstacle("--yes"));
            product.kube().delete(Types.NODE, OLD, DeleteOptions.any());
            until("the former node goes", () -> product.kube().find(Types.NODE, OLD).isEmpty());
            box.awaitBound("data");
            box.create(Pod.of("again").mount("data", "data"));
            box.awaitReady("again");
            assertEquals("node2", box.nodeOf("again"));
            assertEquals(bytes, box.checksum("again", FILE, 4));
        }
    }

    private void nothingIsWrong() throws Exception {
        for (var command : List.of("status", "volumes")) {
            var said = lvms.run(command);
            assertEquals(List.of("", 0), List.of(said.err(), said.code()), command);
        }
        assertEquals(List.of(), lvms.errors());
    }

    /** Both machines are off meanwhile, and the disk is a file of this one. */
    private static void moveTheDisk(ClusterNode from, ClusterNode to) throws Exception {
        var source = from.disks().getFirst().file();
        var target = to.disks().getFirst().file();
        from.powerOff();
        to.powerOff();
        copy(source, target);
        to.boot();
    }

    private static void copy(Path source, Path target) throws IOException, InterruptedException {
        var words = List.of("cp", "--sparse=always", source.toString(), target.toString());
        assertEquals(0, new ProcessBuilder(words).inheritIO().start().waitFor());
    }

    private boolean announces(String node) throws Exception {
        return product.kube()
                .get(Types.NODE, ObjectKey.cluster(node))
                .annotation("capacity.topolvm.io/ssd")
                .filter(free -> !free.equals("0"))
                .isPresent();
    }

    private static boolean ready(KubeObject node) {
        return node.condition("Ready").map(Condition::holds).orElse(false);
    }

    /** Moves the volumes, or says what that would do; returns why it could not be. */
    private String obstacle(String how) throws Exception {
        var said = lvms.run("volumes", "--from-node=node1", "--to-node=node2", how);
        return said.code() == 0 ? "" : said.code() + ": " + said.err();
    }

    private void until(String what, Callable<Boolean> holds) throws Exception {
        product.patience(DEADLINE, box.namespace()).until(what, holds::call);
    }
}
