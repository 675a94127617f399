package lvms.operator.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Extents belong to the volume that people know, whatever LVM calls their part of it. */
class HiddenNameTests {
    @ParameterizedTest(name = "{0} is {2} of {1}")
    @CsvSource({
        "data, data, DATA",
        "my_data_1, my_data_1, DATA",
        "pool_tdata, pool, DATA",
        "pool_tmeta, pool, METADATA",
        "pool_tmeta_rimage_1, pool, METADATA",
        "pool_tdata_rimage_0, pool, DATA",
        "pool_tdata_rmeta_0, pool, METADATA",
        "v_rimage_12, v, DATA",
        "v_rimage_0_extracted, v, DATA",
        "v_rmeta_12, v, METADATA",
        "v_mimage_0, v, DATA",
        "v_mlog, v, METADATA",
        "v_corig, v, DATA",
        "lvol0_pmspare, lvol0_pmspare, METADATA",
        "pvmove0, pvmove0, MOVING",
        "pvmove1_mimage_0, pvmove1, MOVING",
    })
    void namesItsVolumeAndItsPart(String name, String owner, HiddenName.Part part) {
        assertEquals(new HiddenName(owner, part), HiddenName.of(name));
    }
}
