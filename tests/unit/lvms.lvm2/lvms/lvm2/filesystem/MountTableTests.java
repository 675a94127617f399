package lvms.lvm2.filesystem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** mountinfo is read as proc_pid_mountinfo(5) says, whatever a path looks like. */
@LinuxOnly
class MountTableTests {
    private static final String TEXT =
            """
            22 1 254:4 / / rw,relatime shared:1 - ext4 /dev/root rw
            28 22 254:4 / /mnt/m rw,noatime - ext4 /dev/tvg/thin-1 rw,stripe=32
            29 22 254:4 /sub /mnt/b ro,noatime shared:7 master:2 - ext4 /dev/tvg/thin-1 rw
            30 22 0:6 /tvg/block /pub/a\\040b\\134c rw - devtmpfs udev rw,mode=755
            31 28 0:40 / /mnt/m rw - tmpfs tmpfs ro
            """;

    @Test
    void readsAllFields() {
        var mount = MountTable.parse(TEXT).mounts().get(2);
        assertEquals(29, mount.id());
        assertEquals(22, mount.parentId());
        assertEquals(new DeviceNumber(254, 4), mount.device());
        assertEquals("/sub", mount.root());
        assertEquals(Path.of("/mnt/b"), mount.mountPoint());
        assertEquals(List.of("shared:7", "master:2"), mount.propagation());
        assertEquals("ext4", mount.fsType());
        assertEquals("/dev/tvg/thin-1", mount.source());
        assertTrue(mount.readOnly());
    }

    @Test
    void decodesEscapedPaths() {
        var mount = MountTable.parse(TEXT).mounts().get(3);
        assertEquals(Path.of("/pub/a b\\c"), mount.mountPoint());
        assertEquals("/tvg/block", mount.root());
        assertEquals(List.of(), mount.propagation());
    }

    @Test
    void theLastMountAtAPathIsTheOneThatShows() {
        var table = MountTable.parse(TEXT);
        assertEquals("tmpfs", table.at(Path.of("/mnt/m")).orElseThrow().fsType());
        assertTrue(table.at(Path.of("/mnt/m")).orElseThrow().readOnly());
        assertTrue(table.at(Path.of("/mnt")).isEmpty());
        assertEquals(3, table.ofDevice(new DeviceNumber(254, 4)).size());
    }

    @Test
    void refusesALineThatIsCut() {
        assertThrows(IllegalArgumentException.class, () -> MountTable.parse("22 1 254:4 / /"));
    }

    @Test
    void looksIntoEachNamespaceOnce(@TempDir Path proc) throws Exception {
        process(proc, "1", "mnt:[1]", "22 1 254:4 / /a rw - ext4 /dev/a rw\n");
        process(proc, "20", "mnt:[1]", "22 1 254:4 / /a rw - ext4 /dev/a rw\n");
        process(proc, "30", "mnt:[2]", "23 1 254:5 / /b rw - ext4 /dev/b rw\n");
        Files.createDirectories(proc.resolve("40")); // it ended meanwhile
        Files.createDirectories(proc.resolve("sys"));
        var mounts = MountTable.readAllNamespaces(proc).mounts();
        assertEquals(2, mounts.size());
        assertFalse(new MountTable(mounts).at(Path.of("/b")).isEmpty());
    }

    private static void process(Path proc, String pid, String namespace, String mounts)
            throws Exception {
        var ns = Files.createDirectories(proc.resolve(pid).resolve("ns"));
        Files.createSymbolicLink(ns.resolve("mnt"), Path.of(namespace));
        Files.writeString(proc.resolve(pid).resolve("mountinfo"), mounts);
    }
}
