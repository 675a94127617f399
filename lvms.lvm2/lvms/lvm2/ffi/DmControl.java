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

/**
 * The device-mapper's control device, used through ioctl(2) as {@code linux/dm-ioctl.h} defines it,
 * for what libdevmapper does not offer: a descriptor of our own that can be polled for events
 * ({@code DM_DEV_ARM_POLL}), and the event numbers of all devices in one call ({@code
 * DM_LIST_DEVICES}). Both need interface 4.37, kernel 4.13. One thread uses it.
 */
public final class DmControl implements AutoCloseable {
    private static final Path CONTROL = Path.of("/dev/mapper/control");
    private static final int LIST_DEVICES = 2;
    private static final int ARM_POLL = 16;
    private static final int VERSION_MAJOR = 4;
    private static final int VERSION_MINOR_EVENTS = 37;
    private static final int BUFFER_FULL_FLAG = 1 << 8;
    private static final long FIRST_BUFFER = 64 << 10;
    private static final long LARGEST_BUFFER = 16 << 20;
    private static final int MAX_NAME = 128;

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
            call(ARM_POLL, "DM_DEV_ARM_POLL", arena, IOCTL.byteSize());
        }
    }

    /** Lists all devices with their event numbers. */
    public List<Entry> list() throws IOException {
        for (long size = FIRST_BUFFER; size <= LARGEST_BUFFER; size *= 4) {
            try (var arena = Arena.ofConfined()) {
                var answer = call(LIST_DEVICES, "DM_LIST_DEVICES", arena, size);
                if ((field(answer, "flags") & BUFFER_FULL_FLAG) == 0) {
                    return devices(answer);
                }
            }
        }
        throw new IOException("DM_LIST_DEVICES: more than " + LARGEST_BUFFER + " bytes");
    }

    private MemorySegment call(int command, String name, Arena arena, long size)
            throws ErrnoException {
        var state = arena.allocate(Errno.STATE);
        var buffer = arena.allocate(size, 8);
        buffer.set(JAVA_INT, 0, VERSION_MAJOR);
        buffer.set(JAVA_INT, offset("data_size"), Math.toIntExact(size));
        buffer.set(JAVA_INT, offset("data_start"), Math.toIntExact(IOCTL.byteSize()));
        // _IOWR(0xfd, command, struct dm_ioctl)
        long request = 3L << 30 | IOCTL.byteSize() << 16 | 0xfd << 8 | command;
        if (fd.ioctl(state, request, buffer) < 0) {
            throw Errno.exception(name, state);
        }
        return buffer;
    }

    /** The records of {@code struct dm_name_list}; the event number follows the name. */
    static List<Entry> devices(MemorySegment answer) throws IOException {
        if (answer.get(JAVA_INT, 4) < VERSION_MINOR_EVENTS) {
            throw new IOException("the device-mapper is too old to tell event numbers");
        }
        var devices = new ArrayList<Entry>();
        long at = field(answer, "data_start");
        long end = field(answer, "data_size");
        int next = at + DmTask.NAMES.byteSize() <= end ? 1 : 0;
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
