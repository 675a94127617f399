package lvms.node.volume;

import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.device.Disks;
import lvms.lvm2.label.PvLabel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which disks the physical volumes of a group were on. A path alone proves nothing: a disk that was
 * plugged in again may have another's name.
 *
 * @param marks for each path what identifies the disk; empty if nothing does
 * @param whole whether LVM missed none
 */
record GroupDevices(Map<Path, String> marks, boolean whole) {
    static final GroupDevices NONE = new GroupDevices(Map.of(), true);

    GroupDevices {
        marks = Map.copyOf(marks);
    }

    /** Looks at the disks that a report names, as they are now. */
    static GroupDevices of(Collection<PhysicalVolume> pvs) {
        var marks = new TreeMap<Path, String>();
        for (var pv : pvs) {
            if (!pv.missing()) {
                var path = Path.of(pv.device());
                marks.put(path, mark(path));
            }
        }
        return new GroupDevices(marks, pvs.stream().noneMatch(PhysicalVolume::missing));
    }

    /** Returns whether each path still leads to the same disk. */
    boolean unchanged() {
        return marks.entrySet().stream()
                .allMatch(e -> !e.getValue().isEmpty() && e.getValue().equals(mark(e.getKey())));
    }

    /** The label is read only on kernels before 5.15: a disk that hangs would not answer. */
    private static String mark(Path device) {
        try {
            long sequence = Disks.sequence(device);
            return sequence == 0 ? PvLabel.read(device).uuid() : Long.toString(sequence);
        } catch (IOException e) {
            return ""; // gone, or not to be read
        }
    }
}
