package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The planner against LVM on a real device-mapper, for all kinds of volumes. {@code
 * -Dlvms.layouts.seed} and {@code -Dlvms.layouts} repeat a run, or a single group of it.
 */
@Lasts(seconds = 60)
@FullOnly("the planner is compared with LVM's recorded answers by unit tests")
class CapacityLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(20);
    static final int DISKS = 6;

    @TempDir static Path folder;
    private static Lab lab;
    private static Node node;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.inFolder(folder);
        node = lab.add(NodeOptions.named("plan", Collections.nCopies(DISKS, 256L << 20)));
        node.boot();
    }

    @AfterAll
    static void end() {
        lab.close();
    }

    @Test
    void exactlyThePlannedSizeCanBeMade() throws Exception {
        var settings = CapacitySettings.ofThisRun();
        System.out.println(settings.repeat());
        var command =
                LabJvm.heap(128)
                        .command(
                                CapacityGuest.class,
                                "" + settings.seed(),
                                "" + settings.layouts(),
                                disks('b'));
        var result = node.run(command, DEADLINE);
        System.out.print(result.out());
        assertEquals(0, result.status(), settings.repeat() + result.out() + result.err());
    }

    /**
     * The paths of this test's disks, with commas between.
     *
     * @param first the letter of the first one, such as b for ubdb
     */
    static String disks(char first) {
        return IntStream.range(first, first + DISKS)
                .mapToObj(letter -> "/dev/ubd" + (char) letter)
                .collect(Collectors.joining(","));
    }
}
