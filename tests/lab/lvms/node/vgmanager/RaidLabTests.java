package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.NodeOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** RAID on a real device-mapper: {@link RaidGuest} runs on a node and asserts there. */
class RaidLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    @TempDir static Path folder;

    @Test
    void aDeviceThatVanishesUnderLoadComesBackOrIsReplaced() throws Exception {
        var cache = Path.of(System.getProperty("lvms.cache"));
        try (var lab = Lab.open(cache, Path.of("tests/lab"), folder)) {
            var node = lab.add(NodeOptions.named("raid", List.of()).withUdev());
            node.boot();
            var java = Path.of(System.getProperty("java.home"), "bin/java").toString();
            var command =
                    List.of(
                            java,
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            classPath(),
                            RaidGuest.class.getName());
            var result = node.run(command, DEADLINE);
            System.out.print(result.out());
            assertEquals(0, result.status(), result.out() + result.err());
        }
    }

    /** The node sees this machine's files, but not from this folder. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
