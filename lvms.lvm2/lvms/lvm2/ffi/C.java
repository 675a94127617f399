package lvms.lvm2.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Looks up functions of the C library that this JVM runs on. */
final class C {
    private C() {}

    @SuppressWarnings("restricted")
    static MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... options) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    static AssertionError mismatch(String function, Throwable cause) {
        return new AssertionError(function + ": the descriptor does not match the call", cause);
    }
}
