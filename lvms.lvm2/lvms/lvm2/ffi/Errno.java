package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** How errno(3) is captured with a call: the option, the layout of its segment, the reader. */
final class Errno {
    static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle VALUE =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle STRERROR_R =
            C.handle("strerror_r", FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final int TEXT_BYTES = 256;

    private Errno() {}

    static int in(MemorySegment state) {
        return (int) VALUE.get(state, 0L);
    }

    static ErrnoException exception(String tried, MemorySegment state) {
        int number = in(state);
        return new ErrnoException(tried, number, text(number));
    }

    /** {@code char *strerror_r(int, char *, size_t)}, the GNU variant: the result is the text. */
    @SuppressWarnings("restricted") // the text is at most as long as the buffer
    private static String text(int number) {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(TEXT_BYTES);
            var text = (MemorySegment) STRERROR_R.invokeExact(number, buffer, (long) TEXT_BYTES);
            return text.reinterpret(TEXT_BYTES).getString(0);
        } catch (Throwable t) {
            throw C.mismatch("strerror_r", t);
        }
    }
}
