package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.StatusCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume id is safe in paths and LVM's arguments, or it is the id of no volume. */
class VolumeIdTests {
    @Test
    void acceptsTheUidOfAnObject() throws Exception {
        var uid = "7f3c2c1e-0b0e-4a0e-9a53-0d5c8c4f3a11";
        assertEquals(uid, VolumeId.of(uid).text());
    }

    @Test
    void aMissingIdIsAnInvalidArgument() {
        assertCode(StatusCode.INVALID_ARGUMENT, () -> VolumeId.of(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"..", ".", "../../etc", "a/b", "-n", "a b", "a\nb", "a\0b", "ä", "@tag"})
    void whatLvmCannotHoldIsAnUnknownVolume(String id) {
        assertCode(StatusCode.NOT_FOUND, () -> VolumeId.of(id));
    }

    @Test
    void anIdLongerThanLvmAllowsIsUnknownAndNotRepeatedInFull() {
        var failure = assertCode(StatusCode.NOT_FOUND, () -> VolumeId.of("x".repeat(5000)));
        assertEquals(true, failure.getMessage().length() < 300);
    }
}
