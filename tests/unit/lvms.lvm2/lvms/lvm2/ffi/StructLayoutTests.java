package lvms.lvm2.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.system.Program;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Every layout has the size and offsets that the C compiler of this machine gives the struct. */
class StructLayoutTests {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir Path folder;

    @Test
    void statvfs() throws Exception {
        compare("sys/statvfs.h", "struct statvfs", Statvfs.BUF);
    }

    @Test
    void deviceMapperNames() throws Exception {
        compare("linux/dm-ioctl.h", "struct dm_name_list", DmControl.NAMES);
    }

    @Test
    void deviceMapperTargets() throws Exception {
        compare("linux/dm-ioctl.h", "struct dm_target_spec", DmControl.TARGET);
    }

    @Test
    void deviceMapperIoctl() throws Exception {
        compare("linux/dm-ioctl.h", "struct dm_ioctl", DmControl.IOCTL);
    }

    @Test
    void loopDevices() throws Exception {
        compare("linux/loop.h", "struct loop_info64", LoopCalls.INFO);
    }

    @Test
    void poll() throws Exception {
        compare("sys/poll.h", "struct pollfd", Poll.POLLFD);
    }

    @Test
    void netlinkMessages() throws Exception {
        compare("sys/socket.h", "struct msghdr", UeventSocket.MSGHDR);
        compare("sys/uio.h", "struct iovec", UeventSocket.IOVEC);
        compare("sys/socket.h", "struct cmsghdr", UeventSocket.CMSGHDR);
        compare("linux/netlink.h", "struct sockaddr_nl", UeventSocket.SOCKADDR);
    }

    private void compare(String header, String struct, StructLayout layout) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no gcc here");
        assumeTrue(
                Files.exists(Path.of("/usr/include", header)) || header.startsWith("sys/"),
                header + " is not installed");
        var fields =
                layout.memberLayouts().stream().flatMap(member -> member.name().stream()).toList();
        var mine = new TreeMap<String, Long>();
        fields.forEach(
                field ->
                        mine.put(
                                field,
                                layout.byteOffset(MemoryLayout.PathElement.groupElement(field))));
        mine.put("sizeof", layout.byteSize());
        assertEquals(mine, compilersView(header, struct, fields));
    }

    private TreeMap<String, Long> compilersView(String header, String struct, List<String> fields)
            throws Exception {
        var source = new StringBuilder("#include <stddef.h>\n#include <stdint.h>\n");
        source.append("#include <sys/types.h>\n#include <stdio.h>\n#include <").append(header);
        source.append(">\nint main(void) {\n");
        for (var field : fields) {
            source.append("printf(\"%s %zu\\n\", \"").append(field).append("\", offsetof(");
            source.append(struct).append(", ").append(field).append("));\n");
        }
        source.append("printf(\"sizeof %zu\\n\", sizeof(").append(struct).append("));\n}\n");
        var file = Files.writeString(folder.resolve("layout.c"), source);
        var program = folder.resolve("layout").toString();
        var compiled = Program.of(DEADLINE, "gcc", "-o", program, file.toString()).run();
        assertTrue(compiled.succeeded(), compiled.stderr());
        var view = new TreeMap<String, Long>();
        Program.of(DEADLINE, program)
                .run()
                .stdout()
                .lines()
                .map(line -> line.split(" "))
                .forEach(words -> view.put(words[0], Long.parseLong(words[1])));
        return view;
    }
}
