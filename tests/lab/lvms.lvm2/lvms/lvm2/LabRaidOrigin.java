package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.device.DeviceMapper;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** A RAID 1 with a thick snapshot loses a disk: it is repaired, and the snapshot keeps what was. */
record LabRaidOrigin(Lvm all, Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final int SLICES = 5;
    private static final LvName MIRROR = OperationsGuest.name("mirror");
    private static final LvName BEFORE = OperationsGuest.name("before");
    private static final LvName LATER = OperationsGuest.name("later");

    LabRaidOrigin(Lvm all) throws Exception {
        this(all, OperationsGuest.group(all, SLICES));
    }

    void run() throws Exception {
        lvm.raid().create(new NewRaidVolume(MIRROR, 16 * MIB, new RaidLayout.Raid1(2), Set.of()));
        OperationsGuest.write("mirror", 1, CONTENT);
        healthy();
        snapshot(BEFORE);
        OperationsGuest.write("mirror", 2, CONTENT);
        int leg = sliceOfALeg();
        Slices.vanish(leg);
        OperationsGuest.write("mirror", 3, CONTENT); // so that the kernel notices
        assertEquals(RaidHealth.DEGRADED, health());
        assertKept();
        assertThrows(LvmException.MissingDevice.class, () -> snapshot(LATER));
        repair();
        assertKept();
        snapshot(LATER);
        OperationsGuest.write("mirror", 4, CONTENT);
        all.snapshots().growStore(Now.volume(all, BEFORE), 20 * MIB);
        assertKept();
        OperationsGuest.assertContent("later", 3, CONTENT);
        for (var snapshot : Set.of(BEFORE, LATER)) {
            all.volumes().remove(Now.volume(all, snapshot));
            assertEquals(Optional.empty(), all.volumes().find(snapshot));
        }
        OperationsGuest.assertContent("mirror", 4, CONTENT);
        all.volumes().remove(Now.volume(all, MIRROR));
        all.groups().remove(Now.group(all, OperationsGuest.VG));
        Slices.comeBack(leg);
        LabGuest.program("wipefs", "--all", Slices.device(leg).toString());
    }

    private void snapshot(LvName name) throws Exception {
        all.snapshots()
                .createThick(new NewThickSnapshot(name, MIRROR.lv(), 12 * MIB, false, Set.of()));
    }

    /** The missing disk is replaced by one that is new in the group. */
    private void repair() throws Exception {
        var group = Now.group(all, OperationsGuest.VG);
        var onto = Slices.devices(SLICES, SLICES + 1);
        var repaired = all.raid().replaceMissing(new MissingReplacement(group, onto, false));
        assertEquals(0, repaired.missingPhysicalVolumes());
        healthy();
    }

    private void assertKept() throws Exception {
        OperationsGuest.assertContent("before", 1, CONTENT);
        assertEquals(List.of(), DeviceMapper.system().suspended());
    }

    private RaidHealth health() throws Exception {
        return all.raid().find(MIRROR).orElseThrow().health();
    }

    private void healthy() throws Exception {
        OperationsGuest.await("it is healthy", () -> health() == RaidHealth.HEALTHY);
    }

    /** Not the disk of the store: a snapshot has one copy of it, as any volume without RAID. */
    private int sliceOfALeg() throws Exception {
        var devices = new HashSet<String>();
        all.raid().find(MIRROR).orElseThrow().images().forEach(i -> devices.addAll(i.devices()));
        var store = LabGuest.program("lvm", "lvs", "--noheadings", "-o", "devices", "" + BEFORE);
        return IntStream.range(0, SLICES)
                .filter(slice -> devices.contains(real(slice)))
                .filter(slice -> !store.stdout().contains(real(slice)))
                .findFirst()
                .orElseThrow();
    }

    private static String real(int slice) {
        return Slices.device(slice).toString();
    }
}
