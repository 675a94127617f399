package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.proto.csi.v1.NodePublishVolumeRequest;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.proto.csi.v1.VolumeCapability.BlockVolume;
import lvms.proto.csi.v1.VolumeCapability.MountVolume;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A NodePublishVolume request is checked as CSI says before anything is looked at. */
class PublicationTests {
    private static NodePublishVolumeRequest.Builder request(VolumeCapability.Builder capability) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId("v")
                .setTargetPath("/t/mount")
                .setVolumeCapability(capability);
    }

    private static VolumeCapability.Builder mount(String type, Mode mode) {
        return VolumeCapability.newBuilder()
                .setMount(MountVolume.newBuilder().setFsType(type))
                .setAccessMode(AccessMode.newBuilder().setMode(mode));
    }

    @Test
    void anEmptyTypeIsExt4() throws Exception {
        var wanted = Publication.of(request(mount("", Mode.SINGLE_NODE_WRITER)).build());
        var access = assertInstanceOf(Publication.Mounted.class, wanted.access());
        assertEquals(Filesystem.EXT4, access.filesystem());
        assertFalse(wanted.exclusive());
    }

    @Test
    void anUnknownTypeIsRefused() {
        assertCode(
                StatusCode.INVALID_ARGUMENT,
                () -> Publication.of(request(mount("vfat", Mode.SINGLE_NODE_WRITER)).build()));
    }

    @Test
    void theSinglePodModeIsExclusive() throws Exception {
        assertTrue(
                Publication.of(request(mount("xfs", Mode.SINGLE_NODE_SINGLE_WRITER)).build())
                        .exclusive());
        assertFalse(
                Publication.of(request(mount("xfs", Mode.SINGLE_NODE_MULTI_WRITER)).build())
                        .exclusive());
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {
                "SINGLE_NODE_READER_ONLY",
                "MULTI_NODE_READER_ONLY",
                "MULTI_NODE_SINGLE_WRITER",
                "MULTI_NODE_MULTI_WRITER"
            })
    void modesOfSeveralNodesAreAPreconditionThatALocalVolumeCannotMeet(Mode mode) {
        assertCode(
                StatusCode.FAILED_PRECONDITION,
                () -> Publication.of(request(mount("", mode)).build()));
    }

    @Test
    void aMissingModeIsAnInvalidArgument() {
        assertCode(
                StatusCode.INVALID_ARGUMENT,
                () -> Publication.of(request(mount("", Mode.UNKNOWN)).build()));
    }

    @Test
    void neitherBlockNorMountIsAnInvalidArgument() {
        var capability =
                VolumeCapability.newBuilder()
                        .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER));
        assertCode(StatusCode.INVALID_ARGUMENT, () -> Publication.of(request(capability).build()));
    }

    @Test
    void missingFieldsWinOverUnknownVolumes() {
        assertCode(
                StatusCode.INVALID_ARGUMENT,
                () ->
                        Publication.of(
                                NodePublishVolumeRequest.newBuilder().setVolumeId("a/b").build()));
        assertCode(
                StatusCode.INVALID_ARGUMENT,
                () -> Publication.of(request(mount("", Mode.UNKNOWN)).setVolumeId("").build()));
        assertCode(
                StatusCode.INVALID_ARGUMENT,
                () ->
                        Publication.of(
                                request(mount("", Mode.UNKNOWN)).clearVolumeCapability().build()));
    }

    @Test
    void blockAccessKeepsReadonly() throws Exception {
        var capability =
                VolumeCapability.newBuilder()
                        .setBlock(BlockVolume.getDefaultInstance())
                        .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER));
        var wanted = Publication.of(request(capability).setReadonly(true).build());
        assertEquals(new Publication.Raw(true), wanted.access());
    }
}
