package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.LvName;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A device-mapper name leads back to the volume that a refresh must be asked for. */
class RecoveryTests {
    @ParameterizedTest
    @CsvSource({
        "vg-lv, vg, lv",
        "my--vg-a--b, my-vg, a-b",
        "vg-pool-tpool, vg, pool",
        "vg-pool_tdata, vg, pool",
        "vg-pool_tmeta, vg, pool",
        "vg-r_rimage_0, vg, r",
        "vg-lv-real, vg, lv",
        "vg-pool_tdata_rimage_1, vg, pool",
        "vg-fast_cpool_cdata, vg, fast_cpool",
        "vg-lv_corig, vg, lv",
        "vg-pvmove0, vg, pvmove0",
    })
    void namesOfDevicesLeadToVolumes(String device, String vg, String lv) {
        assertEquals(Optional.of(new LvName(vg, lv)), Recovery.volumeOf(device));
    }

    @Test
    void aDeviceOfSomethingElseLeadsNowhere() {
        assertEquals(Optional.empty(), Recovery.volumeOf("cryptroot"));
    }

    private static DeviceMapper.State device(boolean suspended, int openCount, int targets) {
        return device("vg-lv", suspended, openCount, targets);
    }

    private static DeviceMapper.State device(
            String name, boolean suspended, int openCount, int targets) {
        var target = new DeviceMapper.Target(0, 512, "linear", "");
        return new DeviceMapper.State(
                name,
                "LVM-x",
                new DeviceNumber(254, 0),
                suspended,
                false,
                false,
                openCount,
                0,
                Collections.nCopies(targets, target));
    }

    @Test
    void aSuspendedDeviceIsRefreshedAndOneWithoutTableDeactivated() {
        var volume = new LvName("vg", "lv");
        assertEquals(
                Optional.of(List.of("lvchange", "-y", "--refresh", "vg/lv")),
                Recovery.cure(device(true, 1, 1), volume));
        assertEquals(
                Optional.of(List.of("lvchange", "-y", "-an", "vg/lv")),
                Recovery.cure(device(false, 0, 0), volume));
    }

    @Test
    void aMoveIsRefreshedWithItsGroup() {
        assertEquals(
                Optional.of(List.of("vgchange", "-y", "--refresh", "vg")),
                Recovery.cure(device(true, 1, 1), new LvName("vg", "pvmove0")));
    }

    @Test
    void aDeviceThatWorksIsLeftAlone() {
        var volume = new LvName("vg", "lv");
        assertEquals(Optional.empty(), Recovery.cure(device(false, 0, 1), volume));
        assertEquals(Optional.empty(), Recovery.cure(device(false, 1, 0), volume));
    }

    @ParameterizedTest
    @ValueSource(strings = {"_tmeta", "_tdata"})
    @Safety(26)
    void aPoolWhoseCheckWasCutIsNotKeptInactive(String part) {
        var closed = device("my--vg-pool" + part, false, 0, 1);
        assertEquals(
                List.of(List.of("lvchange", "-y", "-an", "my-vg/pool" + part)),
                Recovery.abandonedParts(List.of(closed)));
        var checked = device("my--vg-pool" + part, false, 1, 1);
        assertEquals(List.of(), Recovery.abandonedParts(List.of(checked)));
        for (var used : List.of("my--vg-pool", "my--vg-pool-tpool")) {
            var pool = device(used, false, 0, 1);
            assertEquals(List.of(), Recovery.abandonedParts(List.of(closed, pool)));
        }
    }
}
