package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.page.Block;
import lvms.tests.page.Page;
import lvms.tests.page.RunsBlocks;
import lvms.tests.page.Terminal;
import lvms.tests.training.Cluster;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The commands of the pages that need no node, as they are written: those that build run in this
 * clone, the others against an API server in memory.
 */
@RunsBlocks({"README.md", "docs/tutorial.md", "docs/install.md", "docs/operations.md"})
class AnyMachineBlockTests {
    private static final Path CLONE = Path.of("").toAbsolutePath();

    @TempDir private Path folder;

    private static List<Block> blocks(String page) throws IOException {
        return Page.of(page).blocksOf(AnyMachineBlockTests.class);
    }

    /** What is built is there already, so the commands have nothing left to do. */
    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/tutorial.md", "docs/install.md"})
    void buildsTheProgramAndTheImage(String page) throws Exception {
        var blocks = blocks(page);
        assertEquals(1, blocks.size());
        try (var terminal = Terminal.open(CLONE, Map.of())) {
            terminal.run(blocks.getFirst());
            assertEquals(
                    CLONE.resolve("out/image/bin/lvms") + "\n", terminal.type("command -v lvms"));
            assertTrue(terminal.type("cd /; lvms version").startsWith("lvms 0.1.0 "));
            terminal.type("ls " + CLONE + "/out/lvms-0.1.0.oci.tar");
        }
    }

    /** A volume that its claim left two months ago. */
    private static void retainVolume(Cluster cluster) throws Exception {
        var kube = cluster.client().withFieldManager("test");
        kube.create(
                Types.PV,
                KubeObject.of(
                        Yaml.read(
                                        """
                                        apiVersion: v1
                                        kind: PersistentVolume
                                        metadata:
                                          name: retained
                                        spec:
                                          accessModes: [ReadWriteOnce]
                                          capacity: {storage: 1Gi}
                                          claimRef: {namespace: default, name: old, uid: gone}
                                          csi: {driver: topolvm.io, volumeHandle: v1}
                                          persistentVolumeReclaimPolicy: Retain
                                          storageClassName: lvms-vg1
                                        """)
                                .asObject()));
        kube.mergePatchStatus(
                Types.PV,
                ObjectKey.cluster("retained"),
                Yaml.read(
                                """
                                status:
                                  phase: Released
                                  lastPhaseTransitionTime: "2026-01-01T00:00:00Z"
                                """)
                        .asObject());
    }

    @Test
    void operatesACluster() throws Exception {
        try (var cluster = Cluster.start();
                var terminal = Terminal.open(folder, environment(cluster))) {
            cluster.askForClasses();
            retainVolume(cluster);
            for (var block : blocks("docs/operations.md")) {
                if (block.begins("lvms volumes --delete-retained")) {
                    var printed = terminal.answering("yes\n", block);
                    assertTrue(printed.contains("retained, last claim default/old"), printed);
                } else if (block.begins("kubectl annotate node")) {
                    terminal.run(block.with("NODE", Cluster.NODE));
                } else {
                    terminal.run(block);
                }
            }
            for (var volume : cluster.client().list(Types.PV, ListOptions.all()).items()) {
                assertTrue(volume.terminating(), volume::toJson); // nothing drops its finalizer
            }
            assertNothingIsAnnotated(cluster);
        }
        for (var file : List.of("clusters", "persistentvolumes", "logicalvolumes", "claims")) {
            assertTrue(
                    Files.readString(folder.resolve(file + ".yaml")).contains("kind: List"), file);
        }
        assertTrue(Files.readString(folder.resolve("clusters.yaml")).contains("kind: LVMCluster"));
    }

    private static void assertNothingIsAnnotated(Cluster cluster) throws Exception {
        var node = cluster.client().get(Types.NODE, ObjectKey.cluster(Cluster.NODE));
        assertFalse(node.annotations().containsKey("lvms.topolvm.io/no-new-volumes"));
        for (var object : cluster.client().list(LvmCluster.TYPE, ListOptions.all()).items()) {
            assertFalse(object.annotations().containsKey("lvms.topolvm.io/log-level"));
        }
    }

    private Map<String, String> environment(Cluster cluster) throws IOException {
        return Map.of(
                "PATH",
                CLONE.resolve("out/image/bin") + ":" + System.getenv("PATH"),
                "KUBECONFIG",
                cluster.kubeconfig().toString(),
                "KUBECACHEDIR",
                folder.resolve("kubectl-cache").toString());
    }
}
