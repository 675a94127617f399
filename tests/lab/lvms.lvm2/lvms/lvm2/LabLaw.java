package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.DeviceMapper;

import java.util.Optional;
import java.util.Set;

/** No call destroys what was ever active or ever handed out, whatever the kernel says of it. */
record LabLaw(Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final String DEVICE = "ops--vg-pool-tpool";
    private static final LvName POOL = OperationsGuest.name("pool");
    private static final LvName DATA = OperationsGuest.name("data");
    private static final LvName THICK = OperationsGuest.name("thick");

    void run() throws Exception {
        var mine = new LabLaw(OperationsGuest.group(lvm, 3));
        mine.lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(64 * MIB)));
        mine.aVolumeThatThePoolLostIsNotMadeAnew();
        mine.aVolumeThatWasNeverMadeIs();
        mine.anotherVolumeOfTheNameIsLeftAlone();
        mine.aPoolWithVolumesStays();
        mine.anUnreadableGroupIsNotAbsent();
        mine.lvm.volumes().remove(Now.volume(mine.lvm, THICK));
        mine.lvm.pools().removeWithVolumes(Now.volume(mine.lvm, POOL));
        mine.lvm.groups().remove(Now.group(mine.lvm, OperationsGuest.VG));
    }

    /** A repair may lose a device, and an unreadable sector of the pool's metadata looks alike. */
    private void aVolumeThatThePoolLostIsNotMadeAnew() throws Exception {
        var request = new NewThinVolume(DATA, "pool", 16 * MIB, Set.of());
        var volume = lvm.volumes().createThin(request);
        lvm.volumes().deactivate(volume.identity());
        LabGuest.program("dmsetup", "message", DEVICE, "0", "delete 1");
        assertThrows(LvmException.CommandFailed.class, () -> lvm.volumes().createThin(request));
        assertEquals(volume.uuid(), lvm.volumes().find(DATA).orElseThrow().uuid());
        LabGuest.program("dmsetup", "message", DEVICE, "0", "create_thin 1");
        lvm.volumes().remove(volume.identity());
    }

    private void aVolumeThatWasNeverMadeIs() throws Exception {
        var request = new NewThinVolume(DATA, "pool", 16 * MIB, Set.of());
        var volume = lvm.volumes().createThin(request);
        lvm.volumes().deactivate(volume.identity());
        LabStuckPool.cutCreationOf(lvm, "data");
        LabGuest.program("dmsetup", "message", DEVICE, "0", "delete 1");
        assertTrue(lvm.volumes().createThin(request).active());
        OperationsGuest.write("data", 1, CONTENT);
        OperationsGuest.assertContent("data", 1, CONTENT);
    }

    private void anotherVolumeOfTheNameIsLeftAlone() throws Exception {
        var old = OperationsGuest.thick(lvm, "thick", 8 * MIB).identity();
        lvm.volumes().remove(old);
        OperationsGuest.thick(lvm, "thick", 8 * MIB);
        OperationsGuest.write("thick", 2, CONTENT);
        assertThrows(LvmException.Replaced.class, () -> lvm.volumes().remove(old));
        assertThrows(LvmException.Replaced.class, () -> lvm.volumes().deactivate(old));
        assertThrows(LvmException.Replaced.class, () -> lvm.volumes().refresh(old));
        assertThrows(LvmException.Replaced.class, () -> lvm.volumes().activate(old));
        assertThrows(LvmException.Replaced.class, () -> lvm.volumes().wipeSignatures(old));
        OperationsGuest.assertContent("thick", 2, CONTENT);
    }

    private void aPoolWithVolumesStays() throws Exception {
        var pool = Now.volume(lvm, POOL);
        assertThrows(LvmException.InUse.class, () -> lvm.volumes().remove(pool));
        lvm.volumes().remove(Now.volume(lvm, DATA));
        lvm.volumes().remove(pool);
        assertEquals(Optional.empty(), lvm.pools().find(POOL));
        assertTrue(DeviceMapper.system().state(DEVICE).isEmpty());
        lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(64 * MIB)));
    }

    private void anUnreadableGroupIsNotAbsent() throws Exception {
        var thick = Now.volume(lvm, THICK);
        for (int i = 0; i < 3; i++) {
            Slices.vanish(i);
        }
        assertThrows(LvmException.Unreadable.class, () -> lvm.volumes().find(THICK));
        assertThrows(LvmException.Unreadable.class, () -> lvm.groups().find(OperationsGuest.VG));
        assertThrows(LvmException.Unreadable.class, () -> lvm.volumes().deactivate(thick));
        var disk = new Identity<>(Slices.device(0), thick.uuid());
        assertThrows(LvmException.class, () -> lvm.physicalVolumes().remove(disk));
        for (int i = 0; i < 3; i++) {
            Slices.comeBack(i);
        }
        OperationsGuest.assertContent("thick", 2, CONTENT);
    }
}
