package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.proto.csi.v1.VolumeCapability.BlockVolume;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;

/** What a volume can be asked for. */
class RequestsTests {
    private static VolumeCapability block(Mode mode) {
        return VolumeCapability.newBuilder()
                .setBlock(BlockVolume.getDefaultInstance())
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"SINGLE_NODE_WRITER", "SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_MULTI_WRITER"})
    void aVolumeCanBeHadByPodsOfOneNode(Mode mode) {
        assertEquals(Optional.empty(), Requests.problem(block(mode)));
    }

    @ParameterizedTest
    @CsvSource({"SINGLE_NODE_READER_ONLY", "MULTI_NODE_MULTI_WRITER"})
    void andInNoOtherWay(Mode mode) {
        assertEquals(
                Optional.of("access mode " + mode + " is not possible for a volume on one node"),
                Requests.problem(block(mode)));
    }

    @Test
    void aCapabilityNamesItsModeAndItsKind() {
        assertEquals(
                Optional.of("access_mode is missing or unknown"),
                Requests.problem(block(Mode.UNKNOWN)));
        assertEquals(
                Optional.of("a capability is neither block nor mount"),
                Requests.problem(VolumeCapability.getDefaultInstance()));
    }
}
