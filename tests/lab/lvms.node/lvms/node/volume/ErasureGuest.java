package lvms.node.volume;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.api.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.command.LvmCommands;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.node.erasure.Marks;
import lvms.node.erasure.QuarantineWatch;
import lvms.node.erasure.StillErasing;
import lvms.node.erasure.VolumeZeroing;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * One tenant fills volumes with a marker; the next one must not find it, whatever kind the volume
 * has and however it came by its extents. Runs inside a lab node.
 */
class ErasureGuest {
    private static final long MIB = 1L << 20;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final String MARKER = "tenant-before";
    private static final long FAST = 1L << 40;
    private static final ErasurePolicy BLOCK =
            new ErasurePolicy(ZeroVolumes.BLOCK, OnRemoval.NONE, FAST);
    private static final DeviceClasses CLASSES =
            new DeviceClasses(
                    List.of(thick("open", ErasurePolicy.NOTHING), thick("clean", BLOCK)),
                    Map.of(
                            "raid", List.of("--type", "raid1", "-m", "1", "--nosync"),
                            "synced", List.of("--type", "raid1", "-m", "1"),
                            "striped", List.of("--type", "striped", "-i", "2")));

    private static Lvm lvm;
    private static GroupLedgers groups;
    private static VolumeOperations operations;

    private static NodeDeviceClass thick(String name, ErasurePolicy erasure) {
        return new NodeDeviceClass(
                        name,
                        "erase",
                        false,
                        new Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty())
                .withErasure(erasure);
    }

    @BeforeAll
    static void open() throws Exception {
        sh("vgcreate -q -y erase /dev/ubdb /dev/ubdc");
        lvm = LvmCommands.open(GuestArchive.lvmOptions());
        groups = new GroupLedgers(lvm);
        operations = new VolumeOperations(groups);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        assertEquals("", sh("lvs --noheadings -o lv_name erase"));
    }

    @AfterAll
    static void close() throws Exception {
        groups.erasures().close();
        lvm.close();
        sh("vgremove -q -y -f erase");
    }

    /** Fills all of a volume. */
    private static void mark(LvName volume) throws Exception {
        sh(
                "yes "
                        + MARKER
                        + " | dd of=/dev/"
                        + volume
                        + " bs=1M iflag=fullblock oflag=direct status=none 2>/dev/null || true");
        assertTrue(markers(volume) > 0);
    }

    /** Counts the lines that hold the marker, past the page cache. */
    private static long markers(LvName volume) throws Exception {
        var dd = "dd if=/dev/" + volume + " bs=1M iflag=direct status=none";
        return Long.parseLong(sh(dd + " | { grep -a -c " + MARKER + " || true; }"));
    }

    /** Every extent of the group was once a tenant's. */
    private static void markAll() throws Exception {
        for (int disk = 0; disk < 2; disk++) {
            sh("lvcreate -q -y -Wn -l 100%PVS -n all erase /dev/ubd" + (disk == 0 ? "b" : "c"));
            mark(new LvName("erase", "all"));
            sh("lvremove -q -y erase/all");
        }
        groups.refresh("erase");
    }

    private static LogicalVolume wanted(
            String name, String deviceClass, String size, String options, String mode) {
        return LogicalVolume.of(
                Volumes.object(name, size)
                        .with(UUID.nameUUIDFromBytes(name.getBytes()).toString(), "metadata", "uid")
                        .with(deviceClass, "spec", "deviceClass")
                        .with(options, "spec", "lvcreateOptionClass")
                        .with(
                                mode,
                                "metadata",
                                "annotations",
                                Driver.TOPOLVM.volumeModeAnnotation()));
    }

    private static lvms.lvm2.LogicalVolume make(LogicalVolume wanted) throws Exception {
        var volume = NewVolume.of(wanted, Optional.empty(), CLASSES);
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (true) {
            try {
                return operations.makeWhole(volume, FAST);
            } catch (StillErasing e) {
                assertTrue(System.nanoTime() < end, "not zeroed in time");
                e.erasure().await(DEADLINE);
            }
        }
    }

    private static lvms.lvm2.LogicalVolume grow(LvName name, long bytes) throws Exception {
        while (true) {
            try {
                return operations.growZeroed(name, bytes, FAST);
            } catch (StillErasing e) {
                assertTrue(e.erasure().await(DEADLINE), "not zeroed in time");
            }
        }
    }

