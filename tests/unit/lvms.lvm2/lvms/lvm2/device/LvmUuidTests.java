package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** The UUID of a device of LVM says which volume it is, and whether it is a layer of it. */
class LvmUuidTests {
    private static final String GROUP = "AbCdEf0001222233334444555566GHIJ";
    private static final String VOLUME = "qbKEkftekshsYyLKG3ITZU4huGLfXb8f";

    private static LvmUuid expected(String layer) {
        return new LvmUuid(
                "AbCdEf-0001-2222-3333-4444-5555-66GHIJ",
                "qbKEkf-teks-hsYy-LKG3-ITZU-4huG-LfXb8f",
                layer);
    }

    @Test
    void aVolumeHasNoLayer() {
        assertEquals(Optional.of(expected("")), LvmUuid.of("LVM-" + GROUP + VOLUME));
    }

    @Test
    void aLayerIsNamedBehindBothUuids() {
        for (var layer : new String[] {"cow", "real", "tpool", "tdata"}) {
            assertEquals(
                    Optional.of(expected(layer)),
                    LvmUuid.of("LVM-" + GROUP + VOLUME + "-" + layer));
        }
    }

    @Test
    void anotherProgramsDeviceHasNone() {
        for (var other : new String[] {"", "CRYPT-LUKS2-abc", "LVM-" + GROUP, "LVM-x"}) {
            assertEquals(Optional.empty(), LvmUuid.of(other));
        }
    }
}
