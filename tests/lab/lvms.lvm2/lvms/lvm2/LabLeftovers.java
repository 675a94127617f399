package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.Disks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Devices that a cut change leaves without metadata, made by hand: an image of a RAID volume stands
 * in the way of the next conversion, one without a table in the way of the next creation.
 */
record LabLeftovers(Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final String TABLE = "0 2048 linear " + Slices.device(0) + " 4096";
    private static final LvName DATA = OperationsGuest.name("data");

    void run() throws Exception {
        var mine = new LabLeftovers(OperationsGuest.group(lvm, 3));
        OperationsGuest.thick(mine.lvm, "data", 16 * MIB);
        OperationsGuest.write("data", 1, CONTENT);
        mine.anImageMakesWayForTheNext();
        mine.whatMayHoldDataStays();
        mine.volumesThatAreNamedLikeLayersStayActive();
        mine.aTableThatWasNotWrittenDownIsDropped(true);
        mine.aTableThatWasNotWrittenDownIsDropped(false);
        mine.norDoesARefreshPutItInForce();
        mine.aHalfMadeSnapshotTakesItsSourceNotWithIt();
        mine.theStoreOfASnapshotThatIsNoneAnyMoreGoes();
        OperationsGuest.assertContent("data", 1, CONTENT);
        mine.lvm.volumes().remove(Now.volume(mine.lvm, DATA));
        mine.lvm.groups().remove(Now.group(mine.lvm, OperationsGuest.VG));
    }

    private void anImageMakesWayForTheNext() throws Exception {
        leave("data_rimage_0", 'a');
        assertEquals(2, images(lvm.raid().changeCopies(Now.volume(lvm, DATA), 2)));
        OperationsGuest.await(
                "synchronization",
                () -> lvm.raid().find(DATA).orElseThrow().health() == RaidHealth.HEALTHY);
        lvm.raid().changeCopies(Now.volume(lvm, DATA), 1);
    }

    private int images(LogicalVolume volume) throws Exception {
        return lvm.raid().find(volume.name()).orElseThrow().images().size();
    }

    private void whatMayHoldDataStays() throws Exception {
        leave("other", 'b');
        leave("other_rimage_0", 'c');
        leave("held_rimage_0", 'd');
        var above = "0 2048 linear /dev/mapper/" + name("held_rimage_0") + " 0";
        LabGuest.program("dmsetup", "create", "above", "--table", above);
        lvm.groups().mend(OperationsGuest.VG);
        assertTrue(state("other").isPresent(), "its name is that of a volume");
        assertTrue(state("held_rimage_0").isPresent(), "it is in use");
        assertTrue(state("other_rimage_0").isEmpty());
        LabGuest.program("dmsetup", "remove", "above");
        lvm.groups().mend(OperationsGuest.VG);
        assertTrue(state("held_rimage_0").isEmpty());
        LabGuest.program("dmsetup", "remove", name("other"));
    }

    /** Other programs name theirs as they like, and LVM doubles the hyphens. */
    private void volumesThatAreNamedLikeLayersStayActive() throws Exception {
        var names = List.of("vm1-cow", "docker-tpool", "x-real", "data_extracted");
        for (var lv : names) {
            OperationsGuest.thick(lvm, lv, 8 * MIB);
        }
        mendAfterCut("lvextend");
        for (var lv : names) {
            var name = OperationsGuest.name(lv);
            assertTrue(lvm.volumes().find(name).orElseThrow().active(), lv);
            lvm.volumes().remove(Now.volume(lvm, name));
        }
    }

    /**
     * LVM loads the table of a change, suspends the device, and writes the metadata after that. If
     * it is killed before it writes, the table must not come into force: the room is not the
     * volume's.
     */
    private void aTableThatWasNotWrittenDownIsDropped(boolean suspended) throws Exception {
        var before = state("data").orElseThrow();
        load();
        if (suspended) {
            LabGuest.program("dmsetup", "suspend", "--nolockfs", name("data"));
        }
        mendAfterCut("lvextend");
        assertInForce(before);
    }

    private void mendAfterCut(String command) throws Exception {
        var note = Path.of("/run/lock/lvm/lvms-change-by-hand");
        Files.writeString(note, command + "\n" + DATA);
        lvm.groups().mend(OperationsGuest.VG);
        assertFalse(Files.exists(note));
    }

    /** The source is published to a pod that has it closed: its device must stay the same. */
    private void aHalfMadeSnapshotTakesItsSourceNotWithIt() throws Exception {
        var snapshot = OperationsGuest.name("half");
        var request = new NewThickSnapshot(snapshot, "data", 8 * MIB, true, Set.of());
        lvm.snapshots().createThick(request);
        long source = Disks.sequence(Path.of("/dev/mapper", name("data")));
        var whole = state("half").orElseThrow();
        LabGuest.program("dmsetup", "remove", whole.name());
        LabGuest.program("dmsetup", "create", whole.name(), "--uuid", whole.uuid(), "--notable");
        mendAfterCut("lvcreate");
        assertEquals(source, Disks.sequence(Path.of("/dev/mapper", name("data"))));
        assertEquals(types(whole), types(state("half").orElseThrow()));
        OperationsGuest.assertContent("half", 1, CONTENT);
        lvm.volumes().remove(Now.volume(lvm, snapshot));
    }

    private static List<String> types(DeviceMapper.State device) {
        return device.targets().stream().map(DeviceMapper.Target::type).toList();
    }

    /** A removal is cut when LVM has made the snapshot a plain volume and removed its device. */
    private void theStoreOfASnapshotThatIsNoneAnyMoreGoes() throws Exception {
        var plain = OperationsGuest.name("plain");
        OperationsGuest.thick(lvm, "plain", 8 * MIB);
        var device = state("plain").orElseThrow();
        lvm.volumes().deactivate(Now.volume(lvm, plain));
        var store = name("plain-cow");
        LabGuest.program(
                "dmsetup", "create", store, "--uuid", device.uuid() + "-cow", "--table", TABLE);
        LabGuest.program("dmsetup", "mknodes", store);
        mendAfterCut("lvremove");
        assertTrue(state("plain-cow").isEmpty());
        lvm.volumes().remove(Now.volume(lvm, plain));
    }

    private void norDoesARefreshPutItInForce() throws Exception {
        var before = state("data").orElseThrow();
        load();
        LabGuest.program("dmsetup", "suspend", "--nolockfs", name("data"));
        lvm.volumes().refresh(Now.volume(lvm, DATA));
        assertInForce(before);
    }

    private static void load() throws Exception {
        var larger = "0 %d linear %s 8192".formatted(32 * MIB / 512, Slices.device(2));
        LabGuest.program("dmsetup", "load", name("data"), "--table", larger);
    }

    private static void assertInForce(DeviceMapper.State before) throws Exception {
        var now = state("data").orElseThrow();
        assertEquals(before.targets(), now.targets());
        assertFalse(now.suspended());
        assertFalse(now.inactiveTable(), "it keeps what it would use open");
    }

    private static String name(String lv) {
        return "ops--vg-" + lv;
    }

    private static Optional<DeviceMapper.State> state(String lv) throws Exception {
        return DeviceMapper.system().state(name(lv));
    }

    /** Makes a device as LVM would, of a volume that its metadata do not have. */
    private void leave(String lv, char unlike) throws Exception {
        var group = lvm.groups().find(OperationsGuest.VG).orElseThrow().uuid().replace("-", "");
        var uuid = "LVM-" + group + String.valueOf(unlike).repeat(32);
        LabGuest.program("dmsetup", "create", name(lv), "--uuid", uuid, "--table", TABLE);
        LabGuest.program("dmsetup", "mknodes", name(lv));
    }
}
