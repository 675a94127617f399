package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    })
    void namesOfDevicesLeadToVolumes(String device, String vg, String lv) {
        assertEquals(Optional.of(new LvName(vg, lv)), Recovery.volumeOf(device));
    }

    @Test
    void aDeviceOfSomethingElseLeadsNowhere() {
        assertEquals(Optional.empty(), Recovery.volumeOf("cryptroot"));
    }
}
