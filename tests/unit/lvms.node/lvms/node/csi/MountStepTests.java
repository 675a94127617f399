package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.system.DeviceNumber;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static MountStep withContext(String wanted, Mount there) throws VolumeException {
        var options = MountOptions.of(Filesystem.EXT4, List.of("context=" + wanted), false);
        var access = new Publication.Mounted(Filesystem.EXT4, options, "");
        var target = new TargetPath(Path.of("/a"));
        var at = there.mountPoint().equals(target.path()) ? List.of(there) : List.<Mount>of();
        return MountStep.of(
                new Publication(new VolumeId("v"), target, access, false),
                access,
                at,
                List.of(there));
    }

    private static Mount labelled(String at, String superOptions) {
        return MountTable.parse(
                        "40 1 253:3 / %s rw shared:1 - ext4 /dev/dm-3 %s"
                                .formatted(at, superOptions))
                .mounts()
                .getFirst();
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "s0:c1,c2           | s0:c1,c2",
                "s0:c26,c5          | s0:c5,c26",
                "s0:c1,c2,c3        | s0:c1.c3",
                "s0:c0.c1023        | s0:c0.c1023",
                "s0-s0              | s0",
                "s0-s0:c2,c1        | s0-s0:c1,c2",
            })
    void oneContextMayBeWrittenInTwoWays(String wanted, String shown) throws Exception {
        var option = "rw,context=\"u:object_r:container_file_t:" + shown + "\",stripe=16";
        var asked = "\"u:object_r:container_file_t:" + wanted + "\"";
        assertEquals(new MountStep.Converged(), withContext(asked, labelled("/a", option)));
        assertEquals(
                new MountStep.Another(Path.of("/b")), withContext(asked, labelled("/b", option)));
    }

    @ParameterizedTest(name = "{0} is not {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "u:r:t:s0:c1,c2  | rw,context=\"u:r:t:s0:c1,c3\"",
                "u:r:t:s0:c1,c2  | rw,context=u:r:t:s0",
                "u:r:t:s0        | rw,context=u:r:other:s0",
                "u:r:t:s0:c1.c3  | rw,context=\"u:r:t:s0:c1,c3\"",
                "u:r:t:s0:c9.c1  | rw,context=u:r:t:s0",
                "u:r:t           | rw,context=u:r:t:s0",
                "u:r:t:s0:c1,c2  | rw,seclabel",
                "u:r:t:s0        | rw",
            })
    void aPodWithAnotherContextIsNotGivenTheFilesystem(String wanted, String shown) {
        var asked = "\"" + wanted + "\"";
        assertCode(StatusCode.FAILED_PRECONDITION, () -> withContext(asked, labelled("/b", shown)));
        assertCode(StatusCode.ALREADY_EXISTS, () -> withContext(asked, labelled("/a", shown)));
    }

    @Test
    void aPodWithoutAContextMayUseWhatHasOne() throws Exception {
        var there = labelled("/b", "rw,context=u:r:t:s0");
        assertEquals(
                new MountStep.Another(Path.of("/b")),
                place(false, false, List.of(), List.of(there)));
    }

    @Test
    void aFilesystemThatBecameReadOnlyIsNotGivenOutAsWritable() {
        var broken = mount("/b", "ext4", "rw", "ro");
        assertCode(
                StatusCode.FAILED_PRECONDITION,
                () -> place(false, false, List.of(), List.of(broken)));
    }
}
