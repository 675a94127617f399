package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.DeviceNumber;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;
import java.util.List;
import java.util.Set;

/** A device is removed only if it is closed and no volume that LVM knows of could need it. */
class LeftoversTests {
    private static final String UUID = "aaaaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaaaa";

    private static DeviceMapper.State device(String name, int openCount, int targets) {
        return new DeviceMapper.State(
                name,
                "LVM-" + "g".repeat(32) + "a".repeat(32),
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

    @Test
    void anImageThatLvmKnowsStays() {
        var image = device("vg-lv_rimage_0", 0, 1);
        assertTrue(Leftovers.isLeft(image, Set.of()));
        assertFalse(Leftovers.isLeft(image, Set.of(UUID)));
        assertTrue(Leftovers.isLeft(device("vg-lv_rimage_0", 0, 0), Set.of(UUID)));
    }
}
