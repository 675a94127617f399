package lvms.lvm2;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The library on a real device-mapper: each test runs {@link LabGuest} on a node, which asserts
 * there. One node has udev, the others have not; no dm module is loaded beforehand.
 */
@Lasts(seconds = 90)
@FullOnly("LvmOperationsLabTests and ImagesLvmLabTests live the same lives")
class LvmLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final long GIB = 1L << 30;

    @TempDir static Path folder;
    private static Lab lab;
    private static Node plain;
    private static Node udev;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.inFolder(folder);
        plain = lab.add(NodeOptions.named("plain", List.of(GIB, GIB)));
        udev = lab.add(NodeOptions.named("udev", List.of(GIB, GIB)).withUdev());
        plain.boot();
        udev.boot();
    }

    @AfterAll
    static void end() {
        lab.close();
    }

    private static void guest(Node node, List<String> prefix, String... arguments)
            throws Exception {
        LabJvm.heap(128)
                .by(prefix.toArray(String[]::new))
                .run(node, DEADLINE, LabGuest.class, arguments);
    }

    @Safety(11)
    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void volumesLiveTheirWholeLives(LvmOptions.Engine engine) throws Exception {
        guest(plain, List.of(), "life", engine.name(), "own");
    }

    @ParameterizedTest
    @EnumSource(names = {"WORKER", "EXEC"})
    void theyDoSoWithUdevAndTheMachinesOwnConfiguration(LvmOptions.Engine engine) throws Exception {
        guest(udev, List.of(), "life", engine.name(), "machine");
    }

    @Test
    void theyDoSoInTheNamespacesOfTheHost() throws Exception {
        var pod = "mount -t tmpfs none /etc/lvm && mount -t tmpfs none /run && exec \"$@\"";
        var prefix = List.of("unshare", "-m", "-i", "-u", "sh", "-c", pod, "sh");
        guest(udev, prefix, "life", "WORKER", "host");
        guest(udev, prefix, "life", "EXEC", "host");
    }

    @Test
    @FullOnly("it asserts nothing")
    void callsAreMeasuredBesideTheProgram() throws Exception {
        guest(plain, List.of("env", "LVM_SYSTEM_DIR=/tmp/lvm"), "speed", "WORKER", "own");
    }
}
