package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LabGuest;
import lvms.lvm2.Lvm;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares LVM, the device-mapper and what is in the volumes with the model: nothing lost, nothing
 * unknown, what a cut left behind has the name that was asked for, and no I/O hangs.
 */
record CutInspection(Lvm lvm) {
    private static final int STAMP_BYTES = 4096;

    /** Right after a cut: each volume is as before the change or as after it. */
    void cut(CutModel before, CutChange change) throws Exception {
        var after = before.after(change);
        var found = found();
        var name = change.volume();
        var named = new TreeSet<>(before.volumes().keySet());
        named.add(name);
        assertTrue(named.containsAll(found.keySet()), "unknown: " + found.keySet() + change);
        for (var volume : before.volumes().entrySet()) {
            if (!volume.getKey().equals(name)) {
                assertEquals(size(before, volume.getKey()), found.get(volume.getKey()), "lost");
            }
        }
        var now = found.getOrDefault(name, 0L);
        assertTrue(
                now.equals(size(before, name)) || now.equals(size(after, name)),
                "half of it: " + now + " after " + change);
    }

    /** When the change was made again: exactly the model. */
    void settled(CutModel model) throws Exception {
        assertEquals(List.of(), DeviceMapper.system().suspended(), "I/O would hang");
        var wanted = new TreeMap<String, Long>();
        model.volumes().forEach((name, volume) -> wanted.put(name, volume.sizeBytes()));
        assertEquals(wanted, found());
        assertEquals(names(model), devices());
        for (var volume : model.volumes().entrySet()) {
            if (!volume.getValue().stamp().isEmpty()) {
                assertEquals(volume.getValue().stamp(), stamp(volume.getKey()), volume.getKey());
            }
        }
        assertEquals(numbers(lvmNumbers()), numbers(kernelNumbers()), "devices of the pool");
        vgck();
    }

    /** A device that LVM does not know of would be the next volume, with its old content. */
    private static String kernelNumbers() throws Exception {
        var pool = CutChange.VG.replace("-", "--") + "-" + CutChange.POOL;
        LabGuest.program("dmsetup", "message", pool + "-tpool", "0", "reserve_metadata_snap");
        try {
            var metadata = "/dev/mapper/" + pool + "_tmeta";
            return LabGuest.program(
                            "thin_ls", "--metadata-snap", "--no-headers", "-o", "DEV", metadata)
                    .stdout();
        } finally {
            LabGuest.program("dmsetup", "message", pool + "-tpool", "0", "release_metadata_snap");
        }
    }

    private static String lvmNumbers() throws Exception {
        return LabGuest.program("lvm", "lvs", "--noheadings", "-o", "thin_id", CutChange.VG)
                .stdout();
    }

    private static TreeSet<Integer> numbers(String text) {
        return Arrays.stream(text.strip().split("\\s+"))
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void vgck() throws Exception {
        var checked =
                Program.of(
                                Duration.ofMinutes(1),
                                "vgck",
                                "--config",
                                "global/use_aio=0",
                                CutChange.VG)
                        .run();
        assertTrue(checked.succeeded() && checked.stderr().isBlank(), "vgck: " + checked);
    }

    private static long size(CutModel model, String name) {
        var volume = model.volumes().get(name);
        return volume == null ? 0 : volume.sizeBytes();
    }

    private TreeMap<String, Long> found() throws Exception {
        var found = new TreeMap<String, Long>();
        for (var volume : lvm.volumes().all(CutChange.VG)) {
            if (!volume.name().lv().equals(CutChange.POOL)) {
                found.put(volume.name().lv(), volume.sizeBytes());
            }
        }
        return found;
    }

    /** The volumes with a device: all of them, and nothing else, whatever layers they have. */
    private static TreeSet<String> devices() throws Exception {
        var names = new TreeSet<String>();
        for (var device : DeviceMapper.system().list()) {
            names.add(Recovery.volumeOf(device.name()).orElseThrow().lv());
        }
        return names;
    }

    private static TreeSet<String> names(CutModel model) {
        var names = new TreeSet<>(model.volumes().keySet());
        names.add(CutChange.POOL);
        return names;
    }

    static void write(String volume, String stamp) throws IOException {
        var block = ByteBuffer.allocate(STAMP_BYTES);
        block.put(stamp.getBytes(StandardCharsets.UTF_8)).rewind();
        try (var device =
                FileChannel.open(
                        path(volume), StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            device.write(block);
        }
    }

    private static String stamp(String volume) throws IOException {
        var block = ByteBuffer.allocate(STAMP_BYTES);
        try (var device = FileChannel.open(path(volume), StandardOpenOption.READ)) {
            device.read(block);
        }
        return new String(block.array(), StandardCharsets.UTF_8).replaceAll("\0.*", "");
    }

    private static Path path(String volume) {
        return Path.of("/dev", CutChange.VG, volume);
    }
}
