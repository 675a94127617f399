package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The volumes of a node work on a real device-mapper: runs the guest's tests inside a lab node. */
class CsiNodeTests {
    private static final long MIB = 1L << 20;
    private static final String CRD = "deploy/crds/topolvm.io_logicalvolumes.yaml";
    private static final Duration DEADLINE = Duration.ofMinutes(8);

    @TempDir static Path folder;
    private static Lab lab;
    private static Node node;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.open(Path.of(System.getProperty("lvms.cache")), Path.of("tests/lab"), folder);
        node = lab.add(NodeOptions.named("node1", List.of(1024 * MIB, 1024 * MIB, 64 * MIB)));
        node.boot();
    }

    @AfterAll
    static void end() {
        if (lab != null) {
            lab.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lvms.node.volume.VolumeOperationsGuest",
                "lvms.node.csi.LvmPublishGuest",
                "lvms.node.csi.CsiNodeGuest"
            })
    void passesInsideTheNode(String guestClass) throws Exception {
        Files.writeString(node.share().resolve("classes"), "guest " + guestClass + "\n");
        var result =
                node.run(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx512m",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Dlvms.crds=" + Path.of(CRD).toAbsolutePath(),
                                "-cp",
                                absoluteClassPath(),
                                "lvms.tests.runner.Runner",
                                Node.SHARE + "/classes"),
                        DEADLINE);
        System.out.print(result.out()); // the guest's own report, with what it measured
        assertEquals(0, result.status(), result.out() + result.err());
    }

    private static String absoluteClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(":"))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(":"));
    }
}
