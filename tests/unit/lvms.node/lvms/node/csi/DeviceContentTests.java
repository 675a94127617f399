package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import lvms.lvm2.device.Signatures;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

/** A filesystem is made only on a device that is proven blank; nothing else is ever overwritten. */
class DeviceContentTests {
    private static final Optional<Superblock> NONE = Optional.empty();
    private static final Superblock XFS_IN_PROGRESS = new Superblock(1 << 20, 4096, false, true);

    private static Signatures found(String type, String usage) {
        return new Signatures.Found(
                Optional.of(new Signatures.Signature(type, usage, "", "", "")), Optional.empty());
    }

    @Test
    void aBlankFreshVolumeMayGetAFilesystem() {
        assertEquals(
                new DeviceContent.Empty(),
                DeviceContent.of(new Signatures.Blank(), NONE, Filesystem.EXT4, true));
    }

    @Test
    void aWrittenCopyThatLooksBlankIsLeftAlone() {
        assertInstanceOf(
                DeviceContent.Occupied.class,
                DeviceContent.of(new Signatures.Blank(), NONE, Filesystem.EXT4, false));
    }

    @Test
    void theWantedFilesystemIsUsed() {
        assertEquals(
                new DeviceContent.Ready(),
                DeviceContent.of(found("xfs", "filesystem"), NONE, Filesystem.XFS, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xfs",
                "btrfs",
                "ext3",
                "crypto_LUKS",
                "LVM2_member",
                "linux_raid_member",
                "swap",
                "zfs_member"
            })
    void anythingElseIsLeftAlone(String type) {
        assertInstanceOf(
                DeviceContent.Occupied.class,
                DeviceContent.of(found(type, "other"), NONE, Filesystem.EXT4, true));
    }

    @Test
    void aPartitionTableIsLeftAlone() {
        var table = new Signatures.Found(Optional.empty(), Optional.of("gpt"));
        assertInstanceOf(
                DeviceContent.Occupied.class, DeviceContent.of(table, NONE, Filesystem.EXT4, true));
    }

    @Test
    void marksOfABiosRaidAreLeftoversOnAFreshVolumeOnly() {
        var mark = found("jmicron_raid_member", "raid");
        assertEquals(
                new DeviceContent.Leftovers(), DeviceContent.of(mark, NONE, Filesystem.EXT4, true));
        assertInstanceOf(
                DeviceContent.Occupied.class, DeviceContent.of(mark, NONE, Filesystem.EXT4, false));
    }

    @Test
    void aFilesystemBesideSuchMarksIsUsed() {
        var both = new Signatures.Ambivalent(List.of("jmicron_raid_member", "ext4"));
        assertEquals(
                new DeviceContent.Ready(), DeviceContent.of(both, NONE, Filesystem.EXT4, true));
    }

    @Test
    void contradictingContentIsLeftAlone() {
        var both = new Signatures.Ambivalent(List.of("xfs", "ext4"));
        assertInstanceOf(
                DeviceContent.Occupied.class, DeviceContent.of(both, NONE, Filesystem.EXT4, true));
    }

    /** A copy may have been taken while mkfs ran on its source, which nobody had mounted yet. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFilesystemWhoseMakingWasCutIsMadeAgain(boolean fresh) {
        assertEquals(
                new DeviceContent.Empty(),
                DeviceContent.of(
                        found("xfs", "filesystem"),
                        Optional.of(XFS_IN_PROGRESS),
                        Filesystem.XFS,
                        fresh));
    }
}
