package lvms.node.volume;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.api.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.command.LvmCommands;
import lvms.node.copy.CopySource;
import lvms.node.copy.VolumeCopying;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.node.erasure.StillErasing;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Snapshots of thick volumes on a real device-mapper. Runs inside a lab node. */
class ThickSnapshotGuest {
    private static final long MIB = 1L << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(40);
    private static final ErasurePolicy ZERO =
            new ErasurePolicy(ZeroVolumes.NONE, OnRemoval.ZERO, 1L << 40);
    private static final DeviceClasses CLASSES =
            new DeviceClasses(
                    List.of(
                            new NodeDeviceClass(
                                    "thick",
                                    "snaps",
                                    true,
                                    new Thick(),
                                    0,
                                    Optional.empty(),
                                    List.of(),
                                    Optional.empty())),
                    Map.of("raid", List.of("--type", "raid1", "-m", "1", "--nosync")));

    private static Lvm lvm;
    private static GroupLedgers groups;
    private static VolumeOperations operations;

    @BeforeAll
    static void open() throws Exception {
        sh("vgcreate -q -y snaps /dev/ubdb /dev/ubdc");
        lvm = LvmCommands.open(GuestArchive.lvmOptions());
        groups = new GroupLedgers(lvm);
        operations = new VolumeOperations(groups);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        assertEquals("", sh("lvs --noheadings -o lv_name snaps"));
        assertEquals("", sh("dmsetup ls | grep snaps || true"));
    }

    @AfterAll
    static void close() throws Exception {
        groups.erasures().close();
        lvm.close();
        sh("vgremove -q -y -f snaps");
    }

    private static LogicalVolume wanted(String name, String size, String options) {
        return LogicalVolume.of(
                Volumes.object(name, size)
                        .with(UUID.nameUUIDFromBytes(name.getBytes()).toString(), "metadata", "uid")
                        .with("thick", "spec", "deviceClass")
                        .with(options, "spec", "lvcreateOptionClass"));
    }

    /** Makes a volume that begins with a word, and returns its object. */
    private static LogicalVolume volume(String name, String size, String options) throws Exception {
        var wanted = wanted(name, size, options);
        var made = operations.make(NewVolume.of(wanted, Optional.empty(), CLASSES));
        write(made.name(), "before");
        return LogicalVolume.of(
                Volumes.withStatus(wanted.object(), wanted.uid(), Long.toString(made.sizeBytes())));
    }

    private static NewVolume snapshotOf(LogicalVolume source, String name) throws Exception {
        var wanted =
                LogicalVolume.of(
                        wanted(name, Long.toString(source.bytes()), "")
                                .object()
                                .with(source.name(), "spec", "source")
                                .with("ro", "spec", "accessType")
                                .with(
                                        Long.toString(8 * MIB),
                                        "metadata",
                                        "annotations",
                                        "topolvm.io/snapshot-store"));
        return NewVolume.of(wanted, Optional.of(new NewVolume.Source(source, Set.of())), CLASSES);
    }

    private static LvName nameOf(LogicalVolume volume) {
        return new LvName("snaps", volume.uid());
    }

    private static void write(LvName volume, String word) throws Exception {
        sh("printf %s " + word + " | dd of=/dev/" + volume + " conv=fsync,notrunc status=none");
    }

    private static String word(LvName volume) throws Exception {
        return sh("dd if=/dev/" + volume + " bs=4k count=1 iflag=direct status=none | head -c 6");
    }

    private static void remove(LvName name) throws Exception {
        operations.remove(name, ErasurePolicy.NOTHING);
        assertTrue(lvm.volumes().find(name).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "raid"})
    void aSnapshotIsOfItsInstantAndAsLargeAsItsVolume(String options) throws Exception {
        var source = volume("data" + options, "64Mi", options);
        var planned = snapshotOf(source, "snap" + options);
        var snapshot = operations.make(planned);
        write(nameOf(source), "after!");
        assertEquals("before", word(snapshot.name()));
        assertEquals("after!", word(nameOf(source)));
        assertEquals(64 * MIB, ActualVolume.of(snapshot).sizeBytes());
        assertEquals(
                Long.toString(8 * MIB),
                sh("lvs --noheadings --nosuffix --units b -o lv_size " + snapshot.name()));
        assertFalse(snapshot.writable());
        assertEquals(snapshot.uuid(), operations.make(planned).uuid(), "asked for again");
        var next = new VolumeOperations(new GroupLedgers(lvm));
        assertEquals(snapshot.uuid(), next.make(planned).uuid(), "by the next process");
        assertEquals("before", word(snapshot.name()));
        remove(snapshot.name());
        assertEquals("after!", word(nameOf(source)));
        remove(nameOf(source));
    }