    /** The harm: what LVM does, and TopoLVM with it. */
    @Test
    void aClassThatErasesNothingShowsTheTenantBefore() throws Exception {
        markAll();
        var volume = make(wanted("open", "open", "64Mi", "", "Block"));
        assertTrue(markers(volume.name()) > 0);
        operations.remove(volume.name(), ErasurePolicy.NOTHING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "striped", "raid", "synced"})
    void aBlockVolumeShowsNothing(String options) throws Exception {
        markAll();
        var volume = make(wanted("new-" + options, "clean", "64Mi", options, "Block"));
        assertEquals(0, markers(volume.name()));
        assertEquals(
                "", sh("lvs --noheadings -o lv_tags " + volume.name() + " | grep unerased||:"));
        for (long size : new long[] {96 * MIB, 128 * MIB}) {
            assertEquals(size, grow(volume.name(), size).sizeBytes());
            assertEquals(0, markers(volume.name()), "at " + size);
        }
        assertEquals("", sh("lvs --noheadings -o lv_name erase | grep grow || true"));
        operations.remove(volume.name(), BLOCK);
    }

    @Test
    void anUnknownModeCountsAsBlockAndAFilesystemCostsNothing() throws Exception {
        markAll();
        var unknown = make(wanted("unknown", "clean", "32Mi", "", ""));
        assertEquals(0, markers(unknown.name()));
        var filesystem = make(wanted("fs", "clean", "32Mi", "", "Filesystem"));
        assertTrue(markers(filesystem.name()) > 0, "nothing was written to it");
        operations.remove(unknown.name(), BLOCK);
        operations.remove(filesystem.name(), BLOCK);
    }

    @Test
    void aSmallVolumeDoesNotWaitForALargeOne() throws Exception {
        long rate = 8 * MIB;
        var large = newVolume("large", "96Mi");
        var begun = assertThrows(StillErasing.class, () -> zeroed(large, rate)).erasure();
        var small = newVolume("small", "8Mi");
        try {
            while (!isZeroed(small, rate)) {
                assertTrue(begun.percent() < 100);
            }
            assertTrue(begun.percent() < 100);
        } finally {
            operations.remove(small.name(), BLOCK);
            operations.remove(Marks.unfinished(large.name()), BLOCK);
        }
    }

    private static String names() throws Exception {
        return sh("lvs --noheadings -o lv_name erase | tr -d ' '").strip();
    }

    /** Another system knows a volume by its name, and would hand it out. */
    @Test
    @Safety(46)
    void untilItIsZeroedItHasAnotherName() throws Exception {
        var volume = newVolume("named", "64Mi");
        var begun = assertThrows(StillErasing.class, () -> zeroed(volume, 8 * MIB)).erasure();
        assertEquals("lvms-fill-" + volume.name().lv(), names());
        groups.erasures().close(); // the process ends
        assertTrue(begun.await(DEADLINE));
        groups = new GroupLedgers(lvm);
        operations = new VolumeOperations(groups);
        make(wanted("named", "clean", "64Mi", "", "Block"));
        assertEquals(volume.name().lv(), names());
        operations.remove(volume.name(), BLOCK);
    }

    /** A process was killed between its last two changes. */
    @Test
    @Safety(46)
    void oneThatIsCompleteIsOnlyRenamed() throws Exception {
        var volume = newVolume("complete", "32Mi");
        sh("lvcreate -q -y -Wn -L 32M -n lvms-fill-" + volume.name().lv() + " erase");
        mark(Marks.unfinished(volume.name()));
        groups.refresh("erase");
        make(wanted("complete", "clean", "32Mi", "", "Block"));
        assertEquals(volume.name().lv(), names());
        assertTrue(markers(volume.name()) > 0, "it was zeroed before, and nobody wrote it since");
        operations.remove(volume.name(), BLOCK);
    }

    @Test
    @Safety(46)
    void whatAnOlderAgentBeganGetsAnotherNameAndGoesOn() throws Exception {
        markAll();
        var volume = newVolume("older", "64Mi");
        sh(
                "lvcreate -q -y -Wn -L 64M --addtag lvms --addtag lvms.unerased -n "
                        + volume.name().lv()
                        + " erase");
        groups.refresh("erase");
        var begun = assertThrows(StillErasing.class, () -> zeroed(volume, 8 * MIB)).erasure();
        assertEquals("lvms-fill-" + volume.name().lv(), names());
        assertTrue(begun.percent() < 100);
        operations.remove(Marks.unfinished(volume.name()), BLOCK);
    }

