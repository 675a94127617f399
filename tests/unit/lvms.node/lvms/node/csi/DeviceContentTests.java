package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import lvms.lvm2.device.Signatures;
import lvms.node.format.ContentMark;
import lvms.node.proof.Formatting;
import lvms.node.proof.Formatting.Blocks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

/** A filesystem is made only on a device that is proven blank; nothing else is ever overwritten. */
class DeviceContentTests {
    private static final Signatures BLANK = new Signatures.Blank();
    private static final Optional<ContentMark> NO_MARK = Optional.empty();

    private static Signatures found(String type, String usage) {
        return new Signatures.Found(
                Optional.of(new Signatures.Signature(type, usage, "", "", "")), Optional.empty());
    }

    private static Formatting evidence(
            Signatures found, Optional<ContentMark> mark, boolean copy, Blocks blocks) {
        return new Formatting(found, false, false, mark, copy, blocks, Optional.empty(), false);
    }

    private static Formatting halfMade(Optional<ContentMark> mark, boolean copy) {
        var xfs = found("xfs", "filesystem");
        return new Formatting(
                xfs, true, false, mark, copy, Blocks.EXTENTS, Optional.empty(), false);
    }

    private static DeviceContent ofNew(Signatures found, Filesystem wanted) {
        return DeviceContent.of(evidence(found, NO_MARK, false, Blocks.EXTENTS), wanted);
    }

    private static DeviceContent ofCopy(Signatures found, Filesystem wanted) {
        return DeviceContent.of(evidence(found, NO_MARK, true, Blocks.EXTENTS), wanted);
    }

    private static void assertLeftAlone(DeviceContent content) {
        assertInstanceOf(DeviceContent.Occupied.class, content);
    }

    @Test
    void aBlankVolumeMayGetAFilesystem() {
        assertEquals(new DeviceContent.Empty(), ofNew(BLANK, Filesystem.EXT4));
    }

    @Test
    void aCopyThatLooksBlankIsLeftAlone() {
        assertLeftAlone(ofCopy(BLANK, Filesystem.EXT4));
    }

    @Test
    void theWantedFilesystemIsUsed() {
        assertEquals(new DeviceContent.Ready(), ofCopy(found("xfs", "filesystem"), Filesystem.XFS));
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
        assertLeftAlone(ofNew(found(type, "other"), Filesystem.EXT4));
    }

    @Test
    void aPartitionTableIsLeftAlone() {
        var table = new Signatures.Found(Optional.empty(), Optional.of("gpt"));
        assertLeftAlone(ofNew(table, Filesystem.EXT4));
    }

    @Test
    void marksOfABiosRaidAreLeftoversOnANewVolumeOnly() {
        var mark = found("jmicron_raid_member", "raid");
        assertEquals(new DeviceContent.Leftovers(), ofNew(mark, Filesystem.EXT4));
        assertLeftAlone(ofCopy(mark, Filesystem.EXT4));
    }

    @Test
    void aFilesystemBesideSuchMarksIsUsed() {
        var both = new Signatures.Ambivalent(List.of("jmicron_raid_member", "ext4"));
        assertEquals(new DeviceContent.Ready(), ofNew(both, Filesystem.EXT4));
    }

    @Test
    void contradictingContentIsLeftAlone() {
        assertLeftAlone(ofNew(new Signatures.Ambivalent(List.of("xfs", "ext4")), Filesystem.EXT4));
    }

    /** A copy may have been taken while mkfs ran on its source, which nobody had mounted yet. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFilesystemWhoseMakingWasCutIsMadeAgain(boolean copy) {
        assertEquals(
                new DeviceContent.Empty(),
                DeviceContent.of(halfMade(NO_MARK, copy), Filesystem.XFS));
        assertLeftAlone(
                DeviceContent.of(
                        halfMade(Optional.of(ContentMark.FILESYSTEM), copy), Filesystem.XFS));
    }

    /** Its begin may be lost, in a pool that was repaired, or by a disk that gives back zeros. */
    @ParameterizedTest
    @EnumSource(Blocks.class)
    void aBlankVolumeThatHadAFilesystemIsLeftAlone(Blocks blocks) {
        for (var mark : List.of(ContentMark.FILESYSTEM, ContentMark.BLOCK)) {
            assertLeftAlone(
                    DeviceContent.of(
                            evidence(BLANK, Optional.of(mark), false, blocks), Filesystem.EXT4));
        }
    }

    @ParameterizedTest
    @CsvSource({"NONE, true", "EXTENTS, true", "WRITTEN, false"})
    void oneWithoutAFilesystemGetsItUnlessItsPoolSaysThatItWasWritten(
            Blocks blocks, boolean formatted) {
        var none = Optional.of(ContentMark.NO_FILESYSTEM);
        var content = DeviceContent.of(evidence(BLANK, none, false, blocks), Filesystem.EXT4);
        assertEquals(formatted, content instanceof DeviceContent.Empty);
        var begun =
                new Formatting(BLANK, false, true, none, false, blocks, Optional.empty(), false);
        assertEquals(new DeviceContent.Empty(), DeviceContent.of(begun, Filesystem.EXT4));
    }

    /** LVM did not wipe what an earlier volume left in its extents. */
    @Test
    void whatLiesInTheExtentsOfOneWithoutAFilesystemIsWiped() {
        var none = Optional.of(ContentMark.NO_FILESYSTEM);
        assertEquals(
                new DeviceContent.Leftovers(),
                DeviceContent.of(
                        evidence(found("swap", "other"), none, false, Blocks.EXTENTS),
                        Filesystem.EXT4));
    }

    @Test
    void aThinVolumeWithoutAMarkIsBlankIfNothingWasEverWritten() {
        assertEquals(
                new DeviceContent.Empty(),
                DeviceContent.of(evidence(BLANK, NO_MARK, true, Blocks.NONE), Filesystem.EXT4));
        assertLeftAlone(
                DeviceContent.of(evidence(BLANK, NO_MARK, false, Blocks.WRITTEN), Filesystem.EXT4));
    }

    @Test
    void aPersonMayGiveUpWhatIsThere() {
        var permitted =
                new Formatting(
                        found("swap", "other"),
                        false,
                        false,
                        Optional.of(ContentMark.FILESYSTEM),
                        false,
                        Blocks.WRITTEN,
                        Optional.empty(),
                        true);
        assertEquals(new DeviceContent.Leftovers(), DeviceContent.of(permitted, Filesystem.EXT4));
    }
}
