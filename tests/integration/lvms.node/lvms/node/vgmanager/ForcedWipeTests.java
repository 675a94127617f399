package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.VolumeGroupState;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.Json;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Disks that a class may wipe: once, if it names them, and never what somebody was given. */
@Lasts(seconds = 30)
class ForcedWipeTests extends VolumeGroupCase {
    @Test
    void aNamedDiskIsWipedOnceIfTheUserAsksForIt() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        start();
        var wiping =
                selecting(disk).replace("]}}", "],\"forceWipeDevicesAndDestroyAllData\":true}}");
        group(name, wiping);
        await(name, VolumeGroupState.READY);
        assertTrue(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
    }

    @Test
    @Safety(3)
    void aDiskIsNotWipedAgainOnceItIsNotedThatItWas() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var before = LoopDisks.checksum(disk);
        var noted =
                KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, name))
                        .with(Json.parse(wiping(disk)), "spec")
                        .with("then", "metadata", "annotations", Names.wipedAnnotation(NODE));
        kube.create(LvmVolumeGroup.TYPE, noted);
        start();
        var failed = await(name, VolumeGroupState.FAILED);
        assertTrue(failed.reason().contains("has a filesystem signature"), failed.reason());
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    @Safety(3)
    void aClassThatNamesNoDiskWipesNone() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var before = LoopDisks.checksum(disk);
        start();
        group(name, "{\"deviceSelector\": {\"forceWipeDevicesAndDestroyAllData\": true}}");
        await(name, VolumeGroupState.FAILED);
        assertFalse(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
        assertEquals(before, LoopDisks.checksum(disk));
    }

    private static String wiping(Path disk) {
        return selecting(disk).replace("]}}", "],\"forceWipeDevicesAndDestroyAllData\":true}}");
    }

    private void volumeOn(Path disk, String vg, Set<String> tags, String volume) throws Exception {
        lvm.groups().create(new NewVolumeGroup(vg, List.of(disk), tags));
        lvm.volumes().createThick(new NewThickVolume(new LvName(vg, volume), 8 * MIB, Set.of()));
        manager.lvmChanged();
    }

    /** As after an upgrade from a version without the note, or when an LVMCluster is made anew. */
    @Test
    @Safety(3)
    void ourGroupIsTakenOverWithItsVolumesAlthoughNothingSaysThatItWasInService() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        volumeOn(disk, name, Set.of("lvms"), "data");
        group(name, wiping(disk));
        await(name, VolumeGroupState.READY);
        assertTrue(lvm.volumes().find(new LvName(name, "data")).isPresent());
        assertTrue(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
    }

    /** All disks of a node may come late; the entry of its status then names none. */
    @Test
    @Safety(3)
    void aGroupWhoseDisksCameLateIsNotWiped() throws Exception {
        disks.add(64 * MIB);
        var disk = disks.add(64 * MIB);
        start();
        volumeOn(disk, name, Set.of("lvms"), "data");
        stop();
        late.add(disk);
        start();
        group(name, wiping(disk));
        await(name, VolumeGroupState.FAILED);
        stop();
        late.clear();
        start();
        await(name, VolumeGroupState.READY);
        assertTrue(lvm.volumes().find(new LvName(name, "data")).isPresent());
    }

    @Test
    @Safety(3)
    void aGroupOfAnotherNameWithAVolumeOfAnObjectIsNotWiped() throws Exception {
        var disk = disks.add(64 * MIB);
        var object =
                kube.create(
                        LogicalVolume.TYPE,
                        KubeObject.create(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"))
                                .with(
                                        Json.parse(
                                                """
                                                {"name": "pvc-1", "nodeName": "node1",
                                                 "size": "8Mi", "deviceClass": "old"}
                                                """),
                                        "spec"));
        start();
        volumeOn(disk, name + "-old", Set.of(), object.uid());
        var before = LoopDisks.checksum(disk);
        group(name, wiping(disk));
        var failed = await(name, VolumeGroupState.FAILED);
        assertTrue(failed.reason().contains("handed out: " + object.uid()), failed.reason());
        assertEquals(before, LoopDisks.checksum(disk));
        assertFalse(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
    }

    @Test
    void aMountedDiskIsNotWipedEvenIfTheUserAsksForIt() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var target = Files.createDirectory(folder.resolve("mnt"));
        LoopDisks.run("mount", "-o", "ro,noload", disk.toString(), target.toString());
        try {
            var before = LoopDisks.checksum(disk);
            start();
            var wiping =
                    selecting(disk)
                            .replace("]}}", "],\"forceWipeDevicesAndDestroyAllData\":true}}");
            group(name, wiping);
            var failed = await(name, VolumeGroupState.FAILED);
            assertTrue(failed.reason().contains("is in use: mounted at"), failed.reason());
            assertTrue(!LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
            assertEquals(before, LoopDisks.checksum(disk));
        } finally {
            LoopDisks.run("umount", target.toString());
        }
    }
}
