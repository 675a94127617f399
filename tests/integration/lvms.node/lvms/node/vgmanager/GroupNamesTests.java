package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.VolumeGroupState;
import lvms.api.listing.GroupNames;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.Json;
import lvms.lvm2.device.Signatures;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Striping;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * An LVMVolumeGroup, its device class and its volume group may have three names; a class and a
 * volume group of a node belong to one object.
 */
@Lasts(seconds = 30)
class GroupNamesTests extends VolumeGroupCase {
    private final String vg = name + "-vg";

    private NodeDeviceClass served(String deviceClass) {
        return classes.current().find(deviceClass).orElseThrow();
    }

    private String refusal(String groupName) throws Exception {
        return await(groupName, VolumeGroupState.FAILED).reason();
    }

    @Test
    void eachPlaceHasTheNameThatBelongsThere() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, listed("hdd", vg, disk, ", \"default\": true"));
        var ready = await(name, VolumeGroupState.READY);
        assertEquals(new GroupNames(name, "hdd", vg), ready.names());
        assertEquals(List.of(disk.toString()), ready.devices());
        assertTrue(lvm.groups().find(vg).orElseThrow().tags().contains("lvms"));
        assertEquals(vg, served("hdd").volumeGroup());
        assertEquals(Optional.empty(), classes.current().find(name));
        var free = Long.toString(lvm.groups().find(vg).orElseThrow().freeBytes());
        until(() -> annotation("capacity.topolvm.io/hdd").equals(Optional.of(free)));
        until(() -> annotation("capacity.topolvm.io/00default").equals(Optional.of(free)));
        var yaml = Files.readString(folder.resolve("etc/lvmd.yaml"));
        assertTrue(yaml.contains("name: hdd") && yaml.contains("volume-group: " + vg), yaml);
        until(() -> published(disk).group().equals(vg));

        delete(name);
        until(() -> find(name).isEmpty());
        assertTrue(lvm.groups().find(vg).isEmpty());
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
        assertFalse(Files.exists(folder.resolve("etc/lvmd.yaml")));
        until(() -> annotation("capacity.topolvm.io/hdd").isEmpty());
    }

    @Test
    void aClassOfTheNodeBelongsToOneObject() throws Exception {
        var disk = disks.add(64 * MIB);
        var other = disks.add(64 * MIB);
        start();
        group(name, listed("hdd", vg, disk, ""));
        await(name, VolumeGroupState.READY);
        group(name + "-b", listed("hdd", vg + "-b", other, ""));
        assertEquals(
                ("device class \"hdd\" of this node belongs to LVMVolumeGroup \"%s\"; give this one"
                                + " another deviceClassName, or take the node out of one")
                        .formatted(name),
                refusal(name + "-b"));
        assertEquals(List.of(), find(name + "-b").orElseThrow().finalizers());
        assertEquals(new Signatures.Blank(), Signatures.probe(other));

        delete(name);
        await(name + "-b", VolumeGroupState.READY);
        assertEquals(vg + "-b", served("hdd").volumeGroup());
        until(() -> find(name).isEmpty());
    }

    /** What somebody else has is neither shown as its own nor removed with it. */
    @Test
    void theRefusedOfTwoGoesWithoutATrace() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, listed("hdd", vg, disk, ""));
        var ready = await(name, VolumeGroupState.READY);
        group(name + "-b", listed("ssd", vg, disk, ""));
        assertEquals(
                ("volume group \"%s\" of this node belongs to LVMVolumeGroup \"%s\"; give this one"
                                + " another volumeGroupName, or take the node out of one")
                        .formatted(vg, name),
                refusal(name + "-b"));
        assertEquals(List.of(), entry(name + "-b").orElseThrow().devices());
        delete(name + "-b");
        until(() -> entry(name + "-b").isEmpty());
        assertEquals(
                List.of(name),
                kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).ownerReferences().stream()
                        .map(owner -> owner.name())
                        .toList());
        assertEquals(Optional.of(ready), entry(name));
        assertTrue(lvm.groups().find(vg).isPresent());
        assertEquals(vg, served("hdd").volumeGroup());
    }

    /** An edit past the schema, or an object of before: both have begun. */
    @Test
    void whoeverIsYoungerLosesIfBothHaveBegun() throws Exception {
        var disk = disks.add(64 * MIB);
        var spec = listed("hdd", vg, disk, "");
        start();
        group(name, spec);
        await(name, VolumeGroupState.READY);
        var second =
                KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, name + "-b"))
                        .with(Json.parse(spec), "spec")
                        .with(
                                Json.parse("[\"" + Names.nodeCleanupFinalizer(NODE) + "\"]"),
                                "metadata",
                                "finalizers");
        kube.create(LvmVolumeGroup.TYPE, second);
        refusal(name + "-b");
        delete(name + "-b");
        until(() -> find(name + "-b").isEmpty());
        assertTrue(lvm.groups().find(vg).isPresent());
        assertEquals(vg, served("hdd").volumeGroup());
        lookAgain(name);
        await(name, VolumeGroupState.READY);
    }

    @Test
    void whatAClassSaysOfNewVolumesIsInForceAtOnce() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, listed("hdd", vg, disk, ", \"spareGb\": 0"));
        await(name, VolumeGroupState.READY);
        assertEquals(Optional.empty(), served("hdd").striping());
        assertEquals(0, served("hdd").spareBytes());
        change(name, "{\"default\": true, \"spareGb\": 1, \"stripe\": 2, \"stripeSize\": \"64k\"}");
        until(() -> served("hdd").isDefault());
        assertEquals(1L << 30, served("hdd").spareBytes());
        assertEquals(Optional.of(new Striping(2, Optional.of("64k"))), served("hdd").striping());
        until(() -> annotation("capacity.topolvm.io/hdd").equals(Optional.of("0")));
        change(
                name,
                "{\"default\": false, \"spareGb\": 0, \"stripe\": null, \"stripeSize\": null}");
        until(() -> !served("hdd").isDefault());
        assertEquals(Optional.empty(), served("hdd").striping());
        assertEquals(0, served("hdd").spareBytes());
    }

    @Test
    void aClassThatCannotBeServedTakesNoDisk() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, listed("hdd", vg, disk, ", \"spareGb\": 0, \"stripe\": 300"));
        assertEquals(
                "device class \"hdd\": stripe must be a whole number from 0 to 128, not 300",
                refusal(name));
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
        change(name, "{\"stripe\": 1}");
        await(name, VolumeGroupState.READY);
    }
}
