package lvms.lvm2.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Questions to the kernel through libdevmapper (header libdevmapper.h, library {@code
 * libdevmapper.so.1.02.1}): {@code dm_task_create}, {@code dm_task_run} and related functions. The
 * library keeps process-wide state: one thread only. Errors come as 0 with {@code
 * dm_task_get_errno}; a missing device is not an error but {@code dm_info.exists == 0}. Ask only
 * when the kernel has a device-mapper: the library never forgets a failed version check.
 */
public final class DmTask implements AutoCloseable {
    /** An entry of the list of devices: {@code struct dm_names}. */
    public record Device(String name, DeviceNumber number) {}

    /** What the kernel says about one device: {@code struct dm_info}, its UUID, and its targets. */
    public record State(
            String name,
            String uuid,
            DeviceNumber number,
            boolean suspended,
            boolean inactiveTable,
            boolean readOnly,
            int openCount,
            int eventNumber,
            List<Target> targets) {}

    /** One target with its status, as {@code dm_get_next_target} returns it; sizes in bytes. */
    public record Target(long startBytes, long sizeBytes, String type, String status) {}

    private static final int STATUS = 10;
    private static final int LIST = 13;

    static final StructLayout INFO =
            MemoryLayout.structLayout(
                    JAVA_INT.withName("exists"),
                    JAVA_INT.withName("suspended"),
                    JAVA_INT.withName("live_table"),
                    JAVA_INT.withName("inactive_table"),
                    JAVA_INT.withName("open_count"),
                    JAVA_INT.withName("event_nr"),
                    JAVA_INT.withName("major"),
                    JAVA_INT.withName("minor"),
                    JAVA_INT.withName("read_only"),
                    JAVA_INT.withName("target_count"),
                    JAVA_INT.withName("deferred_remove"),
                    JAVA_INT.withName("internal_suspend"));

