package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvHealth;
import lvms.lvm2.device.DeviceMapper.State;
import lvms.lvm2.device.DeviceMapper.Target;
import lvms.lvm2.device.ThinPoolUsage;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

/** The condition of a volume follows from the status of its device and its pool. */
class VolumeHealthTests {
    private static Optional<State> state(boolean suspended, String type, String status) {
        return Optional.of(
                new State(
                        "vg-lv",
                        "LVM-x",
                        new DeviceNumber(253, 0),
                        suspended,
                        false,
                        false,
                        0,
                        0,
                        List.of(new Target(0, 1 << 20, type, status))));
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "linear | '' | ",
                "thin | 2048 2047 | ",
                "thin | Fail | the underlying thin pool failed",
                "error | '' | partial: a physical volume is missing",
                "raid | raid1 2 AA 1024/1024 idle 0 0 - | ",
                "raid | raid1 2 aA 512/1024 recover 0 0 - | ",
                "raid | raid1 2 DA 1024/1024 idle 0 0 - | RAID refresh needed",
                "raid | raid1 2 AA 1024/1024 idle 8 0 - | RAID mismatches exist",
                "raid | raid5_ls 3 AAA 12/1024 reshape 0 0 - | RAID is reshaping",
                "snapshot | Invalid | invalid snapshot",
                "snapshot | Overflow | invalid snapshot",
                "snapshot-merge | Merge failed | snapshot merge failed",
                "snapshot-merge | 16/8192 16 | ",
                "writecache | 0 2048 2000 0 | ",
                "writecache | 5 2048 2000 0 | write cache error",
                "snapshot | 16/8192 16 | "
            })
    @Safety(22)
    void tellsTroubleOfTheDevice(String type, String status, String expected) {
        assertEquals(
                Optional.ofNullable(expected), VolumeHealth.ofDevice(state(false, type, status)));
    }

    @Test
    @Safety(22)
    void aLostDiskIsTroubleUnlessTheVolumeHasCopies() {
        var partial = Optional.of("partial: a physical volume is missing");
        assertEquals(partial, VolumeHealth.ofLoss(state(false, "linear", ""), true));
        assertEquals(partial, VolumeHealth.ofLoss(state(false, "striped", "2 8:0 8:16"), true));
        assertEquals(partial, VolumeHealth.ofLoss(state(false, "thin", "8 7"), true));
        assertEquals(Optional.empty(), VolumeHealth.ofLoss(state(false, "linear", ""), false));
        var raid = state(false, "raid", "raid1 2 AA 1024/1024 idle 0 0 -");
        assertEquals(Optional.empty(), VolumeHealth.ofLoss(raid, true));
    }

    @Test
    @Safety(22)
    void whatOnlyTheMetadataShowsComesFromTheLastReport() {
        for (var health : List.of(LvHealth.RAID_RESHAPE_REMOVED, LvHealth.RAID_WRITE_MOSTLY)) {
            assertEquals(Optional.of(health.text()), VolumeHealth.ofReport(Optional.of(health)));
        }
        assertEquals(
                Optional.empty(),
                VolumeHealth.ofReport(Optional.of(LvHealth.PARTIAL)),
                "the disk may be back by now");
    }

    @Test
    void aSuspendedOrMissingDeviceIsTrouble() {
        assertEquals(Optional.of("suspended"), VolumeHealth.ofDevice(state(true, "linear", "")));
        assertEquals(
                Optional.of("the volume is not active"), VolumeHealth.ofDevice(Optional.empty()));
    }

    @ParameterizedTest(name = "pool {0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "0 10/1024 5/100 - rw discard_passdown queue_if_no_space - 1024 | ",
                "0 10/1024 5/100 - ro discard_passdown queue_if_no_space - 1024 | thin pool"
                        + " metadata is read only",
                "0 10/1024 100/100 - out_of_data_space discard_passdown error_if_no_space - 1024 |"
                        + " thin pool is out of data space",
                "0 10/1024 5/100 - rw discard_passdown queue_if_no_space needs_check 1024 | thin"
                        + " pool check needed",
                "Fail | 'thin pool failed, no I/O'"
            })
    void tellsTroubleOfThePool(String status, String expected) {
        assertEquals(
                Optional.ofNullable(expected),
                VolumeHealth.ofPool(Optional.of(ThinPoolUsage.parse(status))));
    }

    @Test
    void onlyAThinDeviceWithoutBlocksWasNeverWritten() {
        assertTrue(VolumeHealth.neverWritten(state(false, "thin", "0 -").orElseThrow()));
        assertFalse(VolumeHealth.neverWritten(state(false, "thin", "128 127").orElseThrow()));
        assertFalse(VolumeHealth.neverWritten(state(false, "linear", "0 1").orElseThrow()));
    }
}
