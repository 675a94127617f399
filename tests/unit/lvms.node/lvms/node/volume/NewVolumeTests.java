package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.lvm2.LvName;
import lvms.node.copy.CopySource;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.deviceclass.NodeDeviceClass.Striping;
import lvms.node.format.ContentMark;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** What is made in LVM for a LogicalVolume, and what is refused with which code. */
class NewVolumeTests {
    private static final DeviceClasses CLASSES =
            new DeviceClasses(
                    List.of(
                            deviceClass("thin", "vg1", true, new Thin("pool", 10), List.of()),
                            deviceClass("thin2", "vg2", false, new Thin("pool", 10), List.of()),
                            deviceClass(
                                    "thick", "vg1", false, new Thick(), List.of("--alloc=cling"))),
                    Map.of("raid", List.of("--type=raid1"), "evil", List.of("--config", "x")));

    private static NodeDeviceClass deviceClass(
            String name,
            String vg,
            boolean isDefault,
            NodeDeviceClass.Provisioning how,
            List<String> options) {
        return new NodeDeviceClass(
                name,
                vg,
                isDefault,
                how,
                0,
                Optional.of(new Striping(2, Optional.of("64k"))),
                options,
                Optional.empty());
    }

    private static NewVolume plan(LogicalVolume wanted) throws VolumeRefused {
        return NewVolume.of(wanted, Optional.empty(), CLASSES);
    }

    private static LogicalVolume inClass(String name, String optionClass, String size) {
        return LogicalVolume.of(
                Volumes.object("pvc-1", size)
                        .with(name, "spec", "deviceClass")
                        .with(optionClass, "spec", "lvcreateOptionClass"));
    }

    private static Optional<NewVolume.Source> unmarked(LogicalVolume source) {
        return Optional.of(new NewVolume.Source(source, Set.of()));
    }

    private static StatusCode refusal(LogicalVolume wanted, Optional<NewVolume.Source> source) {
        var refused =
                assertThrows(VolumeRefused.class, () -> NewVolume.of(wanted, source, CLASSES));
        return refused.code();
    }

    private static Set<String> tags(ZeroVolumes which, String mode) throws VolumeRefused {
        var policy = new ErasurePolicy(which, OnRemoval.NONE, 1);
        var zeroing = deviceClass("thick", "vg1", true, new Thick(), List.of()).withErasure(policy);
        var wanted =
                LogicalVolume.of(
                        Volumes.object("pvc-1", "1Gi")
                                .with("thick", "spec", "deviceClass")
                                .with(mode, "metadata", "annotations", "topolvm.io/volume-mode"));
        var classes = new DeviceClasses(List.of(zeroing), Map.of());
        return assertInstanceOf(
                        NewVolume.Thick.class, NewVolume.of(wanted, Optional.empty(), classes))
                .request()
                .tags();
    }

    @Test
    @Safety(17)
    void aVolumeThatAPodMayReadAsADeviceIsMarkedToBeZeroed() throws Exception {
        var mark = Set.of("lvms.unerased");
        for (var mode : List.of("Block", "", "filesystem")) {
            assertTrue(tags(ZeroVolumes.BLOCK, mode).containsAll(mark), mode);
        }
        assertTrue(tags(ZeroVolumes.ALL, "Filesystem").containsAll(mark));
        assertEquals(
                Set.of("lvms", "lvms.volume=pvc-1", "lvms.content=no-filesystem"),
                tags(ZeroVolumes.BLOCK, "Filesystem"));
        assertEquals(
                Set.of("lvms", "lvms.volume=pvc-1", "lvms.content=block"),
                tags(ZeroVolumes.NONE, "Block"));
    }

    @Test
    void theNameInLvmIsTheUid() throws Exception {
        var made = assertInstanceOf(NewVolume.ThinVolume.class, plan(Volumes.wanted("1Gi")));
        assertEquals(new LvName("vg1", Volumes.UID), made.name());
        assertEquals("pool", made.request().pool());
        assertTrue(made.request().tags().contains("lvms.volume=pvc-1"));
    }