    /** LVM would remove the snapshots with it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Safety(17)
    void aVolumeIsKeptUntilItsLastSnapshotIsGone(boolean erased) throws Exception {
        var policy = erased ? ZERO : ErasurePolicy.NOTHING;
        var source = volume("origin" + erased, "32Mi", "");
        var one = operations.make(snapshotOf(source, "one" + erased)).name();
        var two = operations.make(snapshotOf(source, "two" + erased)).name();
        var kept =
                assertThrows(
                        LvmException.InUse.class, () -> operations.remove(nameOf(source), policy));
        assertEquals(
                "the volume is kept until its last snapshot is gone: one%1$s, two%1$s"
                        .formatted(erased),
                kept.getMessage());
        operations.remove(one, policy);
        assertThrows(LvmException.InUse.class, () -> operations.remove(nameOf(source), policy));
        assertEquals("before", word(two));
        assertEquals("before", word(nameOf(source)));
        operations.remove(two, policy);
        operations.remove(nameOf(source), policy);
        awaitEmpty();
    }

    private static void awaitEmpty() throws Exception {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!sh("lvs --noheadings -o lv_name snaps").isEmpty()) {
            assertTrue(System.nanoTime() < end, "still there");
            TimeUnit.MILLISECONDS.sleep(50);
        }
        groups.refresh("snaps");
    }

    /** What its store kept is content of a tenant, too. */
    @Test
    @Safety(17)
    void theStoreOfARemovedSnapshotIsErased() throws Exception {
        var source = volume("secret", "32Mi", "");
        var fill =
                "yes tenant-before | dd of=/dev/%s bs=1M count=4 iflag=fullblock oflag=direct"
                        .formatted(nameOf(source));
        sh(fill + " status=none 2>/dev/null");
        var snapshot = operations.make(snapshotOf(source, "kept")).name();
        sh("dd if=/dev/zero of=/dev/" + nameOf(source) + " bs=1M oflag=direct 2>/dev/null || true");
        var place = sh("lvs --noheadings -o seg_pe_ranges " + snapshot);
        assertTrue(markers(place) > 0, "the store has old blocks");
        operations.remove(snapshot, ZERO);
        operations.remove(nameOf(source), ErasurePolicy.NOTHING);
        awaitEmpty();
        assertEquals(0, markers(place));
    }

    /**
     * Counts lines of a tenant.
     *
     * @param place such as {@code /dev/ubdb:8-9}, in extents of 4 MiB behind 1 MiB of metadata
     */
    private static long markers(String place) throws Exception {
        var parts = place.split("[:-]");
        int first = Integer.parseInt(parts[1]);
        int extents = Integer.parseInt(parts[2]) - first + 1;
        var dd =
                "dd if=%s bs=1M skip=%d count=%d iflag=direct status=none"
                        .formatted(parts[0], 1 + 4 * first, 4 * extents);
        return Long.parseLong(
                sh(dd + " | tr '\\000' '\\n' | { grep -a -c tenant-before || true; }"));
    }

    @Test
    void aVolumeThatNobodyHasActivatedYetIsSnapshot() throws Exception {
        var source = volume("asleep", "32Mi", "");
        sh("lvchange -q -an " + nameOf(source));
        var snapshot = operations.make(snapshotOf(source, "of-asleep"));
        assertTrue(snapshot.active());
        assertEquals("before", word(snapshot.name()));
        remove(snapshot.name());
        remove(nameOf(source));
    }

