package lvms.lvm2.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import lvms.lvm2.system.DeviceNumber;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The device-mapper's control device, used through ioctl(2) as {@code linux/dm-ioctl.h} defines it,
 * and not through libdevmapper, which allows one thread alone: one question that hangs in the
 * kernel would silence all others. One thread uses an open one; each thread may open its own.
 *
 * <p>{@link #arm} and the event numbers of {@link #list} need interface 4.37, kernel 4.13.
 */
public final class DmControl implements AutoCloseable {
    private static final Path CONTROL = Path.of("/dev/mapper/control");
    static final int LIST_DEVICES = 2;
    static final int DEV_SUSPEND = 6;
    static final int TABLE_CLEAR = 10;
    static final int TABLE_STATUS = 12;
    static final int TARGET_MSG = 14;
    static final int ARM_POLL = 16;
    static final int READONLY_FLAG = 1;
    static final int SUSPEND_FLAG = 1 << 1;
    static final int STATUS_TABLE_FLAG = 1 << 4;
    static final int INACTIVE_PRESENT_FLAG = 1 << 6;
    static final int SKIP_LOCKFS_FLAG = 1 << 10;
    static final int NOFLUSH_FLAG = 1 << 11;
    private static final long SECTOR = 512;
    static final int VERSION_MAJOR = 4;
    private static final int VERSION_MINOR_EVENTS = 37;
    static final int BUFFER_FULL_FLAG = 1 << 8;
    private static final long FIRST_BUFFER = 64 << 10;
    private static final long LARGEST_BUFFER = 16 << 20;
    static final int MAX_NAME = 128;

    /** {@code struct dm_name_list}: then the name, from offset 12, up to its zero byte. */
    static final StructLayout NAMES =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("dev"),
                    JAVA_INT.withName("next"),
                    MemoryLayout.sequenceLayout(4, JAVA_BYTE));

    /** {@code struct dm_target_spec}: then the text, up to its zero byte. */
    static final StructLayout TARGET =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("sector_start"),
                    JAVA_LONG.withName("length"),
                    JAVA_INT.withName("status"),
                    JAVA_INT.withName("next"),
                    MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("target_type"));

    /** {@code struct dm_ioctl}. */
    static final StructLayout IOCTL =
            MemoryLayout.structLayout(
                    MemoryLayout.sequenceLayout(3, JAVA_INT).withName("version"),
                    JAVA_INT.withName("data_size"),
                    JAVA_INT.withName("data_start"),
                    JAVA_INT.withName("target_count"),
                    JAVA_INT.withName("open_count"),
                    JAVA_INT.withName("flags"),
                    JAVA_INT.withName("event_nr"),
                    JAVA_INT.withName("padding"),
                    JAVA_LONG.withName("dev"),
                    MemoryLayout.sequenceLayout(MAX_NAME, JAVA_BYTE).withName("name"),
                    MemoryLayout.sequenceLayout(MAX_NAME + 1, JAVA_BYTE).withName("uuid"),
                    MemoryLayout.sequenceLayout(7, JAVA_BYTE).withName("data"));

    /**
     * One device.
     *
     * @param name its device-mapper name
     * @param number its number
     * @param eventNumber counts its events
     */
    public record Entry(String name, DeviceNumber number, int eventNumber) {}

    /** What the kernel says about one device. */
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

    /** One target; sizes in bytes. The status is empty if only the table was asked for. */
    public record Target(long startBytes, long sizeBytes, String type, String status) {}

    private final Fd fd;

    private DmControl(Fd fd) {
        this.fd = fd;
    }

    /** Opens the control device. If the module is not loaded, this may load it. */
    public static DmControl open() throws ErrnoException {
        return new DmControl(Fd.open(CONTROL, Fd.RDWR | Fd.CLOEXEC));
    }

    /** Returns the descriptor, readable once an event has come after {@link #arm}. */
    public Fd fd() {
        return fd;
    }

    /**
     * Forgets the events so far.
     *
     * @throws ErrnoException ENOTTY if the kernel is older than 4.13
     */
    public void arm() throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            call(ARM_POLL, "DM_DEV_ARM_POLL", question(arena, IOCTL.byteSize()));
        }
    }

    /** Lists all devices with their event numbers. */
    public List<Entry> list() throws IOException {
        for (long size = FIRST_BUFFER; size <= LARGEST_BUFFER; size *= 4) {
            try (var arena = Arena.ofConfined()) {
                var answer = call(LIST_DEVICES, "DM_LIST_DEVICES", question(arena, size));
                if ((field(answer, "flags") & BUFFER_FULL_FLAG) == 0) {
                    return devices(answer);
                }
            }
        }
        throw new IOException("DM_LIST_DEVICES: more than " + LARGEST_BUFFER + " bytes");
    }

    /**
     * Reads the state of a device with the status of its targets, without making the kernel commit
     * a thin pool first; empty if there is no such device. A pool or a thin volume tells nothing
     * while the pool's metadata cannot be written: the call waits as long.
     */
    public Optional<State> status(String name) throws IOException {
        return state(name, NOFLUSH_FLAG);
    }

    /** Reads the same without the status, for which no target has to be asked. */
    public Optional<State> table(String name) throws IOException {
        return state(name, NOFLUSH_FLAG | STATUS_TABLE_FLAG);
    }

    /**
     * Holds the I/O of a device, once what is on its way is written; a filesystem on it is frozen
     * first, which may write for a long time. Nothing happens if it is held already.
     *
     * @throws ErrnoException ENXIO if there is no such device
     */
    public void suspend(String name) throws ErrnoException {
        suspension(name, SUSPEND_FLAG);
    }

    /**
     * The same without freezing a filesystem: it takes a moment, and what the filesystem has not
     * written yet waits with the rest.
     *
     * @throws ErrnoException ENXIO if there is no such device
     */
    public void suspendUnfrozen(String name) throws ErrnoException {
        suspension(name, SUSPEND_FLAG | SKIP_LOCKFS_FLAG);
    }

    /**
     * Lets the I/O of a device go on, with the table that waits to be put in place, if there is
     * one. Nothing happens if it goes on already.
     *
     * @throws ErrnoException ENXIO if there is no such device
     */
    public void resume(String name) throws ErrnoException {
        suspension(name, 0);
    }

    /**
     * The same for the device with this UUID, which no other device ever gets.
     *
     * @throws ErrnoException ENXIO if there is no such device
     */
    public void resumeByUuid(String uuid) throws ErrnoException {
        byUuid(DEV_SUSPEND, "DM_DEV_SUSPEND " + uuid, uuid);
    }

    /**
     * Drops the table that waits to be put in place in the device with this UUID, if there is one.
     *
     * @throws ErrnoException ENXIO if there is no such device
     */
    public void clearByUuid(String uuid) throws ErrnoException {
        byUuid(TABLE_CLEAR, "DM_TABLE_CLEAR " + uuid, uuid);
    }

    private void byUuid(int command, String name, String uuid) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var question = question(arena, FIRST_BUFFER);
            question.setString(offset("uuid"), uuid);
            call(command, name, question);
        }
    }

    private void suspension(String name, int flags) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var question = question(arena, FIRST_BUFFER);
            question.set(JAVA_INT, offset("flags"), flags);
            question.setString(offset("name"), name);
            call(DEV_SUSPEND, "DM_DEV_SUSPEND " + name, question);
        }
    }

    /**
     * Sends a message to the first target of a device, such as {@code create_snap 2 1} to a thin
     * pool.
     *
     * @throws ErrnoException what the target says, or ENXIO if there is no such device
     */
    public void message(String name, String message) throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var question = question(arena, FIRST_BUFFER);
            question.setString(offset("name"), name);
            // struct dm_target_msg: the sector that the target has, then the text
            question.set(JAVA_LONG, IOCTL.byteSize(), 0);
            question.setString(IOCTL.byteSize() + Long.BYTES, message);
            call(TARGET_MSG, "DM_TARGET_MSG " + name + ": " + message, question);
        }
    }

    private Optional<State> state(String name, int flags) throws IOException {
        if (name.getBytes(UTF_8).length >= MAX_NAME) {
            return Optional.empty();
        }
        for (long size = FIRST_BUFFER; size <= LARGEST_BUFFER; size *= 4) {
            try (var arena = Arena.ofConfined()) {
                var question = question(arena, size);
                question.set(JAVA_INT, offset("flags"), flags);
                question.setString(offset("name"), name);
                var answer = call(TABLE_STATUS, "DM_TABLE_STATUS " + name, question);
                if ((field(answer, "flags") & BUFFER_FULL_FLAG) == 0) {
                    return Optional.of(state(answer, (flags & STATUS_TABLE_FLAG) == 0));
                }
            } catch (ErrnoException e) {
                if (e.errno() == ErrnoException.ENXIO) {
                    return Optional.empty();
                }
                throw e;
            }
        }
        throw new IOException("DM_TABLE_STATUS " + name + ": more than " + LARGEST_BUFFER);
    }

    private static State state(MemorySegment answer, boolean withStatus) {
        int flags = field(answer, "flags");
        return new State(
                answer.getString(offset("name")),
                answer.getString(offset("uuid")),
                DeviceNumber.ofDev(answer.get(JAVA_LONG, offset("dev"))),
                (flags & SUSPEND_FLAG) != 0,
                (flags & INACTIVE_PRESENT_FLAG) != 0,
                (flags & READONLY_FLAG) != 0,
                field(answer, "open_count"),
                field(answer, "event_nr"),
                targets(answer, withStatus));
    }

    /** A table's own text is left out: that of an encrypted device has its key. */
    private static List<Target> targets(MemorySegment answer, boolean withStatus) {
        var targets = new ArrayList<Target>();
        long first = field(answer, "data_start");
        long at = first;
        for (int i = 0; i < field(answer, "target_count"); i++) {
            var spec = answer.asSlice(at);
            targets.add(
                    new Target(
                            spec.get(JAVA_LONG, 0) * SECTOR,
                            spec.get(JAVA_LONG, 8) * SECTOR,
                            spec.getString(TARGET.byteOffset(groupElement("target_type"))),
                            withStatus ? spec.getString(TARGET.byteSize()) : ""));
            at = first + spec.get(JAVA_INT, TARGET.byteOffset(groupElement("next")));
        }
        return List.copyOf(targets);
    }

    private static MemorySegment question(Arena arena, long size) {
        var buffer = arena.allocate(size, 8);
        buffer.set(JAVA_INT, 0, VERSION_MAJOR);
        buffer.set(JAVA_INT, offset("data_size"), Math.toIntExact(size));
        buffer.set(JAVA_INT, offset("data_start"), Math.toIntExact(IOCTL.byteSize()));
        return buffer;
    }

    static long request(int command) {
        return Ioctl.iowr(0xfd, command, IOCTL.byteSize());
    }

    private MemorySegment call(int command, String name, MemorySegment buffer)
            throws ErrnoException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Errno.STATE);
            if (fd.ioctl(state, request(command), buffer) < 0) {
                throw Errno.exception(name, state);
            }
            return buffer;
        }
    }

    /** The records of {@code struct dm_name_list}; the event number follows the name. */
    static List<Entry> devices(MemorySegment answer) throws IOException {
        if (answer.get(JAVA_INT, 4) < VERSION_MINOR_EVENTS) {
            throw new IOException("the device-mapper is too old to tell event numbers");
        }
        var devices = new ArrayList<Entry>();
        long at = field(answer, "data_start");
        long end = field(answer, "data_size");
        int next = at + NAMES.byteSize() <= end ? 1 : 0;
        while (next != 0) {
            long dev = answer.get(JAVA_LONG, at);
            next = answer.get(JAVA_INT, at + 8);
            if (dev != 0) {
                var name = answer.getString(at + 12);
                long behind = at + 12 + name.getBytes(UTF_8).length + 1;
                int events = answer.get(JAVA_INT, (behind + 7) & ~7L);
                devices.add(new Entry(name, DeviceNumber.ofDev(dev), events));
            }
            at += next;
        }
        return List.copyOf(devices);
    }

    private static int field(MemorySegment ioctl, String name) {
        return ioctl.get(JAVA_INT, offset(name));
    }

    private static long offset(String field) {
        return IOCTL.byteOffset(groupElement(field));
    }

    @Override
    public void close() {
        fd.close();
    }
}
