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
        var group = lvm.groups().find(VG).orElseThrow();
        assertTrue(group.metadataUsedBytes() > 0 && !group.shared(), group.toString());
        assertEquals(group.extents(), group.freeExtents());
        adopt(lvm);
        portable(lvm);
        grow(lvm);
        lvm.groups().remove(Now.group(lvm, VG));
        lvm.groups().remove(Now.group(lvm, VG));
        assertThrows(
                LvmException.NotFound.class, () -> lvm.groups().exportGroup(Now.group(lvm, VG)));
        assertThrows(
                LvmException.NotFound.class,
                () -> lvm.groups().adopt(Now.group(lvm, VG), Set.of("x")));
    }

    private void physicalVolumes() throws Exception {
        var device = Slices.device(5);
        var lvm = all.limitedTo(DeviceScope.only(Slices.devices(4, 6)));
        LabGuest.program("mkswap", device.toString());
        var request = new NewPhysicalVolume(device);
        assertThrows(LvmException.InUse.class, () -> lvm.physicalVolumes().create(request));
        assertEquals(Optional.empty(), lvm.physicalVolumes().find(device));
        var made = lvm.physicalVolumes().create(new NewPhysicalVolume(device, 16 * MIB, true));
        assertTrue(made.metadataSizeBytes() >= 16 * MIB && made.vgName().isEmpty());
        assertEquals(made, lvm.physicalVolumes().create(request), "the same call again");
        lvm.physicalVolumes().remove(Now.device(lvm, device));
        lvm.physicalVolumes().remove(Now.device(lvm, device));
        assertEquals(Optional.empty(), lvm.physicalVolumes().find(device));
    }

    private void adopt(Lvm lvm) throws Exception {
        var adopted = lvm.groups().adopt(Now.group(lvm, VG), Set.of("ours"));
        assertEquals(Set.of("lab", "ours"), adopted.tags());
        assertEquals(adopted, lvm.groups().adopt(Now.group(lvm, VG), Set.of("ours")));
        var half = all.limitedTo(DeviceScope.only(Slices.devices(0, 1)));
        assertThrows(
                LvmException.MissingDevice.class,
                () -> half.groups().adopt(Now.group(half, VG), Set.of("x")));
        assertEquals(
                Set.of("lab"),
                lvm.groups().changeTags(Now.group(lvm, VG), Set.of(), Set.of("ours")).tags());
    }

    private void portable(Lvm lvm) throws Exception {
        OperationsGuest.thick(lvm, "data", 8 * MIB);
        assertThrows(LvmException.InUse.class, () -> lvm.groups().exportGroup(Now.group(lvm, VG)));
        lvm.groups().deactivate(Now.group(lvm, VG));
        assertTrue(lvm.groups().exportGroup(Now.group(lvm, VG)).exported());
        assertTrue(lvm.groups().exportGroup(Now.group(lvm, VG)).exported());
        assertThrows(
                LvmException.InvalidArgument.class,
                () -> lvm.groups().adopt(Now.group(lvm, VG), Set.of("x")));
        assertFalse(lvm.groups().importGroup(Now.group(lvm, VG)).exported());
        assertFalse(lvm.groups().importGroup(Now.group(lvm, VG)).exported());
        assertTrue(lvm.volumes().activate(Now.volume(lvm, OperationsGuest.name("data"))).active());
        lvm.volumes().remove(Now.volume(lvm, OperationsGuest.name("data")));
    }

    private void grow(Lvm lvm) throws Exception {
        var third = Slices.devices(2, 3);
        assertEquals(3, lvm.groups().extend(Now.group(lvm, VG), third, false).physicalVolumes());
        assertEquals(3, lvm.groups().extend(Now.group(lvm, VG), third, false).physicalVolumes());
        var device = third.getFirst();
        var inGroup = new NewPhysicalVolume(device);
        assertThrows(LvmException.InUse.class, () -> lvm.physicalVolumes().create(inGroup));
        assertThrows(
                LvmException.InUse.class,
                () -> lvm.physicalVolumes().remove(Now.device(lvm, device)));
        var wide = all.limitedTo(DeviceScope.only(Slices.devices(0, 3)));
        long before = wide.physicalVolumes().find(device).orElseThrow().extents();
        Slices.grow(2);
        wide.physicalVolumes().resize(Now.device(wide, device));
        wide.physicalVolumes().resize(Now.device(wide, device));
        var grown = wide.physicalVolumes().find(device).orElseThrow();
        assertTrue(grown.extents() > before && grown.allocatedExtents() == 0, grown.toString());
        assertEquals(
                2,
                wide.groups()
                        .reduce(Now.group(wide, VG), Now.devices(wide, List.of(device)))
                        .physicalVolumes());
        Slices.comeBack(2);
    }
}