    @Test
    void anEmptyClassIsTheDefaultOne() throws Exception {
        assertInstanceOf(NewVolume.ThinVolume.class, plan(inClass("", "", "1Gi")));
    }

    @ParameterizedTest(name = "{0} becomes {1} bytes")
    @CsvSource({"1, 4096", "4096, 4096", "4097, 8192", "1500m, 4096", "1Gi, 1073741824"})
    void sizesAreRoundedUp(String size, long bytes) throws Exception {
        assertEquals(bytes, plan(Volumes.wanted(size)).sizeBytes());
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "8Ei"})
    void sizesThatCannotBeAreRefused(String size) {
        assertEquals(StatusCode.INVALID_ARGUMENT, refusal(Volumes.wanted(size), Optional.empty()));
    }

    @Test
    void aThickVolumeGetsTheLayoutOfItsClass() throws Exception {
        var made = assertInstanceOf(NewVolume.Thick.class, plan(inClass("thick", "", "1Gi")));
        assertEquals(OptionalInt.of(2), made.request().stripes());
        assertEquals(OptionalLong.of(65536), made.request().stripeSizeBytes());
        assertEquals(List.of("--alloc=cling"), made.request().options().words());
    }

    @Test
    void anOptionClassReplacesTheWholeLayout() throws Exception {
        var made = assertInstanceOf(NewVolume.Thick.class, plan(inClass("thick", "raid", "1Gi")));
        assertEquals(OptionalInt.empty(), made.request().stripes());
        assertEquals(List.of("--type=raid1"), made.request().options().words());
    }

    @Test
    void unknownAndForbiddenOptionsAreRefused() {
        assertEquals(
                StatusCode.INVALID_ARGUMENT,
                refusal(inClass("thick", "none", "1Gi"), Optional.empty()));
        assertEquals(
                StatusCode.INVALID_ARGUMENT,
                refusal(inClass("thick", "evil", "1Gi"), Optional.empty()));
    }

    @Test
    void anUnknownClassIsNotFound() {
        assertEquals(StatusCode.NOT_FOUND, refusal(inClass("gone", "", "1Gi"), Optional.empty()));
    }

    @Test
    void aSnapshotIsReadOnlyAndACloneWritable() throws Exception {
        var source = unmarked(Volumes.made("1Gi"));
        assertFalse(NewVolume.of(Volumes.copyOf("pvc-1", "ro", "1Gi"), source, CLASSES).writable());
        assertTrue(NewVolume.of(Volumes.copyOf("pvc-1", "rw", "2Gi"), source, CLASSES).writable());
    }

    @Test
    void aCopyWithoutASizeGetsThatOfItsSource() throws Exception {
        var copy =
                NewVolume.of(
                        Volumes.copyOf("pvc-1", "ro", "0"), unmarked(Volumes.made("1Gi")), CLASSES);
        assertEquals(1L << 30, copy.sizeBytes());
    }

    @Test
    void everyRefusalOfACopyHasACode() {
        var source = unmarked(Volumes.made("1Gi"));
        assertEquals(
                StatusCode.INVALID_ARGUMENT, refusal(Volumes.copyOf("pvc-1", "", "1Gi"), source));
        assertEquals(
                StatusCode.INVALID_ARGUMENT, refusal(Volumes.copyOf("pvc-1", "wo", "1Gi"), source));
        assertEquals(
                StatusCode.OUT_OF_RANGE, refusal(Volumes.copyOf("pvc-1", "rw", "1023Mi"), source));
        var thick =
                LogicalVolume.of(
                        Volumes.copyOf("pvc-1", "rw", "1Gi")
                                .object()
                                .with("thick", "spec", "deviceClass"));
        assertEquals(StatusCode.INVALID_ARGUMENT, refusal(thick, source), "its source is thin");
        var elsewhere =
                LogicalVolume.of(
                        Volumes.copyOf("pvc-1", "rw", "1Gi")
                                .object()
                                .with("thin2", "spec", "deviceClass"));
        assertEquals(StatusCode.INVALID_ARGUMENT, refusal(elsewhere, source));
    }

    @Test
    void aCopyOfAThickVolumeIsFilledBeforeItIsHandedOut() throws Exception {
        var wanted =
                LogicalVolume.of(
                        Volumes.copyOf("pvc-1", "rw", "2Gi")
                                .object()
                                .with("thick", "spec", "deviceClass"));
        var source = thickSource();
        var clone =
                assertInstanceOf(
                        NewVolume.Thick.class, NewVolume.of(wanted, unmarked(source), CLASSES));
        assertEquals(2L << 30, clone.sizeBytes());
        assertTrue(clone.tags().contains("lvms.unfilled"));
        assertEquals(OptionalInt.of(2), clone.request().stripes());
        var held = assertInstanceOf(CopySource.Volume.class, clone.source().orElseThrow());
        assertEquals(source.status().volumeId(), held.lv());
        var snapshot = LogicalVolume.of(source.object().with("ro", "spec", "accessType"));
        var restore =
                assertInstanceOf(
                        NewVolume.Thick.class, NewVolume.of(wanted, unmarked(snapshot), CLASSES));
        assertInstanceOf(CopySource.Snapshot.class, restore.source().orElseThrow());
        var lost = LogicalVolume.of(snapshot.object().with(15L, "status", "code"));
        assertEquals(StatusCode.FAILED_PRECONDITION, refusal(wanted, unmarked(lost)));
    }

    private static LogicalVolume thickSnapshot(String annotation) {
        var object =
                Volumes.copyOf("pvc-1", "ro", "1Gi").object().with("thick", "spec", "deviceClass");
        return LogicalVolume.of(
                object.with(annotation, "metadata", "annotations", "topolvm.io/snapshot-store"));
    }

    private static LogicalVolume thickSource() {
        return LogicalVolume.of(Volumes.made("1Gi").object().with("thick", "spec", "deviceClass"));
    }

    @Test
    void aSnapshotOfAThickVolumeHasAStoreOfItsOwn() throws Exception {
        var source = unmarked(thickSource());
        var snapshot =
                assertInstanceOf(
                        NewVolume.ThickSnapshot.class,
                        NewVolume.of(thickSnapshot("134217728"), source, CLASSES));
        assertEquals(128 << 20, snapshot.request().storeBytes());
        assertEquals(source.get().object().status().volumeId(), snapshot.request().source());
        assertFalse(snapshot.writable());
        assertTrue(snapshot.tags().contains("lvms"));
    }

    /** An operator of an earlier release, or a person, says nothing of it. */
    @Test
    void withoutAWordItGetsTheLeastThatIsSafe() throws Exception {
        var snapshot =
                assertInstanceOf(
                        NewVolume.ThickSnapshot.class,
                        NewVolume.of(thickSnapshot(""), unmarked(thickSource()), CLASSES));
        assertEquals(512 << 20, snapshot.request().storeBytes());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "64, 65536",
        "64k, 65536",
        "64KB, 65536",
        "1m, 1048576",
        "65536b, 65536",
        "128s, 65536"
    })
    void stripeSizesAreReadAsLvcreateDoes(String text, long bytes) {
        assertEquals(bytes, striping(text).sizeBytes().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"''", "k", "64x", "-1", "1e3"})
    void stripeSizesThatAreNoneAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> striping(text).sizeBytes());
    }

    private static Striping striping(String size) {
        return new Striping(2, Optional.of(size));
    }

    private static LogicalVolume inMode(LogicalVolume wanted, String mode) {
        return LogicalVolume.of(
                wanted.object().with(mode, "metadata", "annotations", "topolvm.io/volume-mode"));
    }

    /** Nobody has to conclude later from its content what a volume is. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "thin, Block, lvms.content=block",
        "thick, Block, lvms.content=block",
        "thin, Filesystem, lvms.content=no-filesystem",
        "thick, Filesystem, lvms.content=no-filesystem"
    })
    void aNewVolumeRemembersWhatItIs(String deviceClass, String mode, String tag) throws Exception {
        assertTrue(plan(inMode(inClass(deviceClass, "", "1Gi"), mode)).tags().contains(tag));
    }

    /** An operator of another system says nothing of it. */
    @Test
    void oneOfWhichNobodyKnowsItHasNoMark() throws Exception {
        assertEquals(Optional.empty(), ContentMark.of(plan(inClass("thin", "", "1Gi")).tags()));
    }

    private static LogicalVolume in(LogicalVolume volume, String deviceClass) {
        return LogicalVolume.of(volume.object().with(deviceClass, "spec", "deviceClass"));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "Filesystem, FILESYSTEM, FILESYSTEM",
        "Filesystem, NO_FILESYSTEM, NO_FILESYSTEM",
        "Filesystem, BLOCK, FILESYSTEM",
        "Filesystem, , FILESYSTEM",
        "Block, FILESYSTEM, BLOCK",
        "Block, , BLOCK",
        ", FILESYSTEM, FILESYSTEM",
        ", NO_FILESYSTEM, NO_FILESYSTEM",
        ", BLOCK, BLOCK",
        ", , "
    })
    void aCopyRemembersWhatItsSourceWas(String mode, ContentMark source, ContentMark copy)
            throws Exception {
        var plain = Volumes.copyOf("pvc-1", mode == null ? "ro" : "rw", "1Gi");
        var wanted = mode == null ? plain : inMode(plain, mode);
        var tags = source == null ? Set.of("lvms.zeroed") : Set.of(source.tag(), "lvms.zeroed");
        for (var deviceClass : List.of("thin", "thick")) {
            var from = in(Volumes.made("1Gi"), deviceClass);
            var made =
                    NewVolume.of(
                            in(wanted, deviceClass),
                            Optional.of(new NewVolume.Source(from, tags)),
                            CLASSES);
            assertEquals(Optional.ofNullable(copy), ContentMark.of(made.tags()), deviceClass);
        }
    }

    private static NewVolume blockCopy(NewVolume.Source source, String sourceMode)
            throws VolumeRefused {
        var object =
                Volumes.copyOf("pvc-1", "rw", "1Gi").object().with("thick", "spec", "deviceClass");
        var said =
                sourceMode == null
                        ? object
                        : object.with(
                                sourceMode,
                                "metadata",
                                "annotations",
                                "topolvm.io/source-volume-mode");
        return NewVolume.of(inMode(LogicalVolume.of(said), "Block"), Optional.of(source), CLASSES);
    }

    /** A tool for backups reads the volume of a filesystem as a raw device. */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "lvms.content=filesystem, , false",
        "lvms.content=no-filesystem, , false",
        "lvms.content=filesystem, Block, false",
        "lvms, Filesystem, false",
        "lvms, , false",
        "lvms.content=filesystem lvms.zeroed, , true",
        "lvms.content=block, , true",
        "lvms, Block, true"
    })
    @Safety(45)
    void aThickFilesystemIsCopiedAsBlockOnlyIfItWasZeroed(
            String tags, String sourceMode, boolean copied) throws Exception {
        var source = new NewVolume.Source(thickSource(), Set.of(tags.split(" ")));
        if (copied) {
            assertTrue(blockCopy(source, sourceMode).tags().contains("lvms.content=block"));
        } else {
            var refused = assertThrows(VolumeRefused.class, () -> blockCopy(source, sourceMode));
            assertEquals(StatusCode.FAILED_PRECONDITION, refused.code());
            assertTrue(refused.getMessage().contains("zeroVolumes: all"), refused.getMessage());
        }
    }
}
