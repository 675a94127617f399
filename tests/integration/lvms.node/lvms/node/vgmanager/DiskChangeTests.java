package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.EffectiveDiscovery;
import lvms.api.LvmVolumeGroup;
import lvms.api.VolumeGroupState;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.Json;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/** Disks that come, grow, are shared by two classes, or have no room. */
@Lasts(seconds = 25)
class DiskChangeTests extends VolumeGroupCase {
    @Test
    void aDiskWithoutRoomForOneExtentHasNoCapacity() throws Exception {
        var tiny = disks.add(2 * MIB);
        start();
        group(name, selecting(tiny));
        until(() -> annotation("capacity.topolvm.io/" + name).equals(Optional.of("0")));
    }

    @Test
    void oneOfTwoClassesGetsTheDisk() throws Exception {
        var disk = disks.add(64 * MIB);
        group(name + "-a", selecting(disk));
        group(name + "-b", selecting(disk));
        start();
        await(name + "-a", VolumeGroupState.READY);
        var loser = await(name + "-b", VolumeGroupState.FAILED);
        until(
                () -> {
                    var reason = entry(name + "-b").orElseThrow().reason();
                    return reason.contains("is claimed by device class \"" + name + "-a\"");
                });
        assertEquals(List.of(), loser.devices());
        assertEquals(List.of(disk.toString()), entry(name + "-a").orElseThrow().devices());
    }

    @Test
    void aDiskThatAppearsIsAddedAtOnce() throws Exception {
        disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        hidden.add(second);
        start();
        group(name, "{\"deviceDiscoveryPolicy\": \"Dynamic\"}");
        assertEquals(1, await(name, VolumeGroupState.READY).devices().size());
        hidden.clear();
        try (var other = new LoopDisks(Files.createDirectory(folder.resolve("other")))) {
            other.add(MIB); // any new device of the machine wakes the manager
            until(() -> entry(name).orElseThrow().devices().size() == 2);
        }
    }

    @Test
    void theDisksOfTheNodeArePublishedWithoutAClassToo() throws Exception {
        var free = disks.add(64 * MIB);
        var used = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", used.toString());
        start();
        until(() -> published().size() == 2);
        assertTrue(published(free).free());
        assertEquals(64 * MIB, published(free).sizeBytes());
        assertEquals("ext4", published(used).content());
        assertFalse(published(used).free());
        group(name, selecting(free));
        await(name, VolumeGroupState.READY);
        until(() -> published(free).group().equals(name));
    }

    @Test
    void aPolicyThatChangesTakesLaterDisksAndGivesNoneBack() throws Exception {
        disks.add(64 * MIB);
        var late = disks.add(64 * MIB);
        hidden.add(late);
        start();
        group(name, policy("Static"));
        assertEquals(1, await(name, VolumeGroupState.READY).devices().size());
        hidden.clear();
        lookAgain(name);
        until(() -> excluded("static device discovery enabled"));
        assertEquals(EffectiveDiscovery.RUNTIME_STATIC, entry(name).orElseThrow().discovery());
        change(policy("Dynamic"));
        until(() -> entry(name).orElseThrow().devices().size() == 2);
        assertEquals(EffectiveDiscovery.RUNTIME_DYNAMIC, entry(name).orElseThrow().discovery());
        change(policy("Static"));
        until(() -> entry(name).orElseThrow().discovery() == EffectiveDiscovery.RUNTIME_STATIC);
        assertEquals(2, await(name, VolumeGroupState.READY).devices().size());
        assertEquals(2, lvm.groups().report(name).orElseThrow().physicalVolumes().size());
    }

    private static String policy(String policy) {
        return "{\"deviceDiscoveryPolicy\": \"" + policy + "\"}";
    }

    private void change(String spec) throws Exception {
        var patch = Json.parse("{\"spec\": " + spec + "}").asObject();
        kube.mergePatch(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, name), patch);
    }

    @Test
    void aDiskThatGrowsIsTakenUpByItself() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        long before = lvm.groups().find(name).orElseThrow().sizeBytes();
        disks.resize(disk, 128 * MIB);
        until(() -> lvm.groups().find(name).orElseThrow().sizeBytes() == before + 64 * MIB);
        until(() -> reasons().contains("DeviceGrown"));
        await(name, VolumeGroupState.READY);
    }
}
