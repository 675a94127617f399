package lvms.node.volume;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.object.KubeObject;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.command.LvmCommands;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Volumes are made, copied, grown and removed on a real device-mapper, as often as one likes and
 * from any half-made state. Runs inside a lab node.
 */
class VolumeOperationsGuest {
    private static final long MIB = 1L << 20;
    static final Thin POOL = new Thin("pool", 4);
    static final DeviceClasses CLASSES =
            new DeviceClasses(
                    List.of(
                            deviceClass("thin", new NodeDeviceClass.Provisioning.Thin("pool", 4)),
                            deviceClass("thick", new Thick())),
                    Map.of("raid", List.of("--type", "raid1", "-m", "1", "--nosync")));

    private static Lvm lvm;
    private static GroupLedgers groups;
    private static VolumeOperations operations;

    private static NodeDeviceClass deviceClass(String name, NodeDeviceClass.Provisioning how) {
        return new NodeDeviceClass(
                name,
                "ops",
                name.equals("thin"),
                how,
                0,
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    @BeforeAll
    static void open() throws Exception {
        sh("vgcreate -q -y ops /dev/ubdb /dev/ubdc && lvcreate -q -y -T -L 256M ops/pool");
        lvm = LvmCommands.open(GuestArchive.lvmOptions());
        groups = new GroupLedgers(lvm);
        operations = new VolumeOperations(groups);
    }

    @AfterAll
    static void close() throws Exception {
        lvm.close();
        sh("vgremove -q -y -f ops");
    }

    private static LogicalVolume wanted(String name, String deviceClass, String size) {
        return LogicalVolume.of(object(name, deviceClass, size));
    }

    private static KubeObject object(String name, String deviceClass, String size) {
        return Volumes.object(name, size)
                .with(UUID.nameUUIDFromBytes(name.getBytes()).toString(), "metadata", "uid")
                .with(deviceClass, "spec", "deviceClass");
    }

    private static LogicalVolume made(LogicalVolume volume, long sizeBytes) {
        return LogicalVolume.of(
                Volumes.withStatus(
                        volume.object(), volume.object().uid(), Long.toString(sizeBytes)));
    }

    private static lvms.lvm2.LogicalVolume make(LogicalVolume wanted) throws Exception {
        return operations.make(NewVolume.of(wanted, Optional.empty(), CLASSES));
    }

    private static lvms.lvm2.LogicalVolume copy(
            String name, LogicalVolume source, String access, String size) throws Exception {
        var wanted =
                LogicalVolume.of(
                        object(name, "thin", size)
                                .with(source.name(), "spec", "source")
                                .with(access, "spec", "accessType"));
        return operations.make(
                NewVolume.of(wanted, Optional.of(new NewVolume.Source(source, Set.of())), CLASSES));
    }

    private static void remove(LvName name) throws Exception {
        operations.remove(name, ErasurePolicy.NOTHING);
        assertTrue(lvm.volumes().find(name).isEmpty());
    }

    @Test
    void aThinVolumeIsMadeOnceHoweverOftenItIsAskedFor() throws Exception {
        var wanted = wanted("pvc-a", "thin", "10Mi");
        var first = make(wanted);
        assertEquals(12 * MIB, first.sizeBytes());
        assertTrue(first.active());
        assertTrue(first.tags().contains("lvms.volume=pvc-a"));
        assertEquals(first.uuid(), make(wanted).uuid());
        assertEquals(
                first.uuid(),
                new VolumeOperations(new GroupLedgers(lvm))
                        .make(NewVolume.of(wanted, Optional.empty(), CLASSES))
                        .uuid());
        remove(first.name());
        operations.remove(first.name(), ErasurePolicy.NOTHING);
    }

    @Test
    void thickAndMirroredVolumesAreMade() throws Exception {
        var thick = make(wanted("pvc-t", "thick", "16Mi"));
        assertTrue(thick.layout().contains("linear"));
        var mirrored =
                make(
                        LogicalVolume.of(
                                object("pvc-m", "thick", "16Mi")
                                        .with("raid", "spec", "lvcreateOptionClass")));
        assertTrue(mirrored.layout().contains("raid1"), mirrored.layout().toString());
        remove(thick.name());
        remove(mirrored.name());
    }

    private static lvms.lvm2.LogicalVolume makeAfter(Duration time, LogicalVolume wanted)
            throws Exception {
        var later = new VolumeOperations(groups, true, () -> Instant.now().plus(time));
        return later.make(NewVolume.of(wanted, Optional.empty(), CLASSES));
    }

    @Test
    @Safety(2)
    void aThickVolumeWhoseStatusWasLostKeepsItsContent() throws Exception {
        var wanted = wanted("pvc-lost", "thick", "16Mi");
        var volume = make(wanted);
        sh("mkfs.ext4 -q -U 0e3b4c5d-1111-2222-3333-444455556666 /dev/" + volume.name());
        assertEquals(volume.uuid(), makeAfter(Duration.ofHours(1), wanted).uuid());
        assertEquals(volume.uuid(), makeAfter(Duration.ofHours(-1), wanted).uuid());
        assertEquals(
                "0e3b4c5d-1111-2222-3333-444455556666",
                sh("blkid -p -o value -s UUID /dev/" + volume.name()));
        remove(volume.name());
    }

    @Test
    @Safety(2)
    void aThickVolumeWhoseCreationWasCutIsWiped() throws Exception {
        var wanted = wanted("pvc-cut", "thick", "16Mi");
        var volume = make(wanted);
        sh("mkfs.ext4 -q /dev/" + volume.name()); // as if LVM had not come to wiping it
        assertEquals(volume.uuid(), make(wanted).uuid());
        assertEquals("", sh("wipefs /dev/" + volume.name()));
        remove(volume.name());
    }

    @Test
    void copiesHaveTheirSourcesDataAndOutliveIt() throws Exception {
        var wanted = wanted("pvc-s", "thin", "16Mi");
        var source = make(wanted);
        sh("echo content | dd of=/dev/" + source.name() + " conv=fsync status=none");
        var object = made(wanted, source.sizeBytes());

        var snapshot = copy("snapshot-1", object, "ro", "16Mi");
        var restored = copy("pvc-r", object, "rw", "32Mi");
        assertFalse(snapshot.writable());
        assertTrue(restored.writable());
        assertEquals(32 * MIB, restored.sizeBytes());
        for (var copy : List.of(snapshot, restored)) {
            assertEquals("content", sh("head -c 7 /dev/" + copy.name()));
        }
        remove(source.name());
        // The origin is gone, and with it what LVM would recognise the copy by.
        assertEquals(snapshot.uuid(), copy("snapshot-1", object, "ro", "16Mi").uuid());
        remove(snapshot.name());
        remove(restored.name());
    }

    @Test
    void aCopyThatWasCutBeforeItsGrowthIsFinished() throws Exception {
        var wanted = wanted("pvc-h", "thin", "16Mi");
        var source = make(wanted);
        var uid = UUID.nameUUIDFromBytes("snapshot-h".getBytes()).toString();
        sh("lvcreate -q -y -s -n " + uid + " " + source.name()); // as TopoLVM makes it, skipped
        var done = copy("snapshot-h", made(wanted, source.sizeBytes()), "ro", "24Mi");
        assertEquals(24 * MIB, done.sizeBytes());
        assertFalse(done.writable());
        assertTrue(done.active());
        remove(done.name());
        remove(source.name());
    }

    @Test
    void aVolumeThatTopolvmMadeIsTakenOver() throws Exception {
        var wanted = wanted("pvc-o", "thin", "16Mi");
        sh("lvcreate -q -y -T ops/pool -V 12M -n " + wanted.object().uid());
        assertEquals(16 * MIB, make(wanted).sizeBytes());
        remove(new LvName("ops", wanted.object().uid()));
    }

    @Test
    void aNameThatMeansSomethingElseIsRefused() throws Exception {
        var wanted = wanted("pvc-x", "thin", "16Mi");
        sh("lvcreate -q -y -L 16M -n " + wanted.object().uid() + " ops");
        var refused = assertThrows(VolumeRefused.class, () -> make(wanted));
        assertEquals(StatusCode.ALREADY_EXISTS, refused.code());
        remove(new LvName("ops", wanted.object().uid()));
    }

    @Test
    void growingIsRepeatableAndKeepsToTheRatio() throws Exception {
        var volume = make(wanted("pvc-g", "thin", "16Mi"));
        assertEquals(
                64 * MIB, operations.grow(volume.name(), Optional.of(POOL), 64 * MIB).sizeBytes());
        assertEquals(
                64 * MIB, operations.grow(volume.name(), Optional.of(POOL), 32 * MIB).sizeBytes());
        var full =
                assertThrows(
                        LvmException.OutOfSpace.class,
                        () -> operations.grow(volume.name(), Optional.of(POOL), 1025 * MIB));
        assertTrue(full.getMessage().contains("1074790400 bytes requested"), full.getMessage());
        assertEquals(
                1024 * MIB,
                operations.grow(volume.name(), Optional.of(POOL), 1024 * MIB).sizeBytes());
        assertThrows(LvmException.OutOfSpace.class, () -> make(wanted("pvc-f", "thin", "4Mi")));
        remove(volume.name());
    }

    @Test
    void aFullGroupIsOutOfSpace() {
        assertThrows(LvmException.OutOfSpace.class, () -> make(wanted("pvc-b", "thick", "10Gi")));
    }

    @Test
    void anOpenVolumeIsNotRemoved() throws Exception {
        var volume = make(wanted("pvc-u", "thin", "64Mi"));
        var folder = Files.createTempDirectory(Path.of("/mnt"), "use");
        sh("mkfs.ext4 -q /dev/" + volume.name() + " && mount /dev/" + volume.name() + " " + folder);
        var inUse =
                assertThrows(
                        LvmException.InUse.class,
                        () -> operations.remove(volume.name(), ErasurePolicy.NOTHING));
        var text = InUse.describe(volume.name(), inUse);
        assertTrue(text.contains("mounted at " + folder), text);
        sh("umount " + folder);
        remove(volume.name());
    }

    @Test
    void aVolumeIsFoundWithoutItsDeviceClass() throws Exception {
        var volume = make(wanted("pvc-w", "thin", "16Mi"));
        var fresh = new GroupLedgers(lvm);
        assertEquals(Optional.of(volume.name()), fresh.locate(volume.name().lv(), List.of()));
        remove(volume.name());
        assertEquals(Optional.empty(), fresh.locate("no-such-volume", List.of("ops", "gone")));
    }

    @Test
    void aGroupThatGotAnotherDiskMeanwhileIsUsedAsItIsNow() throws Exception {
        var before = make(wanted("pvc-d1", "thin", "16Mi"));
        sh("vgextend -q -y ops /dev/ubdd");
        var after = make(wanted("pvc-d2", "thin", "16Mi"));
        assertTrue(after.active());
        remove(before.name());
        remove(after.name());
        sh("vgreduce -q -y ops /dev/ubdd && pvremove -q -y /dev/ubdd");
        remove(make(wanted("pvc-d3", "thin", "16Mi")).name());
    }
}
