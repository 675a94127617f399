package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.LabGuest;
import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The container image's LVM on a node, whose workers have to live through each story. */
@Lasts(seconds = 60)
class ImagesLvmLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final long GIB = 1L << 30;
    private static final int SEED = 1;
    private static final int GROUPS = 4;

    @TempDir private static Path folder;
    private static Lab lab;
    private static Node node;

    @BeforeAll
    static void boot() throws Exception {
        var obstacle = System.getProperty("lvms.skip.oci", "");
        assumeTrue(obstacle.isEmpty(), obstacle);
        lab = Lab.inFolder(folder);
        var disks = new ArrayList<>(Collections.nCopies(LabGuest.DISKS.size(), GIB));
        disks.addAll(Collections.nCopies(CapacityLabTests.DISKS, 256L << 20));
        node = lab.add(NodeOptions.named("image", disks).withImagesPrograms());
        node.boot();
        assertFalse(node.shell("lvm version").contains(" 2.03.16("), "the machine's own LVM");
    }

    @AfterAll
    static void end() {
        if (lab != null) {
            lab.close();
        }
    }

    /** The C library overwrites what is freed, so that what is read there is garbage each time. */
    @Test
    void aPoolsLife() throws Exception {
        var overwriting = LabJvm.heap(128).by("env", "MALLOC_PERTURB_=165");
        var printed = run(overwriting.command(LabGuest.class, "life", "WORKER", "own"));
        assertFalse(printed.contains("LVM worker died"), printed);
    }

    /**
     * The many changes of these have it give memory back: where LVM reads that, a volume's trial
     * ends with the worker. An abort of this LVM when it is asked for a pool with {@code --test},
     * which only trials do, is none.
     */
    @Test
    void theGroupsOfThePlannersTrials() throws Exception {
        var disks = CapacityLabTests.disks((char) ('b' + LabGuest.DISKS.size()));
        run(LabJvm.heap(128).command(CapacityGuest.class, "" + SEED, "" + GROUPS, disks));
    }

    /** Returns what it printed to standard error. */
    private static String run(List<String> command) throws Exception {
        var result = node.run(command, DEADLINE);
        System.out.print(result.out());
        assertEquals(0, result.status(), result.out() + result.err());
        return result.err();
    }
}
