package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.Mounts.Flag;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;

/** Mount options of a request say how this volume is mounted, never what or where. */
class MountOptionsTests {
    private static MountOptions ext4(boolean readonly, String... flags) throws VolumeException {
        return MountOptions.of(Filesystem.EXT4, List.of(flags), readonly);
    }

    @Test
    void splitsAtCommasOutsideQuotes() throws Exception {
        var options = ext4(false, "noatime,discard", "context=\"system_u:object_r:c:s0:c1,c2\"");
        assertEquals(
                List.of("noatime", "discard", "context=\"system_u:object_r:c:s0:c1,c2\""),
                options.options());
    }

    @Test
    void readonlyOfTheRequestOrOfTheOptionsMakesItReadOnly() throws Exception {
        assertTrue(ext4(true).readOnly());
        assertTrue(ext4(false, "ro").readOnly());
        assertFalse(ext4(false, "rw").readOnly());
    }

    @Test
    void rwContradictsReadonly() {
        assertCode(StatusCode.INVALID_ARGUMENT, () -> ext4(true, "noatime,rw"));
    }

    @Test
    void xfsIsAlwaysMountedWithNouuidOnce() throws Exception {
        assertEquals(
                List.of("noatime", "nouuid"),
                MountOptions.of(Filesystem.XFS, List.of("noatime"), false).options());
        assertEquals(
                List.of("nouuid"),
                MountOptions.of(Filesystem.XFS, List.of("nouuid"), false).options());
    }

    @Test
    void dropsWhatOnlyFstabNeeds() throws Exception {
        assertEquals(
                List.of("noexec"),
                ext4(false, "defaults", "_netdev", "x-systemd.automount", "nofail", "noexec")
                        .options());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bind",
                "rbind",
                "remount",
                "move",
                "loop",
                "loop=/dev/loop0",
                "rshared",
                "make-private",
                "helper=x",
                "subvol=/",
                "device=/dev/sda",
                "logdev=/dev/sda",
                "a b",
                "a\\040b",
                "",
                "noatime,,ro",
                "a\u0001"
            })
    void refusesWhatWouldMountSomethingElse(String option) {
        assertCode(StatusCode.INVALID_ARGUMENT, () -> ext4(false, option));
    }

    /**
     * A corrupt volume of one tenant must not stop the node, nor may a mount do what nobody knows.
     */
    @ParameterizedTest
    @Safety(37)
    @CsvSource({
        "EXT4, errors=panic",
        "EXT4, journal_path=/dev/sda",
        "EXT4, test_dummy_encryption",
        "EXT4, usebackuproot",
        "XFS, rtdev=/dev/sda",
        "XFS, errors=continue",
        "BTRFS, fatal_errors=panic",
        "BTRFS, subvolid=5",
        "EXT4, something-of-a-later-kernel"
    })
    void refusesWhatIsNotKnownToConcernThisVolumeAlone(Filesystem filesystem, String option) {
        assertCode(
                StatusCode.INVALID_ARGUMENT,
                () -> MountOptions.of(filesystem, List.of(option), false));
    }

    @ParameterizedTest
    @CsvSource({
        "EXT4, errors=remount-ro",
        "EXT4, debug",
        "EXT4, data=journal",
        "EXT4, noload",
        "XFS, inode64",
        "XFS, logbsize=256k",
        "XFS, norecovery",
        "BTRFS, compress=zstd:3",
        "BTRFS, discard=async",
        "BTRFS, rescue=all"
    })
    void takesWhatTheManualsOfTheFilesystemsList(Filesystem filesystem, String option)
            throws Exception {
        assertTrue(MountOptions.of(filesystem, List.of(option), false).options().contains(option));
    }

    @Test
    void refusesMoreThanCsiAllows() {
        assertCode(StatusCode.INVALID_ARGUMENT, () -> ext4(false, "a".repeat(4097)));
    }

    @Test
    void knowsTheOptionsThatLeaveAJournalUnread() throws Exception {
        assertTrue(ext4(true, "noload").leavesJournal());
        assertFalse(ext4(true, "noatime").leavesJournal());
    }

    @Test
    void flagsOfTheMountAreSplitFromOptionsOfTheFilesystem() {
        var arguments =
                MountArguments.of(List.of("nosuid", "discard", "noexec", "exec", "stripe=4"));
        assertEquals(Set.of(Flag.NO_SUID), arguments.flags());
        assertEquals("discard,stripe=4", arguments.data());
        assertEquals(Set.of(Flag.NO_SUID, Flag.READ_ONLY), arguments.readOnlyFlags());
    }
}
