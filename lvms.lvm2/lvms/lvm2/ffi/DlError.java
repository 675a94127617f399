package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * What dlopen(3) says about a library that cannot be loaded, from dlerror(3): missing, not a
 * library, or built for a newer C library. {@link java.lang.foreign.SymbolLookup} does not report
 * it. Any thread may call.
 */
final class DlError {
    private static final int RTLD_LAZY = 1;
    private static final long MAX_BYTES = 4096;
    private static final MethodHandle DLOPEN =
            C.handle("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle DLERROR = C.handle("dlerror", FunctionDescriptor.of(ADDRESS));

    private DlError() {}

    /** Tries to load a library and returns the error; empty if it can be loaded. */
    @SuppressWarnings("restricted")
    static String of(String library) {
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocateFrom(library);
            var handle = (MemorySegment) DLOPEN.invokeExact(name, RTLD_LAZY);
            if (!handle.equals(MemorySegment.NULL)) {
                return "";
            }
            var text = (MemorySegment) DLERROR.invokeExact();
            return text.equals(MemorySegment.NULL) ? "" : text.reinterpret(MAX_BYTES).getString(0);
        } catch (Throwable t) {
            throw C.mismatch("dlopen", t);
        }
    }
}
