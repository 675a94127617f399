package lvms.lvm2.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A socket that receives the kernel's uevents: netlink(7), {@code NETLINK_KOBJECT_UEVENT},
 * multicast group 1, which needs no privilege to listen to. One thread at a time.
 *
 * <p>Whoever has CAP_NET_ADMIN may send to that group too. A message that did not come from the
 * kernel is dropped: its port is not 0, and the credentials that the kernel attaches (unix(7),
 * {@code SCM_CREDENTIALS}) are not those of process 0. Both are checked, since a process outside
 * our pid namespace also shows as 0.
 */
public final class UeventSocket implements AutoCloseable {
    static final int AF_NETLINK = 16;
    static final int SOCK_RAW = 3;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int NETLINK_KOBJECT_UEVENT = 15;
    private static final int KERNEL_GROUP = 1;
    static final int SOL_SOCKET = 1;
    static final int SO_RCVBUF = 8;
    static final int SO_PASSCRED = 16;
    static final int SO_RCVBUFFORCE = 33;
    static final int SCM_CREDENTIALS = 2;

    /** Room for the uevents of a few hundred disks that appear at once. */
    private static final int RECEIVE_BUFFER = 1 << 20;

    /** The kernel's limit for one uevent is 2 KiB plus its header (UEVENT_BUFFER_SIZE). */
    private static final long MAX_MESSAGE = 8192;

    private static final long CONTROL_BYTES = 256;

    /** {@code struct sockaddr_nl}. */
    static final StructLayout SOCKADDR =
            MemoryLayout.structLayout(
                    JAVA_SHORT.withName("nl_family"),
                    JAVA_SHORT.withName("nl_pad"),
                    JAVA_INT.withName("nl_pid"),
                    JAVA_INT.withName("nl_groups"));

    /** {@code struct iovec}. */
    static final StructLayout IOVEC =
            MemoryLayout.structLayout(ADDRESS.withName("iov_base"), JAVA_LONG.withName("iov_len"));

    /** {@code struct msghdr} of glibc on LP64. */
    static final StructLayout MSGHDR =
            MemoryLayout.structLayout(
                    ADDRESS.withName("msg_name"),
                    JAVA_INT.withName("msg_namelen"),
                    MemoryLayout.paddingLayout(4),
                    ADDRESS.withName("msg_iov"),
                    JAVA_LONG.withName("msg_iovlen"),
                    ADDRESS.withName("msg_control"),
                    JAVA_LONG.withName("msg_controllen"),
                    JAVA_INT.withName("msg_flags"),
                    MemoryLayout.paddingLayout(4));

