package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a creation leaves that is cut between its two messages to a thin pool: the kernel has the
 * device, LVM knows of it, and the transaction is not counted up. Made by hand, since kills hit
 * this moment once in hundreds of times.
 */
record LabStuckPool(Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final String DEVICE = "ops--vg-pool-tpool";
    private static final LvName POOL = OperationsGuest.name("pool");
    private static final LvName DATA = OperationsGuest.name("data");
    private static final LvName COPY = OperationsGuest.name("copy");

    void run() throws Exception {
        var mine = new LabStuckPool(OperationsGuest.group(lvm, 3));
        mine.make();
        mine.aVolumeInUseKeepsItsData();
        mine.aVolumeThatRestsKeepsItsData();
        mine.whatLvmHasForgottenIsNotGivenToTheNext();
        mine.whatAnotherProgramHasInItsPoolStays();
        mine.aDeviceOfNobodyMakesRoom();
        mine.aRemovalReachesTheKernelAlthoughTheOneBeforeWasCut();
        mine.noNewVolumeShowsWhatAnotherHeld();
        mine.aSnapshotThatTheKernelNeverHeardOfIsMadeByItsOwnCall();
        assertTrue(mine.lvm.pools().check(Now.volume(mine.lvm, POOL)).sound());
        mine.lvm.pools().removeWithVolumes(Now.volume(mine.lvm, POOL));
        mine.lvm.groups().remove(Now.group(mine.lvm, OperationsGuest.VG));
    }

    private void make() throws Exception {
        lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(64 * MIB)));
        lvm.volumes().createThin(new NewThinVolume(DATA, "pool", 16 * MIB, Set.of()));
        OperationsGuest.write("data", 1, CONTENT);
        lvm.snapshots().createThin(new NewSnapshot(COPY, "data", true, Set.of()));
        OperationsGuest.write("copy", 2, CONTENT);
    }

    private void aVolumeInUseKeepsItsData() throws Exception {
        cutCreationOf(lvm, "copy");
        assertEquals(24 * MIB, lvm.volumes().extend(Now.volume(lvm, COPY), 24 * MIB).sizeBytes());
        OperationsGuest.assertContent("copy", 2, CONTENT);
        assertEquals(24 * MIB, lvm.volumes().extend(Now.volume(lvm, DATA), 24 * MIB).sizeBytes());
    }

    private void aVolumeThatRestsKeepsItsData() throws Exception {
        lvm.volumes().deactivate(Now.volume(lvm, COPY));
        cutCreationOf(lvm, "copy");
        assertEquals(32 * MIB, lvm.volumes().extend(Now.volume(lvm, DATA), 32 * MIB).sizeBytes());
        lvm.volumes().activate(Now.volume(lvm, COPY));
        OperationsGuest.assertContent("copy", 2, CONTENT);
        OperationsGuest.assertContent("data", 1, CONTENT);
    }

    /** A removal that was cut before its message: the device of the last volume is still there. */
    private void whatLvmHasForgottenIsNotGivenToTheNext() throws Exception {
        LabGuest.program("dmsetup", "message", DEVICE, "0", "create_thin 3");
        lvm.groups().mend(OperationsGuest.VG, Set.of(POOL.lv()));
        LabGuest.program("dmsetup", "message", DEVICE, "0", "create_thin 3"); // there was none
        LabGuest.program("dmsetup", "message", DEVICE, "0", "delete 3");
        OperationsGuest.assertContent("copy", 2, CONTENT);
        OperationsGuest.assertContent("data", 1, CONTENT);
    }

    /** A program that numbers devices itself, such as containerd, has the next number. */
    private void whatAnotherProgramHasInItsPoolStays() throws Exception {
        LabGuest.program("dmsetup", "message", DEVICE, "0", "create_thin 3");
        lvm.groups().mend(OperationsGuest.VG);
        LabGuest.program("dmsetup", "message", DEVICE, "0", "delete 3"); // it was still there
    }

    private void aDeviceOfNobodyMakesRoom() throws Exception {
        LabGuest.program("dmsetup", "message", DEVICE, "0", "create_thin 3");
        var next = OperationsGuest.name("next");
        lvm.volumes().createThin(new NewThinVolume(next, "pool", 16 * MIB, Set.of()));
        OperationsGuest.write("next", 3, CONTENT);
        OperationsGuest.assertContent("next", 3, CONTENT);
    }

    /**
     * The process was killed when the kernel had the message and LVM had not struck it out: what
     * the next removal adds to it is never sent, and the next volume gets the number.
     */
    private void aRemovalReachesTheKernelAlthoughTheOneBeforeWasCut() throws Exception {
        thin("first", 4);
        thin("last", 5);
        lvm.volumes().remove(Now.volume(lvm, OperationsGuest.name("first")));
        noteMessage(lvm, "delete = 4");
        lvm.groups().mend(OperationsGuest.VG, Set.of(POOL.lv()));
        lvm.volumes().remove(Now.volume(lvm, OperationsGuest.name("last")));
        LabGuest.program("dmsetup", "message", DEVICE, "0", "create_thin 5"); // there was none
        LabGuest.program("dmsetup", "message", DEVICE, "0", "delete 5");
    }

    /** Another program's change was killed, of which nobody knows. */
    private void noNewVolumeShowsWhatAnotherHeld() throws Exception {
        forget("last", 6);
        thin("empty", 0);
        OperationsGuest.assertEmpty("empty", CONTENT);
        forget("last", 7);
        var copy = OperationsGuest.name("second");
        lvm.snapshots().createThin(new NewSnapshot(copy, "data", true, Set.of()));
        OperationsGuest.assertContent("second", 1, CONTENT);
        for (var name : List.of("empty", "second")) {
            lvm.volumes().remove(Now.volume(lvm, OperationsGuest.name(name)));
        }
    }

    /** The kernel keeps the removed volume's device, under the number of the next one. */
    private void forget(String name, int seed) throws Exception {
        thin(name, seed);
        noteMessage(lvm, "delete = 99");
        lvm.volumes().remove(Now.volume(lvm, OperationsGuest.name(name)));
    }

    private void thin(String name, int seed) throws Exception {
        var request = new NewThinVolume(OperationsGuest.name(name), "pool", 8 * MIB, Set.of());
        lvm.volumes().createThin(request);
        if (seed > 0) {
            OperationsGuest.write(name, seed, CONTENT);
        }
    }

    /** LVM would make it later without holding its source still. */
    private void aSnapshotThatTheKernelNeverHeardOfIsMadeByItsOwnCall() throws Exception {
        var copy = OperationsGuest.name("late");
        lvm.snapshots().createThin(new NewSnapshot(copy, "data", true, Set.of()));
        lvm.volumes().deactivate(Now.volume(lvm, copy));
        cutCreationOf(lvm, "late");
        LabGuest.program("dmsetup", "message", DEVICE, "0", "delete 4");
        lvm.groups().mend(OperationsGuest.VG, Set.of(POOL.lv()));
        assertEquals(Optional.empty(), lvm.volumes().find(copy));
    }

    /** Puts LVM's metadata and the kernel's counter back to where they were at that moment. */
    static void cutCreationOf(Lvm lvm, String volume) throws Exception {
        long counted = noteMessage(lvm, "create = \"" + volume + "\"");
        LabGuest.program(
                "dmsetup",
                "message",
                DEVICE,
                "0",
                "set_transaction_id %d %d".formatted(counted, counted - 1));
    }

    /** Writes into LVM's metadata that a message to the pool is to be sent. */
    private static long noteMessage(Lvm lvm, String message) throws Exception {
        var file = Files.createTempFile("metadata", ".txt");
        LabGuest.program("lvm", "vgcfgbackup", "-f", file.toString(), OperationsGuest.VG);
        long counted = lvm.pools().find(POOL).orElseThrow().transactionId();
        var line = "transaction_id = " + counted;
        var text = Files.readString(file);
        int at = text.indexOf(line) + line.length(); // the pool stands before its volumes
        assertTrue(text.lastIndexOf("type = \"thin-pool\"", at) > 0, text);
        Files.writeString(
                file,
                text.substring(0, at) + "\nmessage1 {\n" + message + "\n}" + text.substring(at));
        LabGuest.program(
                "lvm", "vgcfgrestore", "-y", "--force", "-f", file.toString(), OperationsGuest.VG);
        Files.delete(file);
        return counted;
    }
}
