package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whatever breaks, the caller of the library gets the right kind of failure within its time, and
 * the process that called lives on. One node; the faults are in {@link FaultGuest}.
 */
class FaultLabTests {
    private static final long GIB = 1L << 30;

    @TempDir static Path folder;
    private static Lab lab;
    private static Node node;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.open(Path.of(System.getProperty("lvms.cache")), Path.of("tests/lab"), folder);
        node = lab.add(NodeOptions.named("faults", List.of(GIB, GIB)));
        node.boot();
    }

    @AfterAll
    static void end() {
        if (lab != null) {
            lab.close();
        }
    }

    private static void guest(List<String> prefix, String... arguments) throws Exception {
        var command = new ArrayList<>(prefix);
        command.addAll(LabJvm.command(FaultGuest.class, arguments));
        var result = node.run(command, Duration.ofMinutes(4));
        System.out.print(result.out());
        assertEquals(0, result.status(), result.out() + result.err());
    }

    @Test
    void everyFaultIsAnsweredInTime() throws Exception {
        guest(List.of(), Boolean.getBoolean("lvms.full") ? "full" : "short");
    }

    @Test
    void aFileThatIsNoLibraryMeansExec() throws Exception {
        Files.writeString(node.share().resolve("liblvm2cmd.so.2.03"), "no library ".repeat(100));
        guest(List.of("env", "LD_LIBRARY_PATH=" + Node.SHARE), "library");
    }
}
