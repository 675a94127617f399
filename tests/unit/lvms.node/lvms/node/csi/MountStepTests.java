package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.system.DeviceNumber;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/** The tables of CSI for a volume that is published already, read as Kubernetes reads them. */
class MountStepTests {
    private static final DeviceNumber DEVICE = new DeviceNumber(253, 3);

    private static Mount mount(String at, String type, String options, String superOptions) {
        return new Mount(
                1,
                0,
                DEVICE,
                "/",
                Path.of(at),
                List.of(options),
                List.of(),
                type,
                "/dev/dm-3",
                List.of(superOptions));
    }

    private static final Mount HERE = mount("/a", "ext4", "rw", "rw");
    private static final Mount THERE = mount("/b", "ext4", "rw", "rw");

    private static Publication.Mounted access(boolean readOnly) {
        return new Publication.Mounted(Filesystem.EXT4, new MountOptions(readOnly, List.of()), "");
    }

    private static MountStep place(
            boolean readOnly, boolean exclusive, List<Mount> at, List<Mount> of)
            throws VolumeException {
        var access = access(readOnly);
        var wanted =
                new Publication(
                        new VolumeId("v"), new TargetPath(Path.of("/a")), access, exclusive);
        return MountStep.of(wanted, access, at, of);
    }

    @Test
    void theSameAgainIsDone() throws Exception {
        assertEquals(new MountStep.Converged(), place(false, true, List.of(HERE), List.of(HERE)));
    }

    @Test
    void theSameTargetWithOtherArgumentsIsTaken() {
        assertCode(
                StatusCode.ALREADY_EXISTS, () -> place(true, false, List.of(HERE), List.of(HERE)));
        var xfs = mount("/a", "xfs", "rw", "rw");
        assertCode(
                StatusCode.ALREADY_EXISTS, () -> place(false, false, List.of(xfs), List.of(xfs)));
    }

    @Test
    void aMountOfSomethingElseAtTheTargetIsNeverCovered() {
        assertCode(StatusCode.ALREADY_EXISTS, () -> place(false, false, List.of(HERE), List.of()));
    }

    @Test
    void nowhereYetIsTheFirst() throws Exception {
        assertEquals(new MountStep.First(), place(false, true, List.of(), List.of()));
    }

    @Test
    void aSecondPodOfTheNodeSharesTheVolume() throws Exception {
        assertEquals(
                new MountStep.Another(Path.of("/b")),
                place(false, false, List.of(), List.of(THERE)));
        assertEquals(
                new MountStep.Another(Path.of("/b")),
                place(true, false, List.of(), List.of(THERE)));
    }

    @Test
    void aReadOnlyPodDoesNotKeepAWritableOneOut() throws Exception {
        var readOnlyTarget = mount("/b", "ext4", "ro", "rw");
        assertEquals(
                new MountStep.Another(Path.of("/b")),
                place(false, false, List.of(), List.of(readOnlyTarget)));
    }

    @Test
    void anExclusiveVolumeHasOneTarget() {
        assertCode(
                StatusCode.FAILED_PRECONDITION,
                () -> place(false, true, List.of(), List.of(THERE)));
    }

    @Test
    void aFilesystemThatBecameReadOnlyIsNotGivenOutAsWritable() {
        var broken = mount("/b", "ext4", "rw", "ro");
        assertCode(
                StatusCode.FAILED_PRECONDITION,
                () -> place(false, false, List.of(), List.of(broken)));
    }
}
