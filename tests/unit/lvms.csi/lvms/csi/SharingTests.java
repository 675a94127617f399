package lvms.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Controller and node judge an access mode by one table. */
class SharingTests {
    private static VolumeCapability with(AccessMode mode) {
        return VolumeCapability.newBuilder().setAccessMode(mode).build();
    }

    @ParameterizedTest
    @CsvSource({
        "SINGLE_NODE_WRITER, PODS_OF_THE_NODE",
        "SINGLE_NODE_MULTI_WRITER, PODS_OF_THE_NODE",
        "SINGLE_NODE_SINGLE_WRITER, ONE_POD",
        "UNKNOWN, UNNAMED",
        "SINGLE_NODE_READER_ONLY, IMPOSSIBLE",
        "MULTI_NODE_READER_ONLY, IMPOSSIBLE",
        "MULTI_NODE_SINGLE_WRITER, IMPOSSIBLE",
        "MULTI_NODE_MULTI_WRITER, IMPOSSIBLE"
    })
    void aModeSaysWhoMayUseTheVolume(Mode mode, Sharing expected) {
        assertEquals(expected, Sharing.of(with(AccessMode.newBuilder().setMode(mode).build())));
    }

    @Test
    void aModeThatCsiDoesNotHaveIsNone() {
        assertEquals(
                Sharing.UNNAMED,
                Sharing.of(with(AccessMode.newBuilder().setModeValue(99).build())));
    }

    @Test
    void aCapabilityWithoutAModeNamesNone() {
        assertEquals(Sharing.UNNAMED, Sharing.of(VolumeCapability.getDefaultInstance()));
    }
}
