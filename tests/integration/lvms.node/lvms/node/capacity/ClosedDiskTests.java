package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.PhysicalVolume;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.vgmanager.LoopDiskCase;
import lvms.node.vgmanager.LoopDisks;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A disk that a person closed by {@code pvchange -x n} gets nothing new, whatever happens. */
class ClosedDiskTests extends LoopDiskCase {
    private final String vg = "closed" + ProcessHandle.current().pid();

    private long capacity() throws Exception {
        var thick =
                new NodeDeviceClass(
                        "thick",
                        vg,
                        true,
                        new Provisioning.Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty());
        return ClassCapacity.standard().of(thick, lvm.groups().report(vg).orElseThrow());
    }

    private PhysicalVolume disk(Path device) throws Exception {
        return lvm.groups().report(vg).orElseThrow().physicalVolumes().stream()
                .filter(pv -> pv.device().equals(device.toString()))
                .findFirst()
                .orElseThrow();
    }

    private LvName volume(String name, long bytes) throws Exception {
        var volume = new LvName(vg, name);
        lvm.volumes()
                .createThick(
                        new NewThickVolume(
                                volume,
                                bytes,
                                Set.of(),
                                OptionalInt.empty(),
                                OptionalLong.empty(),
                                LvcreateOptions.NONE));
        return volume;
    }

    private void grow(LvName volume, long bytes) throws Exception {
        var found = lvm.volumes().find(volume).orElseThrow();
        lvm.volumes().extend(found.identity(), bytes);
    }

    @Test
    void neitherVolumesNorGrowthComeToItAlsoAfterTheAgentStartsAgain() throws Exception {
        var open = disks.add(128 * MIB);
        var closed = disks.add(256 * MIB);
        lvm = disks.lvm();
        LoopDisks.run("vgcreate", "-y", vg, open.toString(), closed.toString());
        long before = capacity();
        LoopDisks.run("pvchange", "-x", "n", closed.toString());
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
        LoopDisks.run("pvchange", "-x", "y", closed.toString());
        assertEquals(disk(closed).freeBytes(), capacity());
        assertTrue(capacity() > 128 * MIB);
    }
}
