package lvms.operator.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names are those of external-provisioner with the same flags. */
class VolumeNamingTests {
    private static final String UID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";

    @ParameterizedTest
    @CsvSource({
        "pvc, -1, pvc-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9",
        "disk, -1, disk-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9",
        "disk, 10, disk-0a1b2c3d4e",
        "disk, 32, disk-0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    })
    void aNameIsPrefixAndUid(String prefix, int length, String name) {
        assertEquals(name, new VolumeNaming(prefix, length).of(UID));
    }

    @ParameterizedTest
    @CsvSource({"pvc, -1, true", "disk, -1, true", "disk, 32, false", "pvc, 8, false"})
    void onlyTheWholeUidProvesWhoseAVolumeIs(String prefix, int length, boolean proves) {
        var name = new VolumeNaming(prefix, length).of(UID);
        assertEquals(proves, VolumeNaming.proves(name, UID));
        assertFalse(VolumeNaming.proves(name, "ffffffff" + UID.substring(8)));
    }

    @ParameterizedTest
    @CsvSource({"a.b", "9"})
    void whatAnApiServerTakesIsTaken(String prefix) {
        assertTrue(new VolumeNaming(prefix, VolumeNaming.WHOLE).of(UID).startsWith(prefix + "-"));
    }
}
