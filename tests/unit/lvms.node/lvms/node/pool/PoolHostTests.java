package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.Lvm;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** LVM starts dmeventd with the first pool that it is to monitor, and it may end at any time. */
@Safety(19)
@LinuxOnly
class PoolHostTests {
    @TempDir Path proc;
    private Path process;

    @BeforeEach
    void someProcesses() throws Exception {
        process("1", "systemd");
        process = process("812", "lvmpolld");
        Files.createDirectory(proc.resolve("self"));
    }

    private Path process(String id, String name) throws IOException {
        var folder = Files.createDirectories(proc.resolve(id));
        Files.writeString(folder.resolve("comm"), name + "\n");
        return folder;
    }

    private PoolHost host(String monitoring, String threshold) {
        var values =
                Map.of(
                        "activation/monitoring",
                        monitoring,
                        "activation/thin_pool_autoextend_threshold",
                        threshold);
        var lvm =
                (Lvm)
                        Proxy.newProxyInstance(
                                Lvm.class.getClassLoader(),
                                new Class<?>[] {Lvm.class},
                                (_, _, _) -> values);
        return PoolHost.of(lvm, proc);
    }

    @Test
    void aDmeventdThatStartsLaterExtendsPools() throws Exception {
        var host = host("1", "70");
        assertFalse(host.extendsPools());
        process("4711", "dmeventd");
        assertTrue(host.extendsPools());
        assertEquals(70, host.thresholdPercent());
    }

    @Test
    void aDmeventdThatHasEndedExtendsNone() throws Exception {
        process("812", "dmeventd");
        var host = host("1", "70");
        assertTrue(host.extendsPools());
        Files.delete(process.resolve("comm"));
        assertFalse(host.extendsPools());
        process("913", "dmeventd");
        assertTrue(host.extendsPools());
        process("913", "sh"); // its number is given to another one
        assertFalse(host.extendsPools());
    }

    @Test
    void aDmeventdThatIsNotToldToExtendsNone() throws Exception {
        process("812", "dmeventd");
        assertFalse(host("0", "70").extendsPools());
        assertFalse(host("1", "100").extendsPools());
    }
}
