package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;

/** A RAID volume grows, and no device ever gets extents of two images. */
record LabGrowth(Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final LvName DATA = OperationsGuest.name("data");

    void run() throws Exception {
        var two = OperationsGuest.group(lvm, 2);
        two.raid().create(new NewRaidVolume(DATA, 16 * MIB, new RaidLayout.Raid1(2), Set.of()));
        OperationsGuest.write("data", 1, CONTENT);
        fill(0);
        var three = with(2);
        assertThrows(
                LvmException.OutOfSpace.class,
                () -> three.volumes().extend(Now.volume(three, DATA), 64 * MIB));
        assertEquals(16 * MIB, three.volumes().find(DATA).orElseThrow().sizeBytes());
        var four = with(3);
        for (long size : new long[] {64 * MIB, 96 * MIB}) {
            assertEquals(size, four.volumes().extend(Now.volume(four, DATA), size).sizeBytes());
            apart(four);
        }
        OperationsGuest.assertContent("data", 1, CONTENT);
        for (var volume : four.volumes().all(OperationsGuest.VG)) {
            four.volumes().remove(Now.volume(four, volume.name()));
        }
        four.groups().remove(Now.group(four, OperationsGuest.VG));
    }

    /** Only the room beside the other image is left. */
    private static void fill(int slice) throws Exception {
        LabGuest.program(
                "lvm",
                "lvcreate",
                "-y",
                "-n",
                "full",
                "-l",
                "100%PVS",
                OperationsGuest.VG,
                Slices.device(slice).toString());
    }

    private Lvm with(int slice) throws Exception {
        var added = Slices.devices(slice, slice + 1);
        var wide = lvm.limitedTo(DeviceScope.only(Slices.devices(0, slice + 1)));
        wide.groups().extend(Now.group(wide, OperationsGuest.VG), added, false);
        return wide;
    }

    private static void apart(Lvm all) throws Exception {
        var seen = new HashSet<String>();
        for (var image : all.raid().find(DATA).orElseThrow().images()) {
            for (var device : image.devices()) {
                assertTrue(seen.add(device), device + " has two images");
            }
        }
    }
}
