package lvms.lvm2.ffi;

import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.List;
import java.util.TreeMap;

/** Every layout has the size and offsets that the C compiler gives the struct. */
@LinuxOnly
class StructLayoutTests {
    private static final String COMPILERS = "lvms.lvm2.ffi.Headers#compilers";

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void statvfs(String compiler) throws Exception {
        compare(compiler, "sys/statvfs.h", "struct statvfs", Statvfs.BUF);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void deviceMapper(String compiler) throws Exception {
        compare(compiler, "linux/dm-ioctl.h", "struct dm_name_list", DmControl.NAMES);
        compare(compiler, "linux/dm-ioctl.h", "struct dm_target_spec", DmControl.TARGET);
        compare(compiler, "linux/dm-ioctl.h", "struct dm_ioctl", DmControl.IOCTL);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void loopDevices(String compiler) throws Exception {
        compare(compiler, "linux/loop.h", "struct loop_info64", LoopCalls.INFO);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void poll(String compiler) throws Exception {
        compare(compiler, "sys/poll.h", "struct pollfd", Poll.POLLFD);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void netlinkMessages(String compiler) throws Exception {
        compare(compiler, "sys/socket.h", "struct msghdr", UeventSocket.MSGHDR);
        compare(compiler, "sys/uio.h", "struct iovec", UeventSocket.IOVEC);
        compare(compiler, "sys/socket.h", "struct cmsghdr", UeventSocket.CMSGHDR);
        compare(compiler, "linux/netlink.h", "struct sockaddr_nl", UeventSocket.SOCKADDR);
    }

    private static void compare(String compiler, String header, String struct, StructLayout layout)
            throws Exception {
        var mine = new TreeMap<String, Long>();
        for (var member : layout.memberLayouts()) {
            member.name()
                    .ifPresent(
                            field ->
                                    mine.put(
                                            "offsetof(%s, %s)".formatted(struct, field),
                                            layout.byteOffset(
                                                    MemoryLayout.PathElement.groupElement(field))));
        }
        mine.put("sizeof(" + struct + ")", layout.byteSize());
        new Headers(compiler).agree(List.of(header), mine);
    }
}
