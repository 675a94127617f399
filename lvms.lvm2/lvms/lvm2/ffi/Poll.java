package lvms.lvm2.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code int poll(struct pollfd *fds, nfds_t nfds, int timeout)}; poll(2). It blocks the thread
 * without using the processor, so call it from a platform thread: a virtual one would hold its
 * carrier.
 */
public final class Poll {
    static final StructLayout POLLFD =
            MemoryLayout.structLayout(
                    JAVA_INT.withName("fd"),
                    JAVA_SHORT.withName("events"),
                    JAVA_SHORT.withName("revents"));
    static final short POLLIN = 1;
    private static final MethodHandle POLL =
            C.handle(
                    "poll",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
                    Errno.CAPTURE);

    private Poll() {}

    /**
     * Waits until one of the descriptors has something to read, or an error, or the time is over; a
     * signal may end the wait early.
     *
     * @param timeout how long to wait at most; empty: forever
     */
    public static void await(List<Fd> descriptors, Optional<Duration> timeout)
            throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            var fds = arena.allocate(POLLFD, descriptors.size());
            for (int i = 0; i < descriptors.size(); i++) {
                var one = fds.asSlice(i * POLLFD.byteSize(), POLLFD.byteSize());
                one.set(JAVA_INT, 0, descriptors.get(i).number());
                one.set(JAVA_SHORT, POLLFD.byteOffset(groupElement("events")), POLLIN);
            }
            int millis = timeout.map(time -> Math.toIntExact(time.toMillis())).orElse(-1);
            int result;
            try {
                result = (int) POLL.invokeExact(state, fds, (long) descriptors.size(), millis);
            } catch (Throwable t) {
                throw C.mismatch("poll", t);
            }
            if (result < 0 && Errno.in(state) != ErrnoException.EINTR) {
                throw Errno.exception("poll", state);
            }
        }
    }
}
