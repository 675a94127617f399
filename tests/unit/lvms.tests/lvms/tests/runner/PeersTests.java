package lvms.tests.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.tests.runner.Peers.Manifests;
import lvms.tests.runner.Peers.Program;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Programs and manifests of predecessors are found beside the clone; without, a test is skipped.
 */
class PeersTests {
    @TempDir private Path around;

    @Test
    void theyLieOneLevelBelowASiblingOfTheClone() throws IOException {
        Files.createDirectories(around.resolve("b/peers"));
        Files.createDirectories(around.resolve("c/peers"));
        var clone = Files.createDirectories(around.resolve("clone"));
        Files.createDirectories(around.resolve("a"));
        assertEquals(
                Optional.of(around.resolve("b/peers")),
                Peers.find(Optional.empty(), clone).folder());
        assertEquals(
                Optional.of(around.resolve("b/peers")),
                Peers.find(Optional.of(""), clone).folder());
    }

    @Test
    void theVariableCountsAlone() throws IOException {
        Files.createDirectories(around.resolve("b/peers"));
        var clone = Files.createDirectories(around.resolve("clone"));
        var other = Files.createDirectories(around.resolve("other"));
        assertEquals(Optional.of(other), Peers.find(Optional.of(other.toString()), clone).folder());
        var none = around.resolve("none").toString();
        assertEquals(Optional.empty(), Peers.find(Optional.of(none), clone).folder());
    }

    @Test
    void aProgramIsPackedOrNot() throws IOException {
        var peers = new Peers(Optional.of(around));
        var packed = Files.createFile(around.resolve("livenessprobe.xz"));
        assertEquals(packed, peers.program(Program.LIVENESS_PROBE));
        var unpacked = Files.createFile(around.resolve("livenessprobe"));
        assertEquals(unpacked, peers.program(Program.LIVENESS_PROBE));
    }

    @Test
    void aTestWithoutItsProgramIsSkippedAndSaysWhereThatComesFrom() throws IOException {
        Files.createFile(around.resolve("nativestor.xz"));
        var peers = new Peers(Optional.of(around));
        var skip =
                assertThrows(
                        TestAbortedException.class,
                        () ->
                                peers.require(
                                        Program.NATIVESTOR_OPERATOR,
                                        Program.HYPERTOPOLVM,
                                        Program.LIVENESS_PROBE));
        assertEquals(
                "Assumption failed: needs a predecessor's file in "
                        + around
                        + ": hypertopolvm (TopoLVM 0.41.0, chart 17.1.0,"
                        + " github.com/topolvm/topolvm) and livenessprobe (version 2.18.0,"
                        + " github.com/kubernetes-csi/livenessprobe)",
                skip.getMessage());
    }

    @Test
    void aTestWithoutTheFolderIsSkipped() {
        var skip =
                assertThrows(
                        TestAbortedException.class,
                        () ->
                                new Peers(Optional.empty())
                                        .manifest(Manifests.OF_LVMS, "rendered.yaml"));
        assertEquals(
                "Assumption failed: needs a predecessor's file in $LVMS_PEERS or ../*/peers:"
                        + " lvms/rendered.yaml (LVMS, main branch of 22 August 2026,"
                        + " github.com/openshift/lvm-operator)",
                skip.getMessage());
    }
}
