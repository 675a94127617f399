package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeCase;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Program;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** topolvm-node and lvmd are apart, and each may be TopoLVM's: runs the guests in a lab node. */
@Lasts(seconds = 30)
class LvmdPairTests extends NodeCase {
    private static final long MIB = 1L << 20;
    private static final String CRD = "deploy/base/crds/topolvm.io_logicalvolumes.yaml";

    LvmdPairTests() {
        super(NodeOptions.named("node1", List.of(512 * MIB, 256 * MIB, 256 * MIB)));
    }

    private static LabJvm jvm() {
        return LabJvm.heap(256).property("lvms.crds", Path.of(CRD).toAbsolutePath());
    }

    @Test
    void ourNodeWorksBesideOurLvmd() throws Exception {
        jvm().test(node, Duration.ofMinutes(4), "lvms.node.OwnLvmdGuest");
    }

    @Test
    void ourNodeWorksBesideTopolvmsLvmd() throws Exception {
        jvm().property("lvms.peer", peer())
                .test(node, Duration.ofMinutes(4), "lvms.node.PeerLvmdGuest");
    }

    @Test
    void topolvmsNodeWorksBesideOurLvmd() throws Exception {
        jvm().property("lvms.peer", peer())
                .property("lvms.cache", Path.of(System.getProperty("lvms.cache")).toAbsolutePath())
                .property("lvms.modules", Path.of("tests/conformance/go").toAbsolutePath())
                .test(node, Duration.ofMinutes(4), "lvms.node.PeerNodeGuest");
    }

    /** Returns TopoLVM's program, unpacked; the node sees this machine's files. */
    private Path peer() throws Exception {
        assumeTrue(Boolean.getBoolean("lvms.full"), "only with --full");
        var peer = Peers.find().program(Program.HYPERTOPOLVM);
        var program = node.share().resolve("hypertopolvm");
        var packed = peer.toString().endsWith(".xz");
        var unpacked =
                new ProcessBuilder(
                                packed
                                        ? List.of("xz", "--decompress", "--stdout", peer.toString())
                                        : List.of("cat", peer.toString()))
                        .redirectOutput(program.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start()
                        .waitFor();
        assertEquals(0, unpacked);
        assertEquals(true, program.toFile().setExecutable(true));
        return program.toAbsolutePath();
    }
}
