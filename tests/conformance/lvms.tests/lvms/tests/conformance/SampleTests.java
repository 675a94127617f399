package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.Disk;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Each sample works as it is delivered. The nodes call their disks what the sample calls them, by
 * links, and the image of the sample's pod is on them.
 */
@FullOnly("each sample is an LVMCluster of its own")
class SampleTests extends InACluster {
    private static final Path SAMPLES = Path.of("deploy/samples");
    private static final String POD = "lvms-sample";
    private static final int MORE_DISKS = 2;
    private static final long DISK_BYTES = 4L << 30;
    private static final String TAINT = "storage=only:NoSchedule";
    private static final String LABEL = "example.com/archive";

    @BeforeAll
    static void prepareNodes() throws Exception {
        for (var node : nodes()) {
            node.shell(
                    "ctr -n k8s.io images tag --force "
                            + Pod.IMAGE
                            + " docker.io/library/busybox:latest");
            for (int i = 0; i < MORE_DISKS; i++) {
                node.addDisk(DISK_BYTES);
            }
        }
    }

    @AfterAll
    static void takeAllBack() throws Exception {
        product().removeCluster();
        for (var node : nodes()) {
            node.shell("find /dev/disk -lname '/dev/ubd*' -delete");
            for (var disk : node.disks().reversed().subList(0, MORE_DISKS)) {
                node.removeDisk(disk);
            }
        }
    }

    private static List<ClusterNode> nodes() throws Exception {
        return product().cluster().nodes();
    }

    /** Puts the LVMCluster of a sample in the place of the one before. */
    private static void apply(String sample) throws Exception {
        var file = SAMPLES.resolve(sample + ".yaml");
        product().removeCluster();
        for (var node : nodes()) {
            link(node, paths(file));
        }
        product().kubectl("apply", "--filename=" + file);
        product()
                .patience()
                .until("LVMCluster is Ready", () -> product().clusterState().equals("Ready"));
    }

    /** Returns what a sample calls disks. */
    private static List<String> paths(Path sample) throws Exception {
        var tree = Yaml.read(Files.readString(sample)).asObject();
        return LvmCluster.of(KubeObject.of(tree)).deviceClasses().stream()
                .flatMap(c -> Stream.concat(c.paths().stream(), c.optionalPaths().stream()))
                .toList();
    }

    private static void link(ClusterNode node, List<String> paths) throws Exception {
        var disks = node.disks().stream().map(Disk::device).toList();
        for (int i = 0; i < paths.size(); i++) {
            var path = Path.of(paths.get(i));
            node.shell(
                    "mkdir -p %s && ln -sfn %s %s".formatted(path.getParent(), disks.get(i), path));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"thin", "thick", "raid"})
    void thePodOfTheSamplesRunsOnEach(String sample) throws Exception {
        apply(sample);
        var here = "--namespace=" + box().namespace();
        product().kubectl("apply", here, "--filename=" + SAMPLES.resolve("pod.yaml"));
        box().awaitReady(POD);
        assertMounted(POD, "/data", 900);
        requireAgreement();
    }

    private void assertMounted(String pod, String folder, int leastMib) throws Exception {
        var line = box().run(pod, "df -Pm " + folder + " | tail -n 1");
        var words = line.split(" +");
        assertTrue(words[0].startsWith("/dev/") && words[5].equals(folder), line);
        assertTrue(Integer.parseInt(words[1]) >= leastMib, line);
    }

    @Test
    void eachClassOfTheSampleWithSeveralServesTheNodesItIsFor() throws Exception {
        try {
            product().kubectl("label", "node", "node2", LABEL + "=yes", "--overwrite");
            product().kubectl("taint", "node", "node1", TAINT, "--overwrite");
            apply("several");
            assertEquals(List.of("node1", "node2"), nodesOf("fast"));
            assertEquals(List.of("node1", "node2"), nodesOf("safe"));
            assertEquals(List.of("node2"), nodesOf("archive"));
            var pod = Pod.of("app");
            for (var name : List.of("fast", "safe", "archive")) {
                box().create(Claim.of(name, "lvms-" + name, "320Mi"));
                pod = pod.mount(name, name);
            }
            box().create(pod);
            box().awaitReady("app");
            for (var name : List.of("fast", "safe", "archive")) {
                assertMounted("app", "/" + name, 250);
            }
            requireAgreement();
            var kept = box().volumeOf("safe");
            assertEquals("Retain", kept.text("spec", "persistentVolumeReclaimPolicy").orElse(""));
            product()
                    .kubectl(
                            "patch",
                            "pv/" + kept.name(),
                            "--patch={\"spec\":{\"persistentVolumeReclaimPolicy\":\"Delete\"}}");
        } finally {
            product().kubectl("taint", "node", "node1", TAINT + "-");
            product().kubectl("label", "node", "node2", LABEL + "-");
        }
    }

    private static List<String> nodesOf(String deviceClass) throws Exception {
        var cluster = product().kube().get(LvmCluster.TYPE, Product.LVM_CLUSTER);
        return LvmCluster.of(cluster).status().deviceClasses().stream()
                .filter(status -> status.name().equals(deviceClass))
                .flatMap(status -> status.nodes().stream())
                .map(node -> node.node())
                .toList();
    }
}