    /** {@code struct cmsghdr}; {@code struct ucred} follows: pid, uid, gid. */
    static final StructLayout CMSGHDR =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("cmsg_len"),
                    JAVA_INT.withName("cmsg_level"),
                    JAVA_INT.withName("cmsg_type"));

    private static final MethodHandle SOCKET =
            C.handle(
                    "socket",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    Errno.CAPTURE);
    private static final MethodHandle BIND =
            C.handle(
                    "bind",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
                    Errno.CAPTURE);
    private static final MethodHandle SETSOCKOPT =
            C.handle(
                    "setsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
                    Errno.CAPTURE);
    private static final MethodHandle RECVMSG =
            C.handle(
                    "recvmsg",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT),
                    Errno.CAPTURE);

    private final Fd fd;

    private UeventSocket(Fd fd) {
        this.fd = fd;
    }

    /** Opens a socket that receives every uevent from now on. */
    public static UeventSocket open() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int number;
            try {
                number =
                        (int)
                                SOCKET.invokeExact(
                                        state,
                                        AF_NETLINK,
                                        SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
                                        NETLINK_KOBJECT_UEVENT);
            } catch (Throwable t) {
                throw C.mismatch("socket", t);
            }
            if (number < 0) {
                throw Errno.exception("netlink socket for uevents", state);
            }
            var socket = new UeventSocket(Fd.of(number));
            try {
                socket.prepare(arena, state);
            } catch (ErrnoException e) {
                socket.close();
                throw e;
            }
            return socket;
        }
    }

    private void prepare(Arena arena, MemorySegment state) throws ErrnoException {
        set(arena, state, SO_PASSCRED, 1);
        try {
            set(arena, state, SO_RCVBUFFORCE, RECEIVE_BUFFER);
        } catch (ErrnoException e) {
            set(arena, state, SO_RCVBUF, RECEIVE_BUFFER); // without CAP_NET_ADMIN, up to a limit
        }
        var address = arena.allocate(SOCKADDR);
        address.set(JAVA_SHORT, 0, (short) AF_NETLINK);
        address.set(JAVA_INT, SOCKADDR.byteOffset(groupElement("nl_groups")), KERNEL_GROUP);
        int result;
        try {
            result = (int) BIND.invokeExact(state, fd.number(), address, (int) SOCKADDR.byteSize());
        } catch (Throwable t) {
            throw C.mismatch("bind", t);
        }
        if (result != 0) {
            throw Errno.exception("bind to the kernel's uevents", state);
        }
    }

    private void set(Arena arena, MemorySegment state, int option, int value)
            throws ErrnoException {
        var text = arena.allocateFrom(JAVA_INT, value);
        int result;
        try {
            result = (int) SETSOCKOPT.invokeExact(state, fd.number(), SOL_SOCKET, option, text, 4);
        } catch (Throwable t) {
            throw C.mismatch("setsockopt", t);
        }
        if (result != 0) {
            throw Errno.exception("setsockopt " + option, state);
        }
    }

    /** Returns the descriptor to poll. */
    public Fd fd() {
        return fd;
    }

    /**
     * Takes the next message without waiting.
     *
     * @return its bytes, none if it did not come from the kernel or was truncated; empty if there
     *     is no message
     * @throws ErrnoException ENOBUFS if messages were lost; the socket can still be used
     */
    public Optional<byte[]> receive() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var header = header(arena);
            long length;
            try {
                length = (long) RECVMSG.invokeExact(state, fd.number(), header, 0);
            } catch (Throwable t) {
                throw C.mismatch("recvmsg", t);
            }
            if (length < 0) {
                int errno = Errno.in(state);
                if (errno == ErrnoException.EAGAIN || errno == ErrnoException.EINTR) {
                    return Optional.empty();
                }
                throw Errno.exception("recvmsg of a uevent", state);
            }
            return Optional.of(fromKernel(header) ? bytes(header, length) : new byte[0]);
        }
    }

    private static MemorySegment header(Arena arena) {
        var vector = arena.allocate(IOVEC);
        vector.set(ADDRESS, 0, arena.allocate(MAX_MESSAGE));
        vector.set(JAVA_LONG, IOVEC.byteOffset(groupElement("iov_len")), MAX_MESSAGE);
        var header = arena.allocate(MSGHDR);
        header.set(ADDRESS, offset("msg_name"), arena.allocate(SOCKADDR));
        header.set(JAVA_INT, offset("msg_namelen"), (int) SOCKADDR.byteSize());
        header.set(ADDRESS, offset("msg_iov"), vector);
        header.set(JAVA_LONG, offset("msg_iovlen"), 1);
        header.set(ADDRESS, offset("msg_control"), arena.allocate(CONTROL_BYTES, 8));
        header.set(JAVA_LONG, offset("msg_controllen"), CONTROL_BYTES);
        return header;
    }

    @SuppressWarnings("restricted") // the buffers are those of header()
    private static boolean fromKernel(MemorySegment header) {
        var sender = header.get(ADDRESS, offset("msg_name")).reinterpret(SOCKADDR.byteSize());
        int port = sender.get(JAVA_INT, SOCKADDR.byteOffset(groupElement("nl_pid")));
        int groups = sender.get(JAVA_INT, SOCKADDR.byteOffset(groupElement("nl_groups")));
        if (port != 0 || (groups & KERNEL_GROUP) == 0) {
            return false;
        }
        long length = header.get(JAVA_LONG, offset("msg_controllen"));
        var control = header.get(ADDRESS, offset("msg_control")).reinterpret(CONTROL_BYTES);
        long credentials = CMSGHDR.byteSize();
        return length >= credentials + 12
                && control.get(JAVA_INT, CMSGHDR.byteOffset(groupElement("cmsg_level")))
                        == SOL_SOCKET
                && control.get(JAVA_INT, CMSGHDR.byteOffset(groupElement("cmsg_type")))
                        == SCM_CREDENTIALS
                && control.get(JAVA_INT, credentials) == 0;
    }

    @SuppressWarnings("restricted") // the buffer is that of header()
    private static byte[] bytes(MemorySegment header, long length) {
        var vector = header.get(ADDRESS, offset("msg_iov")).reinterpret(IOVEC.byteSize());
        var text = vector.get(ADDRESS, 0).reinterpret(MAX_MESSAGE);
        return text.asSlice(0, Math.min(length, MAX_MESSAGE)).toArray(JAVA_BYTE);
    }

    private static long offset(String field) {
        return MSGHDR.byteOffset(groupElement(field));
    }

    @Override
    public void close() {
        fd.close();
    }
}
