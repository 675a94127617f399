package lvms.lvm2.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Low-level probing of libblkid (header blkid.h, library {@code libblkid.so.1}): {@code
 * blkid_new_probe} and related functions. Each probe has an object of its own, so any thread may
 * call. Errors come as -1 with errno; 1 is "nothing found", -2 is "ambivalent".
 */
public final class Blkid {
    private static final int LABEL = 1 << 1;
    private static final int UUID = 1 << 3;
    private static final int TYPE = 1 << 5;
    private static final int USAGE = 1 << 7;
    private static final int VERSION = 1 << 8;
    private static final int MAGIC = 1 << 9;
    private static final int BADCSUM = 1 << 10;
    private static final int PARTITIONS_FORCE_GPT = 1 << 1;
    private static final int PARTITIONS_MAGIC = 1 << 3;
    private static final List<String> KEYS =
            List.of("TYPE", "PTTYPE", "USAGE", "VERSION", "LABEL", "UUID");
    private static final int AMBIVALENT = -2;
    private static final int MAX_FOUND = 32;

    /** Prevents an endless loop: no filesystem has that many copies of its superblock. */
    private static final int MAX_WIPED = 1000;

    private static final FunctionDescriptor INT_OF_PROBE = FunctionDescriptor.of(JAVA_INT, ADDRESS);
    private static final FunctionDescriptor INT_OF_PROBE_INT =
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);

    /** Bound at first use, so that a machine without the library fails only there. */
    private static final class Bound {
        static final SymbolLookup LIBRARY = library();
        static final MethodHandle NEW = handle("blkid_new_probe", FunctionDescriptor.of(ADDRESS));
        static final MethodHandle FREE =
                handle("blkid_free_probe", FunctionDescriptor.ofVoid(ADDRESS));
        static final MethodHandle SET_DEVICE =
                handle(
                        "blkid_probe_set_device",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG),
                        Errno.CAPTURE);
        static final MethodHandle ENABLE_SUPERBLOCKS =
                handle("blkid_probe_enable_superblocks", INT_OF_PROBE_INT);
        static final MethodHandle SUPERBLOCKS_FLAGS =
                handle("blkid_probe_set_superblocks_flags", INT_OF_PROBE_INT);
        static final MethodHandle ENABLE_PARTITIONS =
                handle("blkid_probe_enable_partitions", INT_OF_PROBE_INT);
        static final MethodHandle SAFE_PROBE =
                handle("blkid_do_safeprobe", INT_OF_PROBE, Errno.CAPTURE);
        static final MethodHandle PROBE = handle("blkid_do_probe", INT_OF_PROBE, Errno.CAPTURE);
        static final MethodHandle PARTITIONS_FLAGS =
                handle("blkid_probe_set_partitions_flags", INT_OF_PROBE_INT);
        static final MethodHandle WIPE = handle("blkid_do_wipe", INT_OF_PROBE_INT, Errno.CAPTURE);
        static final MethodHandle LOOKUP =
                handle(
                        "blkid_probe_lookup_value",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

        @SuppressWarnings("restricted")
        private static SymbolLookup library() {
            return SymbolLookup.libraryLookup("libblkid.so.1", Arena.global());
        }

        @SuppressWarnings("restricted")
        private static MethodHandle handle(
                String name, FunctionDescriptor type, Linker.Option... options) {
            return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), type, options);
        }
    }

    private final MemorySegment probe;
    private final Arena arena;
    private final String name;

    private Blkid(MemorySegment probe, Arena arena, String name) {
        this.probe = probe;
        this.arena = arena;
        this.name = name;
    }

    /** How a probe ended. */
    public sealed interface Result {
        /** The library does not know anything that is there. */
        record Nothing() implements Result {}

        /** One kind of content: the library's values by their names, such as {@code TYPE}. */
        record Values(Map<String, String> values) implements Result {}

        /** Kinds of content that contradict each other, in the order of probing. */
        record Ambivalent(List<String> types) implements Result {}
    }

    /** What to do with a probe. */
    private interface Use<T> {
        T of(Blkid probe) throws Throwable;
    }

    /** Probes what the descriptor refers to; {@code name} is for messages. */
    public static Result probe(Fd fd, String name) throws IOException {
        return use(name, probe -> probe.probe(fd));
    }

    /**
     * Overwrites the magic of every signature and partition table, even of those with a wrong
     * checksum; the descriptor has to be open for writing.
     *
     * @return their types
     */
    public static List<String> wipe(Fd fd, String name) throws IOException {
        return use(name, probe -> probe.wipe(fd));
    }

    private static <T> T use(String name, Use<T> use) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var probe = (MemorySegment) Bound.NEW.invokeExact();
            if (probe.equals(MemorySegment.NULL)) {
                throw new IOException("blkid_new_probe: out of memory");
            }
            try {
                return use.of(new Blkid(probe, arena, name));
            } finally {
                Bound.FREE.invokeExact(probe);
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (LinkageError | AssertionError e) {
            throw new IOException("libblkid.so.1 cannot be used", e);
        } catch (Throwable t) {
            throw C.mismatch("libblkid", t);
        }
    }

    private Result probe(Fd fd) throws Throwable {
        var state = arena.allocate(Errno.STATE);
        if ((int) Bound.SET_DEVICE.invokeExact(state, probe, fd.number(), 0L, 0L) != 0) {
            throw Errno.exception("blkid_probe_set_device " + name, state);
        }
        int flags = LABEL | UUID | TYPE | USAGE | VERSION;
        int sum =
                (int) Bound.ENABLE_SUPERBLOCKS.invokeExact(probe, 1)
                        + (int) Bound.SUPERBLOCKS_FLAGS.invokeExact(probe, flags)
                        + (int) Bound.ENABLE_PARTITIONS.invokeExact(probe, 1);
        if (sum != 0) {
            throw new IOException("blkid_probe_enable_...: " + name);
        }
        int result = (int) Bound.SAFE_PROBE.invokeExact(state, probe);
        return switch (result) {
            case 0 -> new Result.Values(values());
            case 1 -> new Result.Nothing();
            case AMBIVALENT -> new Result.Ambivalent(allTypes(fd, state));
            default -> throw Errno.exception("blkid_do_safeprobe " + name, state);
        };
    }

    private List<String> wipe(Fd fd) throws Throwable {
        var state = arena.allocate(Errno.STATE);
        if ((int) Bound.SET_DEVICE.invokeExact(state, probe, fd.number(), 0L, 0L) != 0) {
            throw Errno.exception("blkid_probe_set_device " + name, state);
        }
        int sum =
                (int) Bound.ENABLE_SUPERBLOCKS.invokeExact(probe, 1)
                        + (int) Bound.SUPERBLOCKS_FLAGS.invokeExact(probe, TYPE | MAGIC | BADCSUM)
                        + (int) Bound.ENABLE_PARTITIONS.invokeExact(probe, 1)
                        + (int)
                                Bound.PARTITIONS_FLAGS.invokeExact(
                                        probe, PARTITIONS_MAGIC | PARTITIONS_FORCE_GPT);
        if (sum != 0) {
            throw new IOException("blkid_probe_enable_...: " + name);
        }
        var types = new ArrayList<String>();
        while ((int) Bound.PROBE.invokeExact(state, probe) == 0) {
            types.add(value("TYPE").or(() -> valueOrEmpty("PTTYPE")).orElse("unknown"));
            boolean wiped = (int) Bound.WIPE.invokeExact(state, probe, 0) == 0;
            if (!wiped || types.size() > MAX_WIPED) {
                throw Errno.exception("blkid_do_wipe " + name + " " + types.getLast(), state);
            }
        }
        return List.copyOf(types);
    }

    private Map<String, String> values() throws Throwable {
        var values = new HashMap<String, String>();
        for (var key : KEYS) {
            value(key).ifPresent(text -> values.put(key, text));
        }
        return Map.copyOf(values);
    }

    /** Walks over all signatures, one after the other; safeprobe stops at the first conflict. */
    private List<String> allTypes(Fd fd, MemorySegment state) throws Throwable {
        if ((int) Bound.SET_DEVICE.invokeExact(state, probe, fd.number(), 0L, 0L) != 0) {
            throw Errno.exception("blkid_probe_set_device " + name, state);
        }
        var types = new ArrayList<String>();
        while (types.size() < MAX_FOUND && (int) Bound.PROBE.invokeExact(state, probe) == 0) {
            types.add(value("TYPE").or(() -> valueOrEmpty("PTTYPE")).orElse("unknown"));
        }
        return types;
    }

    private Optional<String> valueOrEmpty(String key) {
        try {
            return value(key);
        } catch (Throwable t) {
            throw C.mismatch("blkid_probe_lookup_value", t);
        }
    }

    @SuppressWarnings("restricted") // the library gives the length, with the final zero
    private Optional<String> value(String key) throws Throwable {
        var data = arena.allocate(ADDRESS);
        var length = arena.allocate(JAVA_LONG);
        int result = (int) Bound.LOOKUP.invokeExact(probe, arena.allocateFrom(key), data, length);
        if (result != 0) {
            return Optional.empty();
        }
        var text = data.get(ADDRESS, 0).reinterpret(length.get(JAVA_LONG, 0));
        return Optional.of(text.getString(0).strip()).filter(found -> !found.isEmpty());
    }
}
