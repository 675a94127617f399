package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A device is removed only if it is closed and no volume that LVM knows of could need it. */
class LeftoversTests {
    private static final String UUID = "aaaaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaaaa";

    /** LVM gives the UUID of a layer the same suffix as its name. */
    private static DeviceMapper.State device(String name, int openCount, int targets) {
        var parts = name.replace("--", "").split("-");
        return device(name, parts.length > 2 ? "-" + parts[2] : "", openCount, targets);
    }

    private static DeviceMapper.State device(
            String name, String layer, int openCount, int targets) {
        return new DeviceMapper.State(
                name,
                "LVM-" + "g".repeat(32) + "a".repeat(32) + layer,
                new DeviceNumber(254, 0),
                false,
                false,
                false,
                openCount,
                0,
                Collections.nCopies(targets, new DeviceMapper.Target(0, 512, "linear", "")));
    }

    @ParameterizedTest
    @CsvSource({
        "vg-lv_rimage_0, 0, 1, true",
        "vg-lv_rmeta_1, 0, 1, true",
        "vg-a--b_rimage_0, 0, 1, true",
        "vg-lv_rimage_0, 1, 1, false",
        "vg-lv, 0, 1, false",
        "vg-lv, 0, 0, true",
        "vg-lv, 1, 0, false",
        "vg-lv-real, 0, 1, false",
        "vg-lv-cow, 0, 1, true",
        "vg-lv-cow, 1, 1, false",
        "vg-pool-tpool, 0, 1, true",
        "vg-pool-tpool, 1, 1, false",
        "vg-pvmove0, 0, 1, true",
        "vg-pvmove0, 1, 1, false",
        "vg-my_pvmove0, 0, 1, false",
        "vg-lv_rimage_0_extracted, 0, 1, true",
    })
    void onlyWhatIsClosedAndHoldsNoDataMayBeLeft(
            String name, int openCount, int targets, boolean may) {
        assertEquals(may, Leftovers.mayBeLeft(device(name, openCount, targets)));
    }

    @Test
    void aDeviceOfAnotherProgramIsNone() {
        var alien =
                new DeviceMapper.State(
                        "vg-lv_rimage_0",
                        "CRYPT-x",
                        new DeviceNumber(254, 0),
                        false,
                        false,
                        false,
                        0,
                        0,
                        List.of());
        assertFalse(Leftovers.mayBeLeft(alien));
    }

    /** LVM doubles hyphens inside of names, and does not reserve all that it appends itself. */
    @Safety(48)
    @ParameterizedTest
    @ValueSource(strings = {"vg-vm1--cow", "vg-docker--tpool", "vg-x--real", "vg-data_extracted"})
    void aVolumeThatIsNamedLikeALayerIsNone(String name) {
        var volume = device(name, "", 0, 1);
        assertFalse(Leftovers.mayBeLeft(volume));
        assertFalse(Leftovers.isLeft(volume, Map.of(UUID, false), true));
        assertFalse(SuspendedDevices.isBelow(volume), "its suspension may be an administrator's");
    }

    @Test
    void whatLiesBelowAVolumeIsKnownByItsUuid() {
        assertTrue(SuspendedDevices.isBelow(device("vg-x-real", 1, 1)));
        assertTrue(SuspendedDevices.isBelow(device("vg-s-cow", 1, 1)));
    }

    @Test
    void anImageThatLvmKnowsStays() {
        var image = device("vg-lv_rimage_0", 0, 1);
        assertTrue(Leftovers.isLeft(image, Map.of(), false));
        assertFalse(Leftovers.isLeft(image, Map.of(UUID, true), false));
        var empty = device("vg-lv_rimage_0", 0, 0);
        assertTrue(Leftovers.isLeft(empty, Map.of(UUID, true), false));
    }

    @Test
    void aPartThatACutChangeLeftClosedGoes() {
        var image = device("vg-lv_rimage_0", 0, 1);
        assertTrue(Leftovers.isLeft(image, Map.of(UUID, true), true));
        var store = device("vg-snap-cow", 0, 1);
        assertTrue(Leftovers.isLeft(store, Map.of(UUID, false), true), "its volume is visible");
    }

    /** LVM before 2.03 reserves fewer names than this program knows. */
    @Safety(48)
    @Test
    void aVolumeThatLvmShowsToPeopleStaysWhateverItsName() {
        var volume = device("vg-my_cvol", 0, 1);
        assertFalse(Leftovers.isLeft(volume, Map.of(UUID, false), true));
    }
}
