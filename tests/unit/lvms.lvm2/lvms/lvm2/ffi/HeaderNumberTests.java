package lvms.lvm2.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.system.ErrnoException;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every number that we give the kernel or the C library, or get from them, is that of its header.
 */
@LinuxOnly
class HeaderNumberTests {
    private static final String COMPILERS = "lvms.lvm2.ffi.Headers#compilers";

    private static Map<String, Long> numbers(Object... namesAndNumbers) {
        var numbers = new TreeMap<String, Long>();
        for (int i = 0; i < namesAndNumbers.length; i += 2) {
            numbers.put((String) namesAndNumbers[i], ((Number) namesAndNumbers[i + 1]).longValue());
        }
        return numbers;
    }

    private static void agree(String compiler, List<String> headers, Object... numbers)
            throws Exception {
        new Headers(compiler).agree(headers, numbers(numbers));
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void files(String compiler) throws Exception {
        agree(
                compiler,
                List.of("fcntl.h", "sys/file.h", "unistd.h", "sys/mman.h"),
                "O_RDONLY",
                Fd.RDONLY,
                "O_RDWR",
                Fd.RDWR,
                "O_CREAT",
                Fd.CREAT,
                "O_EXCL",
                Fd.EXCL,
                "O_NONBLOCK",
                Fd.NONBLOCK,
                "O_CLOEXEC",
                Fd.CLOEXEC,
                "LOCK_SH",
                Fd.LOCK_SH,
                "LOCK_EX",
                Fd.LOCK_EX,
                "LOCK_NB",
                Fd.LOCK_NB,
                "MFD_CLOEXEC",
                Capture.MFD_CLOEXEC,
                "SEEK_SET",
                Capture.SEEK_SET,
                "SEEK_CUR",
                Capture.SEEK_CUR,
                "F_SETFD",
                OwnSession.F_SETFD,
                "FD_CLOEXEC",
                OwnSession.FD_CLOEXEC);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void requestsToDevices(String compiler) throws Exception {
        agree(
                compiler,
                List.of("linux/fs.h", "linux/loop.h", "sys/ioctl.h"),
                "BLKRRPART",
                Fd.BLKRRPART,
                "BLKDISCARD",
                Fd.BLKDISCARD,
                "BLKZEROOUT",
                Fd.BLKZEROOUT,
                "FITRIM",
                Fd.FITRIM,
                "LOOP_SET_FD",
                LoopCalls.SET_FD,
                "LOOP_CLR_FD",
                LoopCalls.CLR_FD,
                "LOOP_GET_STATUS64",
                LoopCalls.GET_STATUS64,
                "LOOP_CTL_ADD",
                LoopCalls.CTL_ADD,
                "LOOP_CTL_GET_FREE",
                LoopCalls.CTL_GET_FREE);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void deviceMapper(String compiler) throws Exception {
        agree(
                compiler,
                List.of("sys/ioctl.h", "linux/dm-ioctl.h"),
                "DM_LIST_DEVICES",
                DmControl.request(DmControl.LIST_DEVICES),
                "DM_DEV_SUSPEND",
                DmControl.request(DmControl.DEV_SUSPEND),
                "DM_TABLE_CLEAR",
                DmControl.request(DmControl.TABLE_CLEAR),
                "DM_TABLE_STATUS",
                DmControl.request(DmControl.TABLE_STATUS),
                "DM_TARGET_MSG",
                DmControl.request(DmControl.TARGET_MSG),
                "DM_DEV_ARM_POLL",
                DmControl.request(DmControl.ARM_POLL),
                "DM_READONLY_FLAG",
                DmControl.READONLY_FLAG,
                "DM_SUSPEND_FLAG",
                DmControl.SUSPEND_FLAG,
                "DM_STATUS_TABLE_FLAG",
                DmControl.STATUS_TABLE_FLAG,
                "DM_INACTIVE_PRESENT_FLAG",
                DmControl.INACTIVE_PRESENT_FLAG,
                "DM_BUFFER_FULL_FLAG",
                DmControl.BUFFER_FULL_FLAG,
                "DM_SKIP_LOCKFS_FLAG",
                DmControl.SKIP_LOCKFS_FLAG,
                "DM_NOFLUSH_FLAG",
                DmControl.NOFLUSH_FLAG,
                "DM_NAME_LEN",
                DmControl.MAX_NAME,
                "DM_VERSION_MAJOR",
                DmControl.VERSION_MAJOR);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void processesAndNamespaces(String compiler) throws Exception {
        agree(
                compiler,
                List.of("sched.h", "signal.h", "sys/eventfd.h", "poll.h"),
                "CLONE_FS",
                Namespaces.CLONE_FS,
                "CLONE_NEWNS",
                Namespaces.CLONE_NEWNS,
                "CLONE_NEWCGROUP",
                Namespaces.CLONE_NEWCGROUP,
                "CLONE_NEWUTS",
                Namespaces.CLONE_NEWUTS,
                "CLONE_NEWIPC",
                Namespaces.CLONE_NEWIPC,
                "SIGHUP",
                OwnSession.SIGHUP,
                "SIGINT",
                OwnSession.SIGINT,
                "SIGQUIT",
                OwnSession.SIGQUIT,
                "SIGKILL",
                OwnSession.SIGKILL,
                "SIGTERM",
                OwnSession.SIGTERM,
                "SIG_SETMASK",
                ThreadState.SIG_SETMASK,
                "sizeof(sigset_t)",
                ThreadState.SIGSET_BYTES,
                "EFD_CLOEXEC",
                EventFd.CLOEXEC,
                "EFD_NONBLOCK",
                EventFd.NONBLOCK,
                "POLLIN",
                Poll.POLLIN);
    }

    /** Each of these headers has come with the call; glibc's own lacks them. */
    @ParameterizedTest
    @MethodSource(COMPILERS)
    void filesystemsThatAreMountedNowhere(String compiler) throws Exception {
        agree(
                compiler,
                List.of("linux/mount.h", "linux/fcntl.h", "asm/unistd.h"),
                "__NR_fsopen",
                PrivateTmpfs.FSOPEN,
                "__NR_fsconfig",
                PrivateTmpfs.FSCONFIG,
                "__NR_fsmount",
                PrivateTmpfs.FSMOUNT,
                "__NR_mount_setattr",
                PrivateTmpfs.MOUNT_SETATTR,
                "FSOPEN_CLOEXEC",
                PrivateTmpfs.CLOEXEC,
                "FSMOUNT_CLOEXEC",
                PrivateTmpfs.CLOEXEC,
                "FSCONFIG_SET_STRING",
                PrivateTmpfs.SET_STRING,
                "FSCONFIG_CMD_CREATE",
                PrivateTmpfs.CMD_CREATE,
                "MOUNT_ATTR_RDONLY",
                PrivateTmpfs.RDONLY,
                "MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC",
                PrivateTmpfs.NOSUID_NODEV_NOEXEC,
                "sizeof(struct mount_attr)",
                PrivateTmpfs.MOUNT_ATTR_BYTES,
                "AT_EMPTY_PATH",
                PrivateTmpfs.AT_EMPTY_PATH);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void uevents(String compiler) throws Exception {
        agree(
                compiler,
                List.of("sys/socket.h", "linux/netlink.h"),
                "AF_NETLINK",
                UeventSocket.AF_NETLINK,
                "SOCK_RAW",
                UeventSocket.SOCK_RAW,
                "SOCK_NONBLOCK",
                UeventSocket.SOCK_NONBLOCK,
                "SOCK_CLOEXEC",
                UeventSocket.SOCK_CLOEXEC,
                "NETLINK_KOBJECT_UEVENT",
                UeventSocket.NETLINK_KOBJECT_UEVENT,
                "SOL_SOCKET",
                UeventSocket.SOL_SOCKET,
                "SO_RCVBUF",
                UeventSocket.SO_RCVBUF,
                "SO_PASSCRED",
                UeventSocket.SO_PASSCRED,
                "SO_RCVBUFFORCE",
                UeventSocket.SO_RCVBUFFORCE,
                "SCM_CREDENTIALS",
                UeventSocket.SCM_CREDENTIALS);
    }

    @ParameterizedTest
    @MethodSource(COMPILERS)
    void errors(String compiler) throws Exception {
        agree(
                compiler,
                List.of("errno.h"),
                "ENOENT",
                ErrnoException.ENOENT,
                "EINTR",
                ErrnoException.EINTR,
                "EIO",
                ErrnoException.EIO,
                "ENXIO",
                ErrnoException.ENXIO,
                "EAGAIN",
                ErrnoException.EAGAIN,
                "EBUSY",
                ErrnoException.EBUSY,
                "EEXIST",
                ErrnoException.EEXIST,
                "ENODEV",
                ErrnoException.ENODEV,
                "EINVAL",
                ErrnoException.EINVAL,
                "ENOTTY",
                ErrnoException.ENOTTY,
                "EROFS",
                ErrnoException.EROFS,
                "EOPNOTSUPP",
                ErrnoException.EOPNOTSUPP,
                "ENOBUFS",
                ErrnoException.ENOBUFS);
    }

    /** Source: {@code linux/fs.h}, compiled for each: a request has the architecture's encoding. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "amd64, x86_64-linux-gnu-gcc, 0x1277, 0xc0185879",
        "aarch64, aarch64-linux-gnu-gcc, 0x1277, 0xc0185879",
        "s390x, s390x-linux-gnu-gcc, 0x1277, 0xc0185879",
        "ppc64le, powerpc64le-linux-gnu-gcc, 0x20001277, 0xc0185879",
    })
    void requestsAreEncodedAsOnTheArchitecture(
            String architecture, String compiler, String discard, String trim) throws Exception {
        var ioctl = Ioctl.of(architecture);
        long blkdiscard = ioctl.request(ioctl.none(), 0x12, 119, 0);
        long fitrim = ioctl.request(ioctl.readWrite(), 'X', 121, 24);
        assertEquals(Long.decode(discard), blkdiscard);
        assertEquals(Long.decode(trim), fitrim);
        if (Headers.isThere(compiler)) {
            agree(compiler, List.of("linux/fs.h"), "BLKDISCARD", blkdiscard, "FITRIM", fitrim);
        }
    }
}