    /** {@code struct dm_names}: then the name, from offset 12, up to its zero byte. */
    static final StructLayout NAMES =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("dev"),
                    JAVA_INT.withName("next"),
                    MemoryLayout.sequenceLayout(4, JAVA_BYTE).withName("name"));

    private static final long SECTOR = 512;
    private static final int MAX_NAME = 128;
    private static final int MAX_PARAMS = 1 << 16;

    /** Bound at first use, so that a machine without the library fails only there. */
    private static final class Bound {
        static final SymbolLookup LIBRARY = library();
        static final MethodHandle CREATE =
                handle("dm_task_create", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        static final MethodHandle SET_NAME =
                handle("dm_task_set_name", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        static final MethodHandle NO_FLUSH =
                handle("dm_task_no_flush", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle RUN =
                handle("dm_task_run", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle GET_ERRNO =
                handle("dm_task_get_errno", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        static final MethodHandle GET_INFO =
                handle("dm_task_get_info", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        static final MethodHandle GET_UUID =
                handle("dm_task_get_uuid", FunctionDescriptor.of(ADDRESS, ADDRESS));
        static final MethodHandle GET_NAMES =
                handle("dm_task_get_names", FunctionDescriptor.of(ADDRESS, ADDRESS));
        static final MethodHandle NEXT_TARGET =
                handle(
                        "dm_get_next_target",
                        FunctionDescriptor.of(
                                ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        static final MethodHandle DESTROY =
                handle("dm_task_destroy", FunctionDescriptor.ofVoid(ADDRESS));

        @SuppressWarnings("restricted")
        private static SymbolLookup library() {
            return SymbolLookup.libraryLookup("libdevmapper.so.1.02.1", Arena.global());
        }

        @SuppressWarnings("restricted")
        private static MethodHandle handle(String name, FunctionDescriptor type) {
            return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), type);
        }
    }

    private final MemorySegment task;
    private final Arena arena = Arena.ofConfined();

    private DmTask(int type) throws Throwable {
        this.task = (MemorySegment) Bound.CREATE.invokeExact(type);
        if (task.equals(MemorySegment.NULL)) {
            throw new IOException("dm_task_create: no device-mapper in the kernel");
        }
    }

    public static List<Device> list() throws IOException {
        try (var task = new DmTask(LIST)) {
            task.run("list");
            return task.names();
        } catch (Throwable t) {
            throw failure("list", t);
        }
    }

    /** Reads the state of a device, without making the kernel commit a pool first. */
    public static Optional<State> state(String name) throws IOException {
        try (var task = new DmTask(STATUS)) {
            var text = task.arena.allocateFrom(name);
            if ((int) Bound.SET_NAME.invokeExact(task.task, text) != 1
                    || (int) Bound.NO_FLUSH.invokeExact(task.task) != 1) {
                throw new IOException("dm_task_set_name " + name);
            }
            return task.runIfThere(name) ? task.state(name, task.info()) : Optional.empty();
        } catch (Throwable t) {
            throw failure("status " + name, t);
        }
    }

    private static IOException failure(String what, Throwable t) {
        return switch (t) {
            case IOException e -> e;
            case IllegalArgumentException e ->
                    new IOException("libdevmapper cannot be used: " + what, e);
            case LinkageError e -> new IOException("libdevmapper cannot be used: " + what, e);
            default -> throw C.mismatch("libdevmapper " + what, t);
        };
    }

    private static final int ENXIO = 6;

    private boolean runIfThere(String what) throws Throwable {
        int ok = (int) Bound.RUN.invokeExact(task);
        int errno = (int) Bound.GET_ERRNO.invokeExact(task);
        if (ok != 1 && errno != ENXIO) {
            throw new IOException("device-mapper " + what + ": errno " + errno);
        }
        return ok == 1;
    }

    private void run(String what) throws Throwable {
        if (!runIfThere(what)) {
            throw new IOException("device-mapper " + what + ": errno " + ENXIO);
        }
    }

    private MemorySegment info() throws Throwable {
        var info = arena.allocate(INFO);
        if ((int) Bound.GET_INFO.invokeExact(task, info) != 1) {
            throw new IOException("dm_task_get_info");
        }
        return info;
    }

    private Optional<State> state(String name, MemorySegment info) throws Throwable {
        if (field(info, "exists") == 0) {
            return Optional.empty();
        }
        return Optional.of(
                new State(
                        name,
                        text((MemorySegment) Bound.GET_UUID.invokeExact(task), MAX_NAME + 1),
                        new DeviceNumber(field(info, "major"), field(info, "minor")),
                        field(info, "suspended") != 0,
                        field(info, "inactive_table") != 0,
                        field(info, "read_only") != 0,
                        field(info, "open_count"),
                        field(info, "event_nr"),
                        targets()));
    }

    private List<Target> targets() throws Throwable {
        var targets = new ArrayList<Target>();
        var start = arena.allocate(JAVA_LONG);
        var length = arena.allocate(JAVA_LONG);
        var type = arena.allocate(ADDRESS);
        var params = arena.allocate(ADDRESS);
        var next = MemorySegment.NULL;
        do {
            next =
                    (MemorySegment)
                            Bound.NEXT_TARGET.invokeExact(task, next, start, length, type, params);
            var name = type.get(ADDRESS, 0);
            if (!name.equals(MemorySegment.NULL)) {
                targets.add(
                        new Target(
                                start.get(JAVA_LONG, 0) * SECTOR,
                                length.get(JAVA_LONG, 0) * SECTOR,
                                text(name, MAX_NAME),
                                text(params.get(ADDRESS, 0), MAX_PARAMS)));
            }
        } while (!next.equals(MemorySegment.NULL));
        return targets;
    }

    @SuppressWarnings("restricted") // the records lie in the task's own buffer
    private List<Device> names() throws Throwable {
        var devices = new ArrayList<Device>();
        var record = (MemorySegment) Bound.GET_NAMES.invokeExact(task);
        int next = record.equals(MemorySegment.NULL) ? 0 : 1;
        while (next != 0) {
            var fixed = record.reinterpret(NAMES.byteSize());
            long dev = fixed.get(JAVA_LONG, NAMES.byteOffset(groupElement("dev")));
            next = fixed.get(JAVA_INT, NAMES.byteOffset(groupElement("next")));
            if (dev != 0) {
                long offset = NAMES.byteOffset(groupElement("name"));
                var name = MemorySegment.ofAddress(record.address() + offset);
                devices.add(new Device(text(name, MAX_NAME), DeviceNumber.ofDev(dev)));
            }
            record = MemorySegment.ofAddress(record.address() + next);
        }
        return devices;
    }

    private static int field(MemorySegment info, String name) {
        return info.get(JAVA_INT, INFO.byteOffset(groupElement(name)));
    }

    @SuppressWarnings("restricted") // texts of the library end with a zero byte
    private static String text(MemorySegment address, int most) {
        return address.equals(MemorySegment.NULL) ? "" : address.reinterpret(most).getString(0);
    }

    @Override
    public void close() {
        try {
            Bound.DESTROY.invokeExact(task);
        } catch (Throwable t) {
            throw C.mismatch("dm_task_destroy", t);
        } finally {
            arena.close();
        }
    }
}
