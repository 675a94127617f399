package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A maker of volumes that is killed at any moment loses nothing and doubles nothing: the next one
 * finds what is there. Runs inside a lab node.
 */
class KilledMakerGuest {
    private static final List<String> NAMES = IntStream.range(0, 4).mapToObj(i -> "v" + i).toList();

    @BeforeEach
    void open() throws Exception {
        VolumeOperationsGuest.sh(
                "vgcreate -q -y ops /dev/ubdb /dev/ubdc && lvcreate -q -y -T -L 256M ops/pool");
    }

    @AfterEach
    void close() throws Exception {
        VolumeOperationsGuest.sh("vgremove -q -y -f ops");
    }

    private static Process maker() throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledMaker.class.getName(),
                        NAMES.get(0),
                        NAMES.get(1),
                        NAMES.get(2),
                        NAMES.get(3))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static BufferedReader begin(Process maker) throws Exception {
        var out = new BufferedReader(new InputStreamReader(maker.getInputStream()));
        assertEquals("ready", out.readLine());
        maker.getOutputStream().write('\n');
        maker.getOutputStream().flush();
        return out;
    }

    @ParameterizedTest(name = "killed after {0} ms")
    @ValueSource(ints = {50, 300, 600, 1000, 1700})
    void theNextMakerFindsWhatIsThere(int millis) throws Exception {
        var first = maker();
        begin(first);
        if (!first.waitFor(millis, TimeUnit.MILLISECONDS)) {
            first.destroyForcibly().waitFor();
        }

        var second = maker();
        var finished = begin(second).lines().toList();
        assertTrue(second.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, second.exitValue());
        assertEquals(NAMES.stream().map(name -> "ops/kill-" + name).toList(), finished);
        assertEquals(
                NAMES.stream().map(name -> "kill-" + name + " 16777216").toList(),
                VolumeOperationsGuest.sh(
                                "lvs --noheadings --units b --nosuffix -o lv_name,lv_size"
                                        + " -S 'lv_name=~^kill' --sort lv_name ops")
                        .lines()
                        .map(line -> line.strip().replaceAll("\\s+", " "))
                        .toList());
        assertEquals(
                "",
                VolumeOperationsGuest.sh(
                        "dmsetup info -c --noheadings -o suspended | grep -i susp || true"));
    }
}
