package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.device.Signatures;
import lvms.node.deviceclass.LvmdConfig;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.UserClasses;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Groups that people made are served beside those of LVMVolumeGroups, which leave them alone. */
class UserClassesBesideGroupsTests extends VolumeGroupCase {
    @BeforeEach
    void waitForTheFile() {
        userClasses = true;
    }

    private Optional<String> join(String deviceClass, String vg) throws Exception {
        until(manager::ownKnown);
        var yaml = "device-classes: [{name: %s, volume-group: %s, spare-gb: 0}]";
        var file = LvmdConfig.parse(yaml.formatted(deviceClass, vg));
        return manager.join(new UserClasses(Path.of("/etc/f"), file.read().classes()));
    }

    private List<String> served() {
        return classes.current().classes().stream().map(NodeDeviceClass::name).toList();
    }

    @Test
    void bothKindsAreServedAndAnnounced() throws Exception {
        var disk = disks.add(64 * MIB);
        var theirs = disks.add(64 * MIB);
        start();
        var vg = name + "-made";
        lvm.groups().create(new NewVolumeGroup(vg, List.of(theirs), Set.of()));
        var before = lvm.groups().find(vg).orElseThrow();
        assertEquals(Optional.empty(), join("ssd", vg));
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        assertEquals(List.of("ssd", name), served());
        var free = Long.toString(before.freeBytes());
        until(() -> annotation("capacity.topolvm.io/ssd").equals(Optional.of(free)));
        until(() -> annotation("capacity.topolvm.io/" + name).isPresent());
        delete(name);
        until(() -> find(name).isEmpty());
        assertEquals(List.of("ssd"), served());
        assertEquals(before, lvm.groups().find(vg).orElseThrow());
        assertTrue(manager.ready());
    }

    /** What is served stays; a group that would displace it never takes a disk. */
    @Test
    void aGroupWithTheNameOfAUsersClassTakesNoDisk() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        assertEquals(Optional.empty(), join(name, "data"));
        group(name, selecting(disk));
        var refused = await(name, VolumeGroupState.FAILED);
        assertEquals(
                ("/etc/f: device class %s is that of an LVMVolumeGroup, too: give one of them"
                                + " another name")
                        .formatted(name),
                refused.reason());
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
        assertEquals("data", classes.current().find(name).orElseThrow().volumeGroup());
        assertFalse(Files.exists(folder.resolve("etc/lvmd.yaml")));
        join("ssd", "data");
        await(name, VolumeGroupState.READY);
        assertEquals(List.of("ssd", name), served());
    }

    @Test
    void nothingIsServedBeforeTheFileWasHeard() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        assertFalse(classes.known());
        assertFalse(manager.ready());
        manager.joinNone();
        until(manager::ready);
    }
}
