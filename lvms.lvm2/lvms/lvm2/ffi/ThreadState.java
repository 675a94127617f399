package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * What LVM may leave changed: the calling thread's signal mask (pthread_sigmask(3), {@code
 * sigset_t} of 128 bytes) and the process's umask (umask(2)). Made and used by one thread.
 */
public final class ThreadState {
    static final long SIGSET_BYTES = 128;
    static final int SIG_SETMASK = 2;
    private static final MethodHandle PTHREAD_SIGMASK =
            C.handle(
                    "pthread_sigmask", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle UMASK =
            C.handle("umask", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final MemorySegment mask;
    private final int umask;

    private ThreadState(MemorySegment mask, int umask) {
        this.mask = mask;
        this.umask = umask;
    }

    /** Remembers the present state, for the life of this process. */
    @SuppressWarnings("restricted")
    public static ThreadState save() {
        try {
            var mask = Arena.global().allocate(SIGSET_BYTES, 8);
            int failed = (int) PTHREAD_SIGMASK.invokeExact(SIG_SETMASK, MemorySegment.NULL, mask);
            if (failed != 0) {
                throw new IllegalStateException("pthread_sigmask: error " + failed);
            }
            int umask = (int) UMASK.invokeExact(0022); // it can only be read by setting it
            int ignored = (int) UMASK.invokeExact(umask);
            return new ThreadState(mask, umask);
        } catch (IllegalStateException e) {
            throw e;
        } catch (Throwable t) {
            throw C.mismatch("pthread_sigmask", t);
        }
    }

    /** Sets both as they were. */
    public void restore() {
        try {
            int failed = (int) PTHREAD_SIGMASK.invokeExact(SIG_SETMASK, mask, MemorySegment.NULL);
            int before = (int) UMASK.invokeExact(umask);
            if (failed != 0) {
                throw new IllegalStateException("pthread_sigmask: error " + failed);
            }
        } catch (IllegalStateException e) {
            throw e;
        } catch (Throwable t) {
            throw C.mismatch("pthread_sigmask", t);
        }
    }
}
