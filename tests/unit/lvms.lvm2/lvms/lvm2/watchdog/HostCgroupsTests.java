package lvms.lvm2.watchdog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process gets to the cgroups of the host's first process, or it is said why it does not. */
class HostCgroupsTests {
    private static final String POD = "/kubepods.slice/pod1/container1";

    /** As systemd and the kernel have it, with one mount namespace for all. */
    private static final String VERSION_2 =
            "31 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

    private static final String VERSION_1 =
            """
            32 23 0:27 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd
            33 23 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
            34 23 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
            35 23 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
            """;

    @TempDir Path proc;

    private HostCgroups cgroups(String mounts, String host, String own) throws IOException {
        Files.createDirectories(proc.resolve("1"));
        Files.createDirectories(proc.resolve("77"));
        Files.writeString(proc.resolve("1/mountinfo"), mounts);
        Files.writeString(proc.resolve("1/cgroup"), host);
        Files.writeString(proc.resolve("77/cgroup"), own);
        return new HostCgroups(proc);
    }

    private void processes(String namespace) throws IOException {
        Files.createDirectories(proc.resolve("self/ns"));
        Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of(namespace));
    }

    private List<String> places(HostCgroups cgroups) throws IOException {
        var root = proc.resolve("1/root");
        return cgroups.places(77).stream().map(p -> "/" + root.relativize(p)).sorted().toList();
    }

    @Test
    void ofVersion2ThereIsOne() throws Exception {
        var cgroups = cgroups(VERSION_2, "0::/init.scope\n", "0::" + POD + "\n");
        assertEquals(List.of("/sys/fs/cgroup/init.scope/cgroup.procs"), places(cgroups));
    }

    @Test
    void withoutSystemdItIsTheRoot() throws Exception {
        var cgroups = cgroups(VERSION_2, "0::/\n", "0::" + POD + "\n");
        assertEquals(List.of("/sys/fs/cgroup/cgroup.procs"), places(cgroups));
    }

    @Test
    void ofVersion1EachHierarchyIsLeft() throws Exception {
        var host = "12:memory:/\n4:cpu,cpuacct:/\n1:name=systemd:/init.scope\n0::/init.scope\n";
        var own = "12:memory:%s\n4:cpu,cpuacct:%s\n1:name=systemd:%s\n0::/init.scope\n";
        assertEquals(
                List.of(
                        "/sys/fs/cgroup/cpu,cpuacct/cgroup.procs",
                        "/sys/fs/cgroup/memory/cgroup.procs",
                        "/sys/fs/cgroup/systemd/init.scope/cgroup.procs"),
                places(cgroups(VERSION_1, host, own.formatted(POD, POD, POD))));
    }

    /** A node that is itself a container sees its own part of the hierarchy. */
    @Test
    void aPartOfTheHierarchyIsMounted() throws Exception {
        var mounts = VERSION_2.replace(" / /sys", " /docker/abc /sys");
        var cgroups = cgroups(mounts, "0::/docker/abc/init\n", "0::/docker/abc" + POD + "\n");
        assertEquals(List.of("/sys/fs/cgroup/init/cgroup.procs"), places(cgroups));
    }

    @Test
    void aHierarchyThatProcess1DoesNotSeeIsNamed() throws Exception {
        var cgroups = cgroups(VERSION_2, "3:freezer:/\n0::/\n", "3:freezer:/pod\n0::/\n");
        var failure = assertThrows(IOException.class, () -> cgroups.places(77));
        assertEquals("process 1 does not see its cgroup freezer:/", failure.getMessage());
    }

    @Test
    void outsideOfContainersThereIsNothingToLeave() throws Exception {
        processes("pid:[4026531836]");
        assertEquals(List.of(), places(cgroups(VERSION_2, "0::/\n", "0::/\n")));
    }

    @Test
    void aContainerWithItsOwnProcessIdsCannotBeLeft() throws Exception {
        processes("pid:[4026532999]");
        var cgroups = cgroups(VERSION_2, "0::/\n", "0::/\n");
        var failure = assertThrows(IOException.class, () -> cgroups.places(77));
        assertTrue(failure.getMessage().contains("hostPID"), failure.getMessage());
    }
}
