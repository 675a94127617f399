package lvms.node.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.MachineTools;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/** An image without the programs that the agent runs is named in one line, as long as it is. */
class DeviceToolsTests {
    private static final List<String> FILESYSTEMS =
            List.of("mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "e2fsck", "resize2fs", "xfs_growfs");

    @TempDir private Path folder;
    private MachineTools tools;

    @BeforeEach
    void look() {
        tools = new MachineTools(List.of(folder.resolve("missing"), folder));
    }

    private void add(String program) throws Exception {
        Files.setPosixFilePermissions(
                Files.createFile(folder.resolve(program)),
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void namesEveryMissingProgramAndWhatToDo() {
        var obstacle = new DeviceTools(tools, false).obstacle().orElseThrow();
        assertTrue(obstacle.startsWith("this image lacks the device tools "), obstacle);
        assertTrue(obstacle.contains("lvm, wipefs: use the image of ./build.sh oci"), obstacle);
        assertEquals(1, obstacle.lines().count());
    }

    @Test
    void theHostsLvmNeedsNsenterInsteadOfOurs() {
        var obstacle = new DeviceTools(tools, true).obstacle().orElseThrow();
        assertTrue(obstacle.contains("nsenter, wipefs:"), obstacle);
    }

    @Test
    void seesProgramsThatAppear() throws Exception {
        var looked = new DeviceTools(tools, false);
        add("wipefs");
        assertTrue(looked.obstacle().orElseThrow().contains("lvm: use"));
        add("lvm");
        assertFalse(looked.obstacle().toString().contains("lvm:"), looked.obstacle().toString());
    }

    @Test
    void aFileThatCannotBeRunIsNoProgram() throws Exception {
        Files.createFile(folder.resolve("wipefs"));
        assertEquals(List.of("wipefs"), tools.missing(List.of("wipefs")));
    }

    @Test
    void filesystemProgramsAreNoObstacleToTheRest() throws Exception {
        var looked = new DeviceTools(tools, false);
        for (var program : FILESYSTEMS) {
            add(program);
        }
        assertEquals(
                Optional.of(
                        "this image lacks the filesystem tools btrfs: use the image of"
                                + " ./build.sh oci, or add their Debian packages to this one"),
                looked.filesystemObstacle());
        add("btrfs");
        assertEquals(Optional.empty(), looked.filesystemObstacle());
    }
}