    /** An agent that is rolled back finds no volume under the name, and makes it. */
    @Test
    @Safety(46)
    void oneThatAnOlderAgentMadeAnewMeanwhileGoes() throws Exception {
        var volume = newVolume("anew", "32Mi");
        for (var name : List.of("lvms-fill-" + volume.name().lv(), volume.name().lv())) {
            sh("lvcreate -q -y -Wn -L 32M --addtag lvms -n " + name + " erase");
        }
        groups.refresh("erase");
        try (var watch =
                new QuarantineWatch(LiveDeviceClasses.of(CLASSES), groups, groups.erasures())) {
            watch.start();
            while (names().contains("lvms-fill-")) {
                Thread.onSpinWait();
            }
        }
        assertEquals(volume.name().lv(), names());
        groups.refresh("erase");
        operations.remove(volume.name(), BLOCK);
    }

    @Test
    @Safety(45)
    void aVolumeRemembersThatAllOfItWasZeroed() throws Exception {
        var volume = make(wanted("zeroed", "clean", "32Mi", "", "Block"));
        assertTrue(volume.tags().contains("lvms.zeroed"));
        assertTrue(grow(volume.name(), 64 * MIB).tags().contains("lvms.zeroed"));
        var grown = operations.grow(volume.name(), Optional.empty(), 96 * MIB);
        assertFalse(grown.tags().contains("lvms.zeroed"), "what it grew by was not");
        operations.remove(volume.name(), BLOCK);
    }

    private static NewVolume newVolume(String name, String size) throws Exception {
        return NewVolume.of(wanted(name, "clean", size, "", "Block"), Optional.empty(), CLASSES);
    }

    private static void zeroed(NewVolume volume, long rate) throws Exception {
        operations.makeWhole(volume, rate);
    }

    private static boolean isZeroed(NewVolume volume, long rate) throws Exception {
        try {
            zeroed(volume, rate);
            return true;
        } catch (StillErasing e) {
            return false;
        }
    }

    /** LVM's metadata is on the other disk, whose flush says nothing about this one. */
    @Test
    void theZerosAreFlushedBeforeTheMarkGoes() throws Exception {
        sh("pvchange -q --metadataignore y /dev/ubdc");
        sh("lvcreate -q -y -Wn -Zn -L 32M -n cached --addtag lvms.unerased erase /dev/ubdc");
        groups.refresh("erase");
        var volume = lvm.volumes().find(new LvName("erase", "cached")).orElseThrow();
        long before = flushes("ubdc");
        try {
            var zeroed = new VolumeZeroing(groups, groups.erasures()).zeroed(volume, FAST);
            assertFalse(zeroed.tags().contains("lvms.unerased"));
            assertTrue(flushes("ubdc") > before);
        } finally {
            operations.remove(volume.name(), BLOCK);
            sh("pvchange -q --metadataignore n /dev/ubdc");
        }
    }

    private static long flushes(String disk) throws Exception {
        return Long.parseLong(sh("awk '{print $16}' /sys/block/" + disk + "/stat"));
    }

    /** The data of a volume that was handed out is never zeroed, whatever is asked again. */
    @Test
    void aVolumeThatWasHandedOutKeepsItsData() throws Exception {
        var object = wanted("kept", "clean", "32Mi", "", "Block");
        var volume = make(object);
        mark(volume.name());
        long before = markers(volume.name());
        assertEquals(volume.uuid(), make(object).uuid());
        assertEquals(before, markers(volume.name()));
        assertEquals(64 * MIB, grow(volume.name(), 64 * MIB).sizeBytes());
        assertEquals(before, markers(volume.name()));
        operations.remove(volume.name(), BLOCK);
    }

    /** Every state in which a killed process may leave the zeroing is finished by the next one. */
    @Test
    void aGrowthThatWasCutIsFinished() throws Exception {
        markAll();
        var volume = make(wanted("cut", "clean", "32Mi", "", "Block"));
        var growth = "lvms-grow-" + volume.uuid();
        lvm.volumes()
                .reserveGrowth(
                        volume.identity(),
                        64 * MIB,
                        new LvName("erase", growth),
                        java.util.Set.of("lvms.unerased", "lvms.growth"));
        assertEquals(
                96 * MIB, grow(volume.name(), 96 * MIB).sizeBytes(), "meanwhile more is asked");
        assertEquals(0, markers(volume.name()));
        operations.remove(volume.name(), BLOCK);
    }

