package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The environment that C code and started programs see: setenv(3), unsetenv(3). Java keeps a copy
 * of its own. Neither is safe beside a getenv(3) of another thread, so only a process that has one
 * thread in C code may change it.
 */
public final class Environment {
    private static final MethodHandle SETENV =
            C.handle("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle UNSETENV =
            C.handle("unsetenv", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    private Environment() {}

    /** Sets a variable, or removes it. */
    public static void put(String name, Optional<String> value) {
        int failed;
        try (var arena = Arena.ofConfined()) {
            var key = arena.allocateFrom(name);
            failed =
                    value.isPresent()
                            ? (int) SETENV.invokeExact(key, arena.allocateFrom(value.get()), 1)
                            : (int) UNSETENV.invokeExact(key);
        } catch (Throwable t) {
            throw C.mismatch("setenv", t);
        }
        if (failed != 0) {
            throw new IllegalStateException("setenv " + name);
        }
    }
}
