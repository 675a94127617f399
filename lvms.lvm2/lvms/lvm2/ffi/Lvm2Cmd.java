package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code lvm2_init}, {@code lvm2_run}, {@code lvm2_exit} (header lvm2cmd.h, library {@code
 * liblvm2cmd.so.2.03}). The library has one set of globals: one handle at a time, one thread, and
 * only in a process that may be lost. It changes the umask and the handlers of SIGINT and SIGTERM.
 * While it holds a lock, it blocks every signal of the calling thread, including those the JVM
 * lives on. So no log function is ever registered: an upcall could not survive that.
 */
public final class Lvm2Cmd {
    private static final String LIBRARY = "liblvm2cmd.so.2.03";
    private static final String TOO_OLD = "liblvm2cmd.so.2.02";
    private static final List<String> FOLDERS =
            List.of("/usr/lib64/", "/lib64/", "/usr/lib/", "/lib/");

    private final MethodHandle init;
    private final MethodHandle run;
    private final MethodHandle exit;

    private Lvm2Cmd(SymbolLookup library) {
        init = handle(library, "lvm2_init", FunctionDescriptor.of(ADDRESS));
        run = handle(library, "lvm2_run", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        exit = handle(library, "lvm2_exit", FunctionDescriptor.ofVoid(ADDRESS));
    }

    /**
     * Loads the library as the calling thread's mount namespace has it. It is never unloaded: its
     * destructors would run with handles open.
     *
     * @throws IllegalArgumentException saying in one line why it cannot be used: it is missing, too
     *     old, needs a newer C library, or is something else
     */
    public static Lvm2Cmd load() {
        var library = find(LIBRARY);
        if (library.isPresent()) {
            try {
                return new Lvm2Cmd(library.get());
            } catch (NoSuchElementException e) {
                throw new IllegalArgumentException(LIBRARY + ": " + e.getMessage(), e);
            }
        }
        if (find(TOO_OLD).isPresent()) {
            throw new IllegalArgumentException(
                    "LVM is too old: it has " + TOO_OLD + ", but " + LIBRARY + " is needed");
        }
        throw new IllegalArgumentException(LIBRARY + " cannot be loaded: " + DlError.of(LIBRARY));
    }

    private static Optional<SymbolLookup> find(String library) {
        return Stream.concat(Stream.of(""), FOLDERS.stream())
                .map(folder -> lookup(folder + library))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Makes a handle: LVM reads its configuration and the kernel's kinds of devices. */
    public Handle open() {
        try {
            return new Handle((MemorySegment) init.invokeExact());
        } catch (Throwable t) {
            throw C.mismatch("lvm2_init", t);
        }
    }

    /**
     * A handle for one command: after that, it would remember sizes of devices that have since
     * grown.
     */
    public final class Handle implements AutoCloseable {
        private static final int INITIALIZATION_FAILED = 4;

        private final MemorySegment address;

        private Handle(MemorySegment address) {
            this.address = address;
        }

        /** Returns whether LVM could make it, so whether it could read its configuration. */
        public boolean usable() {
            return !address.equals(MemorySegment.NULL);
        }

        /**
         * Runs one command line.
         *
         * @return 1 success, 2 no such command, 3 bad parameters, 4 initialization, 5 processing
         */
        public int run(String commandLine) {
            if (!usable()) {
                return INITIALIZATION_FAILED;
            }
            try (var arena = Arena.ofConfined()) {
                return (int) run.invokeExact(address, arena.allocateFrom(commandLine));
            } catch (Throwable t) {
                throw C.mismatch("lvm2_run", t);
            }
        }

        @Override
        public void close() {
            if (!usable()) {
                return;
            }
            try {
                exit.invokeExact(address);
            } catch (Throwable t) {
                throw C.mismatch("lvm2_exit", t);
            }
        }
    }

    @SuppressWarnings("restricted")
    private static Optional<SymbolLookup> lookup(String name) {
        try {
            return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(SymbolLookup library, String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    }
}
