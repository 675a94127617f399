package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Groups and physical volumes: each call twice, and how it fails. */
record LabGroups(Lvm all) {
    private static final String VG = OperationsGuest.VG;
    private static final long MIB = OperationsGuest.MIB;

    void run() throws Exception {
        physicalVolumes();
        var lvm = OperationsGuest.group(all, 2);
        var group = lvm.volumeGroup(VG).orElseThrow();
        assertTrue(group.metadataUsedBytes() > 0 && !group.shared(), group.toString());
        assertEquals(group.extents(), group.freeExtents());
        adopt(lvm);
        portable(lvm);
        grow(lvm);
        lvm.removeVolumeGroup(VG);
        lvm.removeVolumeGroup(VG);
        assertThrows(LvmException.NotFound.class, () -> lvm.exportVolumeGroup(VG));
        assertThrows(LvmException.NotFound.class, () -> lvm.adoptVolumeGroup(VG, Set.of("x")));
    }

    private void physicalVolumes() throws Exception {
        var device = Slices.device(5);
        var lvm = all.limitedTo(DeviceScope.only(Slices.devices(4, 6)));
        LabGuest.program("mkswap", device.toString());
        var request = new NewPhysicalVolume(device);
        assertThrows(LvmException.InUse.class, () -> lvm.createPhysicalVolume(request));
        assertEquals(Optional.empty(), lvm.physicalVolume(device));
        var made = lvm.createPhysicalVolume(new NewPhysicalVolume(device, 16 * MIB, true));
        assertTrue(made.metadataSizeBytes() >= 16 * MIB && made.vgName().isEmpty());
        assertEquals(made, lvm.createPhysicalVolume(request), "the same call again");
        lvm.removePhysicalVolume(device);
        lvm.removePhysicalVolume(device);
        assertEquals(Optional.empty(), lvm.physicalVolume(device));
    }

    private void adopt(Lvm lvm) throws Exception {
        var adopted = lvm.adoptVolumeGroup(VG, Set.of("ours"));
        assertEquals(Set.of("lab", "ours"), adopted.tags());
        assertEquals(adopted, lvm.adoptVolumeGroup(VG, Set.of("ours")));
        var half = all.limitedTo(DeviceScope.only(Slices.devices(0, 1)));
        assertThrows(
                LvmException.MissingDevice.class, () -> half.adoptVolumeGroup(VG, Set.of("x")));
        assertEquals(Set.of("lab"), lvm.changeVolumeGroupTags(VG, Set.of(), Set.of("ours")).tags());
    }

    private void portable(Lvm lvm) throws Exception {
        OperationsGuest.thick(lvm, "data", 8 * MIB);
        assertThrows(LvmException.InUse.class, () -> lvm.exportVolumeGroup(VG));
        lvm.deactivateVolumeGroup(VG);
        assertTrue(lvm.exportVolumeGroup(VG).exported());
        assertTrue(lvm.exportVolumeGroup(VG).exported());
        assertThrows(
                LvmException.InvalidArgument.class, () -> lvm.adoptVolumeGroup(VG, Set.of("x")));
        assertFalse(lvm.importVolumeGroup(VG).exported());
        assertFalse(lvm.importVolumeGroup(VG).exported());
        assertTrue(lvm.activate(OperationsGuest.name("data")).active());
        lvm.removeVolume(OperationsGuest.name("data"));
    }

    private void grow(Lvm lvm) throws Exception {
        var third = Slices.devices(2, 3);
        assertEquals(3, lvm.extendVolumeGroup(VG, third, false).physicalVolumes());
        assertEquals(3, lvm.extendVolumeGroup(VG, third, false).physicalVolumes());
        var device = third.getFirst();
        var inGroup = new NewPhysicalVolume(device);
        assertThrows(LvmException.InUse.class, () -> lvm.createPhysicalVolume(inGroup));
        assertThrows(LvmException.InUse.class, () -> lvm.removePhysicalVolume(device));
        var wide = all.limitedTo(DeviceScope.only(Slices.devices(0, 3)));
        long before = wide.physicalVolume(device).orElseThrow().extents();
        Slices.grow(2);
        wide.resizePhysicalVolume(device);
        wide.resizePhysicalVolume(device);
        var grown = wide.physicalVolume(device).orElseThrow();
        assertTrue(grown.extents() > before && grown.allocatedExtents() == 0, grown.toString());
        assertEquals(2, wide.reduceVolumeGroup(VG, List.of(device)).physicalVolumes());
        Slices.comeBack(2);
    }
}
