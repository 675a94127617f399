package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The container image's LVM on a node, in workers whose C library overwrites what is freed, so that
 * what is read there is garbage each time. Memory that was given back to the kernel, whose reading
 * is a SIGSEGV, is met by longer runs: {@code CapacityLabTests} and {@code CutLabTests} with {@code
 * --lvm image}.
 */
@Lasts(seconds = 30)
class ImagesLvmLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final long GIB = 1L << 30;

    @TempDir private static Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"life", "rounds"})
    void oneWorkerSurvives(String story) throws Exception {
        var obstacle = System.getProperty("lvms.skip.oci", "");
        assumeTrue(obstacle.isEmpty(), obstacle);
        try (var lab = Lab.inFolder(folder)) {
            var options = NodeOptions.named("image", List.of(GIB, GIB)).withImagesPrograms();
            var node = lab.add(options);
            node.boot();
            assertFalse(node.shell("lvm version").contains(" 2.03.16("), "the machine's own LVM");
            var command =
                    LabJvm.heap(128)
                            .by("env", "MALLOC_PERTURB_=165")
                            .command(LabGuest.class, story, "WORKER", "own");
            var result = node.run(command, DEADLINE);
            System.out.print(result.out());
            assertEquals(0, result.status(), result.out() + result.err());
            assertFalse(result.err().contains("LVM worker died"), result.err());
        }
    }
}
