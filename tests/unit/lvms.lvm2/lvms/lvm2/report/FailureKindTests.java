package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Reply;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

/** Each message of LVM becomes the kind a caller can act on. Recorded from LVM 2.03.16. */
class FailureKindTests {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "NOT_FOUND|Volume group \"nope\" not found",
                "UNREADABLE|Cannot process volume group nope",
                "NOT_FOUND|Failed to find logical volume \"l2vg/nope\"",
                "NOT_FOUND|Failed to find physical volume \"/dev/loop2\".",
                "NOT_FOUND|No device found for /dev/nope.",
                "NOT_FOUND|Pool nopool not found in Volume group l2vg.",
                "NOT_FOUND|Snapshot origin LV nope not found in Volume group l2vg.",
                "NOT_FOUND|Logical volume nope not found in volume group l2vg.",
                "NOT_FOUND|Existing logical volume \"nope\" not found in volume group \"l2vg\"",
                "NOT_FOUND|No PV found on device /dev/loop2.",
                "ALREADY_EXISTS|A volume group called l2vg already exists.",
                "ALREADY_EXISTS|Logical Volume \"a\" already exists in volume group \"l2vg\"",
                "OUT_OF_SPACE|Volume group \"l2vg\" has insufficient free space (249 extents): 2560"
                        + " required.",
                "OUT_OF_SPACE|Insufficient free space: 23840 extents needed, but only 248"
                        + " available",
                "OUT_OF_SPACE|VG l2vg 520 metadata on /dev/sdb (521560 bytes) exceeds maximum"
                        + " metadata size (521472 bytes)",
                "OUT_OF_SPACE|Cannot create new thin volume, free space in thin pool vg/pool"
                        + " reached threshold.",
                "IN_USE|Logical volume tvg/thin-1 contains a filesystem in use.",
                "IN_USE|Logical volume tvg/a in use.",
                "IN_USE|Physical volume '/dev/loop1' is already in volume group 'l2vg'",
                "IN_USE|Physical volume \"/dev/loop0\" still in use",
                "IN_USE|PV /dev/loop0 is used by VG l2vg so please use vgreduce first.",
                "IN_USE|Aborted wiping of ext4.",
                "IN_USE|Can't open /dev/sdb exclusively.  Mounted filesystem?",
                "IN_USE|Cannot use /dev/sda: device is partitioned",
                "MISSING_DEVICE|Cannot change VG l2vg while PVs are missing.",
                "LOCK_BUSY|/run/lock/lvm/V_tvg:aux: flock failed: Resource temporarily unavailable",
                "LOCK_BUSY|Can't get lock for tvg.",
                "INVALID_ARGUMENT|Logical volume l2vg/a is not a thin pool.",
                "INVALID_ARGUMENT|Please specify either size or extents with snapshots.",
                "INVALID_ARGUMENT|Number of stripes (8) must not exceed number of physical volumes"
                        + " (2)",
                "UNAVAILABLE|Can't create thin-pool without using device-mapper kernel driver.",
                "IN_USE|Volume group \"ops-vg\" has active logical volumes",
                "OUT_OF_SPACE|No specified PVs have space available.",
                "OUT_OF_SPACE|Couldn't allocate areas array.", // 2.03.31, no device has room
                "NOTHING_TO_DO|No data to move for ops-vg.",
                "NOTHING_TO_DO|vg/data: Failed query for merging percentage. Aborting merge.",
                "NOTHING_TO_DO|New size (2 extents) matches existing size (2 extents).",
                "NOTHING_TO_DO|No size change.", // 2.03.31
                "NO_DEVICE|device-mapper: reload ioctl on  (254:5) failed: No data available",
                "OTHER|something new",
            })
    void oneMessageOneKind(FailureKind kind, String message) {
        assertEquals(kind, FailureKind.of(5, List.of(message)));
    }

    @Test
    void theCauseCountsMoreThanWhatFollowsFromIt() {
        var lock = List.of("Can't get lock for tvg", "Cannot process volume group tvg");
        assertEquals(FailureKind.LOCK_BUSY, FailureKind.of(5, lock));
        var missing =
                List.of(
                        "Cannot change VG l2vg while PVs are missing.",
                        "Cannot process volume group l2vg");
        assertEquals(FailureKind.MISSING_DEVICE, FailureKind.of(5, missing));
    }

    @Safety(6)
    @Test
    void whatCouldNotBeReadIsNotAbsent() {
        var broken = "Error reading device /dev/sdb at 0 length 4096.";
        var group = "Volume group \"vg\" not found";
        var volume = "Failed to find logical volume \"vg/nope\"";
        var said = List.of(group, "Cannot process volume group vg");
        assertEquals(FailureKind.NOT_FOUND, FailureKind.of(5, said));
        assertEquals(FailureKind.UNREADABLE, FailureKind.of(5, List.of(broken, group)));
        assertEquals(FailureKind.NOT_FOUND, FailureKind.of(5, List.of(broken, volume)));
    }

    @Test
    void aPoolThatHasTheDeviceOfACutCreationIsKnown() {
        var said =
                List.of(
                        "Failed to process message \"create_snap 2 1\".",
                        "Thin pool lab--vg-pool-tpool (254:2) already contain thin device with"
                                + " device_id 2.");
        var pool = Optional.of(new StuckPool("lab--vg-pool-tpool", 2));
        assertEquals(pool, FailureKind.stuckPool(failure(said)));
        assertEquals(Optional.empty(), FailureKind.stuckPool(failure(said.subList(0, 1))));
    }

    private static LvmException failure(List<String> said) {
        var command = new Command(Command.Effect.CHANGE, List.of("lvcreate", "lab-vg"));
        return FailureKind.exception(command, new Reply(5, "", ""), said);
    }

    @Test
    void badParametersAreInvalidWhateverTheTextSays() {
        assertEquals(FailureKind.INVALID_ARGUMENT, FailureKind.of(3, List.of()));
    }

    @Test
    void theMessageSaysWhatWasTriedAndWhatCameBack() {
        var command = new Command(Command.Effect.CHANGE, List.of("vgextend", "vg1", "/dev/sdb"));
        var failure =
                FailureKind.exception(command, new Reply(5, "", ""), List.of("something new"));
        assertEquals("vgextend vg1 /dev/sdb: something new (status 5)", failure.getMessage());
        var failed = assertInstanceOf(LvmException.CommandFailed.class, failure);
        assertEquals(5, failed.status());
        assertEquals(List.of("something new"), failed.errors());
    }
}
