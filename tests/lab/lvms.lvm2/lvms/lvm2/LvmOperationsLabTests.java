package lvms.lvm2;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Every operation of the library, its second call and its failures, on a real device-mapper: each
 * test runs stories of {@link OperationsGuest} on one node, which assert there.
 */
@Lasts(seconds = 60)
class LvmOperationsLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    @TempDir static Path folder;
    private static Lab lab;
    private static Node node;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.inFolder(folder);
        var disks = List.of(Slices.diskBytes());
        node = lab.add(NodeOptions.named("operations", disks));
        node.boot();
    }

    @AfterAll
    static void end() {
        lab.close();
    }

    @Safety({1, 6, 10})
    @Test
    void nothingIsDestroyedThatWasEverHandedOut() throws Exception {
        guest(LvmOptions.Engine.WORKER, "law");
    }

    @Safety({11, 17})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "groups snapshots pools stuck leftovers",
                "raid growth",
                "vanished",
                "moves"
            })
    void eachOperationDoesWhatItSaysTwice(String stories) throws Exception {
        guest(LvmOptions.Engine.WORKER, stories);
    }

    @ParameterizedTest
    @ValueSource(strings = {"groups snapshots pools", "raid growth", "vanished", "moves"})
    void soItDoesByTheProgram(String stories) throws Exception {
        assumeTrue(Boolean.getBoolean("lvms.full"), "only with --full");
        guest(LvmOptions.Engine.EXEC, stories);
    }

    @Test
    void snapshotsAtOnceKeepTheOrderOfWrites() throws Exception {
        guest(LvmOptions.Engine.WORKER, "atonce");
    }

    private static void guest(LvmOptions.Engine engine, String stories) throws Exception {
        var arguments = (engine + " " + stories).split(" ");
        LabJvm.heap(128).run(node, DEADLINE, OperationsGuest.class, arguments);
    }
}