    @ParameterizedTest
    @CsvSource({"zero, ''", "zero, raid", "discard, ''"})
    void aRemovedVolumeIsErasedUnderAnotherName(String how, String options) throws Exception {
        var policy = new ErasurePolicy(ZeroVolumes.NONE, OnRemoval.of(how), FAST);
        var volume = make(wanted("gone-" + how, "open", "64Mi", options, "Block"));
        mark(volume.name());
        operations.remove(volume.name(), policy);
        assertTrue(groups.limitedTo("erase").volumes().find(volume.name()).isEmpty());
        operations.remove(volume.name(), policy); // again: it is gone
        awaitEmpty();
        var next = make(wanted("next-" + how, "open", "64Mi", options, "Block"));
        if (how.equals("zero")) {
            assertEquals(0, markers(next.name()));
        }
        operations.remove(next.name(), ErasurePolicy.NOTHING);
    }

    @Test
    void quarantineThatAnEarlierProcessLeftIsFinished() throws Exception {
        var volume = make(wanted("left", "open", "64Mi", "", "Block"));
        mark(volume.name());
        sh("lvchange -q -an " + volume.name());
        sh("lvchange -q --addtag lvms.erase=zero " + volume.name());
        sh("lvrename -q " + volume.name() + " lvms-erase-" + volume.uuid());
        groups.refresh("erase");
        try (var watch =
                new QuarantineWatch(LiveDeviceClasses.of(CLASSES), groups, groups.erasures())) {
            watch.start();
            awaitEmpty();
        }
        var next = make(wanted("after", "open", "64Mi", "", "Block"));
        assertEquals(0, markers(next.name()));
        operations.remove(next.name(), ErasurePolicy.NOTHING);
    }

    /**
     * A block of a pool that does not zero shows the tenant before, as soon as its new one writes a
     * part of it.
     */
    @Test
    void aThinPoolThatDoesNotZeroIsTaughtToBeforeAVolumeIsMadeOrGrown() throws Exception {
        sh("lvcreate -q -y -T -Zn -c 64k -L 128M erase/pool");
        try {
            assertTrue(partsShown("harm", ErasurePolicy.NOTHING) > 0);
            assertEquals(0, partsShown("mended", BLOCK));
        } finally {
            sh("lvremove -q -y erase/pool");
            groups.refresh("erase");
        }
    }

    private static long partsShown(String name, ErasurePolicy erasure) throws Exception {
        groups.refresh("erase");
        var thin = new NodeDeviceClass.Provisioning.Thin("pool", 4);
        var deviceClass =
                new NodeDeviceClass(
                                "thin",
                                "erase",
                                true,
                                thin,
                                0,
                                Optional.empty(),
                                List.of(),
                                Optional.empty())
                        .withErasure(erasure);
        var classes = new DeviceClasses(List.of(deviceClass), Map.of());
        for (var tenant : List.of("before", "after")) {
            operations.zeroNewBlocks(deviceClass);
            var wanted = wanted(name + tenant, "thin", "64Mi", "", "Block");
            var volume = operations.make(NewVolume.of(wanted, Optional.empty(), classes)).name();
            if (tenant.equals("before")) {
                mark(volume);
            } else {
                var path = "/dev/" + volume;
                sh(
                        "i=0; while [ $i -lt 16384 ]; do dd if=/dev/zero of="
                                + path
                                + " bs=4k count=1 seek=$i oflag=direct status=none; i=$((i+512));"
                                + " done");
                long shown = markers(volume);
                operations.remove(volume, erasure);
                return shown;
            }
            operations.remove(volume, erasure);
        }
        throw new AssertionError("no second tenant");
    }

    /** Somebody has the device open: nothing is written to it, and it keeps its name. */
    @Test
    void anOpenVolumeIsNotTakenIntoQuarantine() throws Exception {
        var policy = new ErasurePolicy(ZeroVolumes.NONE, OnRemoval.ZERO, FAST);
        var volume = make(wanted("busy", "open", "32Mi", "", "Block"));
        mark(volume.name());
        var reader = new ProcessBuilder("sh", "-c", "exec 3</dev/" + volume.name() + "; read x");
        var process = reader.start();
        try {
            long end = System.nanoTime() + DEADLINE.toNanos();
            while (sh("lvs --noheadings -o lv_device_open " + volume.name()).isEmpty()) {
                assertTrue(System.nanoTime() < end);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThrows(
                    lvms.lvm2.LvmException.InUse.class,
                    () -> operations.remove(volume.name(), policy));
            assertTrue(markers(volume.name()) > 0);
        } finally {
            process.destroyForcibly().waitFor();
        }
        operations.remove(volume.name(), policy);
        awaitEmpty();
    }

    private static void awaitEmpty() throws Exception {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!sh("lvs --noheadings -o lv_name erase").isEmpty()) {
            assertTrue(System.nanoTime() < end, () -> "still there");
            TimeUnit.MILLISECONDS.sleep(50);
        }
        groups.refresh("erase");
    }
}
