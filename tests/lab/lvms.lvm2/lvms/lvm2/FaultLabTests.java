package lvms.lvm2;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Whatever breaks, the caller of the library gets the right kind of failure within its time, and
 * the process that called lives on. One node; the faults are in {@link FaultGuest}.
 */
@Lasts(seconds = 90)
class FaultLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final long GIB = 1L << 30;

    @TempDir static Path folder;
    private static Lab lab;
    private static Node node;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.inFolder(folder);
        node = lab.add(NodeOptions.named("faults", List.of(GIB, GIB)));
        node.boot();
    }

    @AfterAll
    static void end() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    @Safety({25, 26})
    void everyFaultIsAnsweredInTime() throws Exception {
        var faults = Boolean.getBoolean("lvms.full") ? "full" : "short";
        LabJvm.heap(128).run(node, DEADLINE, FaultGuest.class, faults);
    }

    @Test
    void aFileThatIsNoLibraryMeansExec() throws Exception {
        Files.writeString(node.share().resolve("liblvm2cmd.so.2.03"), "no library ".repeat(100));
        LabJvm.heap(128)
                .by("env", "LD_LIBRARY_PATH=" + Node.SHARE)
                .run(node, DEADLINE, FaultGuest.class, "library");
    }
}