    @Test
    void aVolumeWithSnapshotsGrowsWhileNobodyUsesIt() throws Exception {
        var source = volume("small", "32Mi", "");
        var name = nameOf(source);
        var snapshot = operations.make(snapshotOf(source, "of-small")).name();
        var reader = new ProcessBuilder("sh", "-c", "exec 3</dev/" + name + "; read x").start();
        try {
            awaitOpen(name);
            var refused =
                    assertThrows(
                            LvmException.InUse.class,
                            () -> operations.grow(name, Optional.empty(), 64 * MIB));
            assertTrue(refused.getMessage().contains("stop its pods"), refused.getMessage());
        } finally {
            reader.destroyForcibly().waitFor();
        }
        assertEquals(64 * MIB, operations.grow(name, Optional.empty(), 64 * MIB).sizeBytes());
        write(name, "after!");
        assertEquals("before", word(snapshot));
        var there = lvm.volumes().find(snapshot).orElseThrow();
        assertEquals(32 * MIB, ActualVolume.of(there).sizeBytes(), "as it was taken");
        remove(snapshot);
        remove(name);
    }

    private static void awaitOpen(LvName name) throws Exception {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (sh("lvs --noheadings -o lv_device_open " + name).isEmpty()) {
            assertTrue(System.nanoTime() < end, "not open");
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void withoutRoomThereIsNone() throws Exception {
        var source = volume("large", "900Mi", "");
        var size = "256Mi";
        var wanted =
                LogicalVolume.of(
                        wanted("no-room", "900Mi", "")
                                .object()
                                .with(source.name(), "spec", "source")
                                .with("ro", "spec", "accessType")
                                .with(
                                        Long.toString(256 * MIB),
                                        "metadata",
                                        "annotations",
                                        "topolvm.io/snapshot-store"));
        var planned =
                NewVolume.of(wanted, Optional.of(new NewVolume.Source(source, Set.of())), CLASSES);
        assertThrows(LvmException.OutOfSpace.class, () -> operations.make(planned), size);
        remove(nameOf(source));
    }

    /** The tags tell the next process how far it was; what was copied since is copied again. */
    @Test
    void aCopyThatWasCutGoesOnFromWhereItWas() throws Exception {
        var source = volume("long", "96Mi", "");
        sh(
                "yes content | dd of=/dev/%s bs=1M iflag=fullblock oflag=direct 2>/dev/null || true"
                        .formatted(nameOf(source)));
        var wanted =
                LogicalVolume.of(
                        wanted("cut-copy", "96Mi", "")
                                .object()
                                .with(source.name(), "spec", "source")
                                .with("rw", "spec", "accessType"));
        var from = Optional.of(new NewVolume.Source(source, Set.of()));
        var planned = (NewVolume.Thick) NewVolume.of(wanted, from, CLASSES);
        var target = operations.make(planned.unfinished());
        var held = new CopySource.Volume(nameOf(source).lv(), 8 * MIB);
        var first = new GroupLedgers(lvm);
        var begun =
                assertThrows(
                        StillErasing.class, () -> copying(first).filled(target, held, 16 * MIB));
        while (begun.erasure().doneBytes() < 48 * MIB) {
            assertFalse(begun.erasure().await(Duration.ofMillis(20)), "it is not done so soon");
        }
        first.erasures().close();
        assertTrue(begun.erasure().await(DEADLINE));
        first.snapshots().close();
        var cut = lvm.volumes().find(target.name()).orElseThrow();
        var second = new GroupLedgers(lvm);
        var again =
                assertThrows(StillErasing.class, () -> copying(second).filled(cut, held, 4 * MIB));
        assertTrue(again.erasure().doneBytes() >= 32 * MIB, "at " + again.erasure().doneBytes());
        second.erasures().close();
        assertTrue(again.erasure().await(DEADLINE));
        second.snapshots().close();
        var filled = finish(planned);
        assertEquals(planned.name(), filled.name());
        assertEquals(sh("md5sum < /dev/" + nameOf(source)), sh("md5sum < /dev/" + filled.name()));
        assertEquals(
                "", sh("lvs --noheadings -o lv_tags " + filled.name() + " | grep fill || true"));
        groups.refresh("snaps");
        remove(filled.name());
        remove(nameOf(source));
    }

    private static VolumeCopying copying(GroupLedgers ledgers) {
        return new VolumeCopying(
                ledgers,
                ledgers.erasures(),
                ledgers.snapshots(),
                ledgers.formats(),
                Duration.ofMillis(200));
    }

    private static lvms.lvm2.LogicalVolume finish(NewVolume planned) throws Exception {
        groups.refresh("snaps");
        while (true) {
            try {
                return operations.makeWhole(planned, 1L << 40);
            } catch (StillErasing e) {
                assertTrue(e.erasure().await(DEADLINE), "not filled in time");
            }
        }
    }
}
