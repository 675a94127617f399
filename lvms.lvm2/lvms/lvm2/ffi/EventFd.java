package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * {@code int eventfd(unsigned int initval, int flags)}; eventfd(2): lets another thread end a
 * {@link Poll}. It stays readable once signalled. Any thread may signal; its owner closes it, after
 * the last signal.
 */
public final class EventFd implements AutoCloseable {
    static final int CLOEXEC = 0x80000;
    static final int NONBLOCK = 0x800;
    private static final MethodHandle EVENTFD =
            C.handle("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), Errno.CAPTURE);
    private static final MethodHandle WRITE =
            C.handle(
                    "write",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                    Errno.CAPTURE);

    private final Fd fd;

    private EventFd(Fd fd) {
        this.fd = fd;
    }

    /** Makes an event that is not signalled. */
    public static EventFd create() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            int number;
            try {
                number = (int) EVENTFD.invokeExact(state, 0, CLOEXEC | NONBLOCK);
            } catch (Throwable t) {
                throw C.mismatch("eventfd", t);
            }
            if (number < 0) {
                throw Errno.exception("eventfd", state);
            }
            return new EventFd(Fd.of(number));
        }
    }

    /** Returns the descriptor to poll. */
    public Fd fd() {
        return fd;
    }

    /** Makes it readable, for good. */
    public void signal() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var one = arena.allocateFrom(JAVA_LONG, 1L);
            long written;
            try {
                written = (long) WRITE.invokeExact(state, fd.number(), one, 8L);
            } catch (Throwable t) {
                throw C.mismatch("write", t);
            }
            if (written < 0 && Errno.in(state) != ErrnoException.EAGAIN) { // EAGAIN: signalled
                throw Errno.exception("write to eventfd", state);
            }
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
