package lvms.node.lvmd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** lvmd, and the commands for people, on a real device-mapper: both guests in one lab node. */
class LvmdLabTests {
    private static final long MIB = 1L << 20;
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    @TempDir static Path folder;

    @Test
    void servesRealVolumes() throws Exception {
        try (var lab =
                Lab.open(Path.of(System.getProperty("lvms.cache")), Path.of("tests/lab"), folder)) {
            var node = lab.add(NodeOptions.named("lvmd", List.of(512 * MIB, 512 * MIB)));
            node.boot();
            Files.writeString(
                    node.share().resolve("classes"),
                    "guest lvms.node.lvmd.LvmdGuest\nguest lvms.node.doctor.DoctorGuest\n");
            var result =
                    node.run(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                    "-XX:+UseSerialGC",
                                    "-Xmx256m",
                                    "-XX:TieredStopAtLevel=1",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "--sun-misc-unsafe-memory-access=allow",
                                    "-cp",
                                    absoluteClassPath(),
                                    "lvms.tests.runner.Runner",
                                    Node.SHARE + "/classes"),
                            DEADLINE);
            System.out.print(result.out());
            assertEquals(0, result.status(), result.out() + result.err());
        }
    }

    private static String absoluteClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(":"))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(":"));
    }
}
