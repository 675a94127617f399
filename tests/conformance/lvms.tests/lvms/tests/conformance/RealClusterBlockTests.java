package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.page.Block;
import lvms.tests.page.Page;
import lvms.tests.page.RunsBlocks;
import lvms.tests.page.Terminal;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The commands of the pages lead, as they are written, from blank disks to an installation and back
 * to blank disks. The reader's disk is the first of each node, by the name that the pages have.
 */
@Lasts(seconds = 130, full = 400)
@RunsBlocks({"README.md", "docs/tutorial.md", "docs/install.md", "docs/operations.md"})
class RealClusterBlockTests {
    private static final Path CLONE = Path.of("").toAbsolutePath();
    private static final Duration IMPORT = Duration.ofMinutes(5);
    private static final String DISK = "/dev/disk/by-id/wwn-0x5000c500a1b2c3d4";
    private static final String SAMPLE = "deploy/samples/lvmcluster.yaml";
    private static final String AWAIT_SAMPLE =
            "kubectl apply -f deploy/samples/pod.yaml\n"
                    + "kubectl wait pod/lvms-sample --for=condition=Ready --timeout=120s\n";

    private static final String OWN_CERTIFICATES =
            "kubectl apply -k deploy/monitoring/own-certificates";

    /** Types of the Prometheus operator; only their names count here. */
    private static final String TYPE_OF_PROMETHEUS =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: %1$s.monitoring.coreos.com
            spec:
              group: monitoring.coreos.com
              scope: Namespaced
              names: {kind: %2$s, plural: %1$s}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            ---
            """;

    private static final String TYPES_OF_PROMETHEUS =
            TYPE_OF_PROMETHEUS.formatted("servicemonitors", "ServiceMonitor")
                    + TYPE_OF_PROMETHEUS.formatted("prometheusrules", "PrometheusRule");

    private static Product product;
    @TempDir private Path folder;
    private Terminal terminal;

    @BeforeAll
    static void prepareNodes() throws Exception {
        product = Product.on(Cluster.shared());
        if (!product.clusterState().isEmpty()) {
            product.uninstall();
        }
        for (var node : nodes()) {
            node.shell(
                    """
                    rm --force /dev/termination-log
                    mkdir --parents /dev/disk/by-id && ln -sfn /dev/ubdc %s
                    ctr -n k8s.io images tag --force %s docker.io/library/busybox:latest
                    """
                            .formatted(DISK, Pod.IMAGE));
        }
    }

    @AfterAll
    static void takeBack() throws Exception {
        for (var node : nodes()) {
            node.shell("rm " + DISK);
        }
    }

    /** The reader's folder has what the reader edits; the program is built. */
    @BeforeEach
    void openTerminal() throws Exception {
        terminal =
                Terminal.open(
                        folder,
                        Map.of(
                                "PATH",
                                CLONE.resolve("out/image/bin") + ":" + System.getenv("PATH"),
                                "KUBECONFIG",
                                product.cluster().kubeconfig().toAbsolutePath().toString(),
                                "KUBECACHEDIR",
                                folder.resolve("kubectl-cache").toString()));
        terminal.type("cp --archive " + CLONE.resolve("deploy") + " .");
        assertEquals(List.of(), Traces.inCluster(product), "the test before left something");
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        terminal.close();
        assertEquals(List.of(), Traces.inCluster(product));
        assertEquals(List.of(), Traces.onNodes(product));
    }

    private static List<ClusterNode> nodes() throws IOException {
        return product.cluster().nodes();
    }

    private static List<Block> blocks(String page) throws IOException {
        return Page.of(page).blocksOf(RealClusterBlockTests.class);
    }

    private void nameNode(String node) throws Exception {
        terminal.type("sed --in-place 's/- n1$/- " + node + "/' " + SAMPLE);
    }

    private static void importImage(Block block) throws Exception {
        var archive = Path.of(System.getProperty("lvms.archive")).toAbsolutePath();
        var script =
                "cd $(mktemp --directory) && ln --symbolic %s lvms-0.1.0.oci.tar && %s"
                        .formatted(archive, block.take());
        for (var node : nodes()) {
            node.run(List.of("sh", "-c", script), IMPORT).require(block.place());
        }
    }

    /** A pod opens the port of its pages when kubelet has mounted the certificate. */
    private static void awaitPages(String name) throws Exception {
        product.patience()
                .until(
                        "the pods of " + name + " serve their pages",
                        () -> {
                            wakeKubelet();
                            var pods = product.pods(name);
                            for (var pod : pods) {
                                if (!servesPages(pod)) {
                                    return false;
                                }
                            }
                            return !pods.isEmpty();
                        });
    }

    private static boolean servesPages(KubeObject pod) throws IOException {
        var address = pod.text("status", "podIP").orElseThrow();
        return product.cluster()
                .node(pod.text("spec", "nodeName").orElseThrow())
                .run("bash", "-c", "</dev/tcp/" + address + "/8443")
                .succeeded();
    }

    /** Looks at mounted Secrets at once when a pod changes, else within two minutes. */
    private static void wakeKubelet() throws Exception {
        product.kubectl(
                "annotate",
                "pods",
                "--namespace=" + Product.SYSTEM,
                "--all",
                "--overwrite",
                "test/woken=" + System.nanoTime());
    }

    @Test
    void theTutorialLeadsFromBlankDisksToBlankDisks() throws Exception {
        for (var block : blocks("docs/tutorial.md")) {
            if (block.begins("ctr ")) {
                importImage(block);
            } else if (block.begins("lsblk ")) {
                var seen = product.cluster().node("node1").shell(block.take());
                assertTrue(seen.contains("wwn-0x5000c500a1b2c3d4"), seen);
            } else if (block.begins("apiVersion: ")) {
                var classes = block.with("values: [n1]", "values: [node1]").take();
                Files.writeString(folder.resolve("class.yaml"), classes);
            } else if (block.begins(OWN_CERTIFICATES)) {
                terminal.type("kubectl apply -f - <<'END'\n" + TYPES_OF_PROMETHEUS + "END\n");
                terminal.run(block);
                awaitPages(Names.VG_MANAGER);
            } else if (block.begins("kubectl delete -k deploy --dry-run=server")) {
                var reasons = terminal.refused(block);
                assertTrue(reasons.contains("still exists; delete "), reasons);
            } else {
                terminal.run(block);
            }
        }
        terminal.type("kubectl delete -f - <<'END'\n" + TYPES_OF_PROMETHEUS + "END\n");
    }

    /** Also the commands that the pages have for an installation on which nothing depends. */
    @Test
    @FullOnly("the tutorial installs with the same commands; the others only read")
    void theFrontPageInstallsAndLooks() throws Exception {
        nameNode("node2");
        for (var block : blocks("README.md")) {
            if (block.begins("ctr ")) {
                importImage(block);
            } else if (block.text().contains("lvms explain pvc NAME")) {
                terminal.type(AWAIT_SAMPLE);
                terminal.run(
                        block.with("cluster.yaml", SAMPLE)
                                .with("NAME --namespace=NS", "lvms-sample --namespace=default"));
                terminal.type("kubectl delete -f deploy/samples/pod.yaml");
            } else if (block.begins("lvms volumes --local")) {
                var path = "export PATH=" + CLONE.resolve("out/image/bin") + ":$PATH\n";
                product.cluster().node("node2").shell(path + block.take());
            } else if (block.text().contains(" POD ")) {
                var agent = product.agent("node2").orElseThrow();
                terminal.run(block.with(" POD ", " " + agent.name() + " "));
            } else {
                terminal.run(block);
            }
        }
        var plan = terminal.run(find(blocks("docs/install.md"), "kubectl create serviceaccount"));
        assertTrue(plan.contains("to be done:"), plan);
        product.uninstall();
    }

    private static Block find(List<Block> blocks, String beginning) {
        return blocks.stream().filter(block -> block.begins(beginning)).findFirst().orElseThrow();
    }

    @Test
    @FullOnly("the tutorial installs and uninstalls with the same commands")
    void theManualInstallsOperatesAndUninstalls() throws Exception {
        nameNode("node1");
        var blocks = blocks("docs/install.md");
        importImage(find(blocks, "ctr "));
        var installed = terminal.run(find(blocks, "lvms check --nodes"));
        assertTrue(installed.contains(" /data\n"), installed);
        terminal.type("kubectl apply -k deploy/admission");
        terminal.type(
                "kubectl apply -f deploy/samples/snapshot.yaml\n"
                        + "kubectl wait pod/lvms-sample-restored --for=condition=Ready"
                        + " --timeout=120s\n");
        terminal.type("kubectl apply -f - <<'END'\n" + TYPES_OF_PROMETHEUS + "END\n");
        terminal.type(OWN_CERTIFICATES);
        awaitPages(Names.OPERATOR);
        for (var block : blocks("docs/operations.md")) {
            Files.deleteIfExists(folder.resolve("lvms.html"));
            terminal.run(block);
            var page = Files.readString(folder.resolve("lvms.html"));
            assertTrue(page.contains("lvms-sample"), block::place);
        }
        terminal.type(OWN_CERTIFICATES.replace("apply", "delete"));
        terminal.type("kubectl delete -f - <<'END'\n" + TYPES_OF_PROMETHEUS + "END\n");
        terminal.run(find(blocks, "kubectl delete -f deploy/samples/snapshot.yaml"));
    }
}
