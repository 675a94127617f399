package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.node.lvmd.LvmdClient;
import lvms.node.vgmanager.LoopDiskCase;
import lvms.tests.server.Looks;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The image's runtime and LVM on a loop device: both engines make a group and read LVM's reports,
 * and lvmd tells its room. What needs a device-mapper is the lab's.
 */
@Timeout(180)
class LvmTests extends LoopDiskCase {
    /** What a group of one disk of 128 MiB has beside LVM's metadata at its start. */
    private static final long FREE = 108 * MIB;

    private static final Duration SOON = Duration.ofSeconds(90); // QEMU translates all of it

    private static final Map<String, String> PATH = Map.of("PATH", System.getenv("PATH"));

    @TempDir private Path scratch;
    private Image image;

    @BeforeEach
    void open() throws Exception {
        image = new Image(scratch);
    }

    /** The program of the image's layer where it is another architecture's, else this machine's. */
    private static Path program() {
        var layer = Optional.ofNullable(System.getenv(Image.EMULATED_ROOT)).orElse("/");
        var program = Path.of(layer, "usr/sbin/lvm");
        assumeTrue(Files.exists(program), "lvm is not installed");
        return program;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void makesAGroupWhoseRoomLvmdTells(boolean worker) throws Exception {
        var group = "image" + ProcessHandle.current().pid();
        var words = new ArrayList<String>();
        words.add("--enable-native-access=lvms.lvm2");
        var classes = Path.of("out/test-classes/image/lvms.tests").toAbsolutePath();
        words.addAll(List.of("--class-path", classes.toString()));
        words.add(GroupGuest.class.getName());
        words.add(worker ? GroupGuest.WORKER : program().toString());
        words.addAll(List.of(folder.resolve("lvm").toString(), group));
        words.add(disks.add(128 * MIB).toString());
        var ended = image.run(PATH, words);
        assertEquals(0, ended.code(), ended.err());
        assertEquals((worker ? "WORKER" : "EXEC") + " [image]\n", ended.out());

        var socket = folder.resolve("lvmd.sock");
        var config =
                "{socket-name: %s, %sdevice-classes: [{name: ssd, volume-group: %s, spare-gb: 0}]}"
                        .formatted(
                                socket,
                                worker ? "" : "lvm-command-prefix: [" + program() + "], ",
                                group);
        var file = Files.writeString(folder.resolve("lvmd.yaml"), config);
        var lvmd =
                image.start(
                        PATH,
                        image.launcher(
                                "lvmd", "--config=" + file, "--metrics-bind-address=127.0.0.1:0"));
        try (var client = new LvmdClient(socket)) {
            Looks.until(
                    image::errors,
                    SOON,
                    () -> {
                        assertTrue(lvmd.isAlive(), image.errors());
                        return image.errors().contains("lvmd serves classes=[ssd]");
                    });
            assertEquals(FREE, client.freeBytes("ssd"));
            assertEquals(List.of(), client.list("ssd"));
        } finally {
            lvmd.destroy();
            assertTrue(lvmd.waitFor(SOON.toSeconds(), TimeUnit.SECONDS), "lvmd does not end");
        }
        assertEquals(0, lvmd.exitValue(), image.errors());
    }
}
