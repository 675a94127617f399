package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.operator.inspection.LvmReport;
import lvms.operator.inspection.NodeInspection;
import lvms.operator.overview.Cell;
import lvms.operator.overview.Overview;
import lvms.tests.cluster.workload.CommandLine;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * Kubelets let whoever may exec into the agents' pods read what LVM says on each node: our client
 * over a WebSocket, and kubectl with the shipped plugin. The operator itself may not.
 */
@FullOnly("commands are run by integration tests; only kubelet's exec is real here")
class InspectionTests extends InACluster {
    @TempDir Path folder;

    private static List<String> nodes() throws Exception {
        return product().cluster().nodes().stream().map(node -> node.name()).sorted().toList();
    }

    @Test
    void theAgentsSayWhatLvmHasOnEachNode() throws Exception {
        var overview = Overview.read(product().kube(), InstantSource.system());
        var agents = new NodeInspection(product().kube(), overview);
        var answers = agents.json("volumes", "--local", "-o=json");
        assertEquals(List.of(), answers.gaps());
        assertEquals(nodes(), List.copyOf(answers.byNode().keySet()));
        var pools =
                LvmReport.usage(answers.byNode()).getLast().rows().stream()
                        .map(row -> row.stream().map(Cell::text).toList())
                        .toList();
        assertEquals(nodes(), pools.stream().map(List::getFirst).toList(), pools::toString);
        assertTrue(pools.stream().allMatch(row -> row.getLast().equals("ok")), pools::toString);
        var wrong = agents.json("no-such-command");
        assertEquals(nodes().size(), wrong.gaps().size());
        assertTrue(wrong.gaps().getFirst().contains("unknown command"), wrong.gaps()::toString);
    }

    @Test
    void thePluginRunsLvmsWithTheCallersRightsAndLeavesNothing() throws Exception {
        var plugin = CommandLine.plugin(product(), folder);
        var file = folder.resolve("bundle.tar");
        var said = plugin.run("support-bundle", "--output=" + file);
        assertEquals("", said.err());
        assertEquals(0, said.code());
        var unpacked = Files.createDirectory(folder.resolve("unpacked"));
        var tar = new ProcessBuilder("tar", "--extract", "--file", file.toString());
        assertEquals(0, tar.directory(unpacked.toFile()).inheritIO().start().waitFor());
        for (var node : nodes()) {
            var machine = unpacked.resolve("nodes").resolve(node);
            assertTrue(Files.readString(machine.resolve("lvs-a.txt")).contains("_tdata]"), node);
            assertTrue(
                    Files.readString(machine.resolve("version.txt")).contains("LVM version:"),
                    node);
            assertTrue(
                    Files.readString(machine.resolve("lsblk.json")).contains("blockdevices"), node);
            assertTrue(
                    Files.readString(machine.resolve("lvmd.yaml")).contains("device-classes"),
                    node);
        }
        assertEquals(List.of(), left("lvms-cli-"));
        var nothing = plugin.run("explain", "pvc", "nope");
        assertEquals(1, nothing.code());
        assertTrue(nothing.err().contains("\"nope\" not found"), nothing.err());
    }

    /** The cluster as all other suites find it. */
    @Test
    void statusShowsEachNodeAndDoctorFindsNothingWrong() throws Exception {
        var lvms = CommandLine.lvms(product(), folder);
        var status = lvms.run("status");
        assertEquals(List.of("", 0), List.of(status.err(), status.code()));
        assertEquals(List.of(), lvms.errors());
        var disks = lvms.run("disks");
        assertEquals(List.of("", 0), List.of(disks.err(), disks.code()));
        for (var node : nodes()) {
            assertTrue(status.out().matches("(?s).*\n" + node + " +yes +yes .*"), status::out);
            assertTrue(
                    disks.out().matches("(?s).*\n" + node + " +/dev/ubdc .* thin .*"), disks::out);
        }
    }

    /** What a pod sees of a node before an installation, and that none of them is left. */
    @Test
    void aCheckLooksAtEachNodeAndLeavesNoPod() throws Exception {
        var check = CommandLine.lvms(product(), folder).run("check", "--nodes");
        assertEquals(0, check.code(), check.out() + check.err());
        var all = String.join(", ", nodes());
        for (var subject : List.of("device-mapper", "module dm_thin_pool", "folders")) {
            var line = "(?s).*\nok +" + subject + " of " + all + " .*";
            assertTrue(check.out().matches(line), check::out);
        }
        assertTrue(
                check.out().matches("(?s).*\nok +LVM of node1 +the host has none.*"), check::out);
        assertTrue(check.out().matches("(?s).*\nok +LVM of node2 +the host's is.*"), check::out);
        assertEquals(List.of(), left("lvms-disks-"));
    }

    /** Extents and pools are known to the nodes alone; who calls has the rights to ask them. */
    @Test
    void aPageShowsTheDisksAndPoolsOfEachNode() throws Exception {
        var file = folder.resolve("report.html");
        var said = CommandLine.lvms(product(), folder).run("report", "--html=" + file);
        assertEquals(List.of("", "", 0), List.of(said.out(), said.err(), said.code()));
        var page = Files.readString(file);
        for (var node : nodes()) {
            assertTrue(page.matches("(?s).*<title>Map of /dev/\\S+ on " + node + ": .*"), page);
            assertTrue(page.contains("<strong>" + node + ": thin/pool</strong>"), page);
        }
        assertTrue(page.contains("<title>pool, data (linear), extents "), page);
    }

    private static List<String> left(String prefix) throws Exception {
        return product()
                .kube()
                .list(Types.POD, ListOptions.all().namespace(Product.SYSTEM))
                .items()
                .stream()
                .filter(pod -> pod.name().startsWith(prefix) && !pod.terminating())
                .map(KubeObject::name)
                .toList();
    }

    @Test
    void theOperatorsRightsAreNotEnough() throws Exception {
        var said =
                product()
                        .cluster()
                        .kubectl(
                                "exec",
                                "--namespace=" + Product.SYSTEM,
                                "deployment/" + Names.OPERATOR,
                                "--",
                                "/opt/lvms/bin/lvms",
                                "status");
        assertEquals(1, said.status());
        assertTrue(said.out().contains("nodes:"), said.out());
        assertTrue(
                said.err().contains("what the nodes themselves say: ")
                        && said.err().contains("pods/exec"),
                said.err());
    }
}
