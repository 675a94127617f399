package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.PhysicalVolume;
import lvms.tests.lab.machine.LoopDisks;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** A disk that a person closed by {@code pvchange -x n} gets nothing new, whatever happens. */
class ClosedDiskTests extends ThickGroupCase {
    ClosedDiskTests() {
        super("closed");
    }

    private PhysicalVolume disk(Path device) throws Exception {
        return report().physicalVolumes().stream()
                .filter(pv -> pv.device().equals(device.toString()))
                .findFirst()
                .orElseThrow();
    }

    private LvName volume(String name, long bytes) throws Exception {
        return volume(name, bytes, Set.of());
    }

    private void grow(LvName volume, long bytes) throws Exception {
        var found = lvm.volumes().find(volume).orElseThrow();
        lvm.volumes().extend(found.identity(), bytes);
    }

    /**
     * Of the disks of this test alone: the command looks at every group that it sees, also at half
     * ones of others.
     */
    private void allocatable(Path device, String value) throws Exception {
        var mine = disks.all().stream().map(Path::toString).collect(Collectors.joining(","));
        LoopDisks.run("pvchange", "--devices", mine, "-x", value, device.toString());
    }

    @Test
    void neitherVolumesNorGrowthComeToItAlsoAfterTheAgentStartsAgain() throws Exception {
        var open = disks.add(128 * MIB);
        var closed = disks.add(256 * MIB);
        lvm = disks.lvm();
        LoopDisks.run("vgcreate", "-y", vg, open.toString(), closed.toString());
        long before = capacity();
        allocatable(closed, "n");
        assertEquals(before - disk(closed).freeBytes(), capacity());
        assertEquals(disk(open).freeBytes(), capacity());
        var volume = volume("data", 32 * MIB);
        lvm.close();
        lvm = disks.lvm(); // as another process
        assertEquals(disk(open).freeBytes(), capacity());
        grow(volume, 64 * MIB);
        long left = capacity();
        assertThrows(LvmException.class, () -> volume("large", left + 4 * MIB));
        assertThrows(LvmException.class, () -> grow(volume, 64 * MIB + left + 4 * MIB));
        volume("rest", left);
        assertEquals(0, capacity());
        assertEquals(0, disk(closed).allocatedExtents());
        allocatable(closed, "y");
        assertEquals(disk(closed).freeBytes(), capacity());
        assertTrue(capacity() > 128 * MIB);
    }
}
