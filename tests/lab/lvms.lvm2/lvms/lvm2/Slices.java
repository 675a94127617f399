package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Disks made of slices of one disk by the device-mapper, so that each can vanish, come back, grow
 * or become slow while it is in use.
 */
final class Slices {
    static final long BYTES = 160L << 20;
    private static final int COUNT = 8;
    private static final long SECTORS = BYTES / 512;

    /** Each may grow to twice its size. */
    private static final long APART = 2 * SECTORS;

    /** The disk itself must not look like a physical volume. */
    private static final long FIRST = 2048;

    private Slices() {}

    /** The disk must hold this many bytes. */
    static long diskBytes() {
        return (FIRST + COUNT * APART) * 512;
    }

    static void create() throws Exception {
        for (int i = 0; i < COUNT; i++) {
            LabGuest.program("dmsetup", "create", name(i), "--table", linear(i, SECTORS));
            LabGuest.program("dmsetup", "mknodes", name(i));
        }
    }

    static void remove() throws Exception {
        for (int i = 0; i < COUNT; i++) {
            LabGuest.program("dmsetup", "remove", name(i));
        }
    }

    static Path device(int index) {
        return Path.of("/dev/mapper", name(index));
    }

    static List<Path> devices(int from, int to) {
        return IntStream.range(from, to).mapToObj(Slices::device).toList();
    }

    /** All I/O fails from now on. */
    static void vanish(int index) throws Exception {
        load(index, "0 " + SECTORS + " error");
    }

    static void comeBack(int index) throws Exception {
        load(index, linear(index, SECTORS));
    }

    /** Each write takes this long from now on. */
    static void slow(int index, int millis) throws Exception {
        long start = start(index);
        var disk = LabGuest.DISKS.getFirst();
        load(
                index,
                "0 %d delay %s %d 0 %s %d %d".formatted(SECTORS, disk, start, disk, start, millis));
    }

    static void grow(int index) throws Exception {
        load(index, linear(index, APART));
    }

    private static void load(int index, String table) throws Exception {
        LabGuest.program("dmsetup", "suspend", "--noflush", "--nolockfs", name(index));
        LabGuest.program("dmsetup", "load", name(index), "--table", table);
        LabGuest.program("dmsetup", "resume", name(index));
    }

    private static String linear(int index, long sectors) {
        return "0 %d linear %s %d".formatted(sectors, LabGuest.DISKS.getFirst(), start(index));
    }

    private static long start(int index) {
        return FIRST + index * APART;
    }

    private static String name(int index) {
        return "slice" + index;
    }
}
