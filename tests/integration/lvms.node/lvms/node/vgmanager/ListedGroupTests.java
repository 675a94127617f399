package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.VolumeGroupState;
import lvms.api.listing.GroupDevice;
import lvms.lvm2.LvName;
import lvms.lvm2.NewPhysicalVolume;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.Signatures;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What only a class says that was listed node by node: which disks, and what becomes of them. */
@Lasts(seconds = 60)
class ListedGroupTests extends VolumeGroupCase {
    @Test
    void aDiskThatIsTooSmallForTheClassStaysOutWithTheReason() throws Exception {
        var small = disks.add(32 * MIB);
        var large = disks.add(64 * MIB);
        start();
        var spec =
                """
                {"minimumDeviceSize": "48Mi",
                 "deviceSelector": {"optionalPaths": ["%s", "%s"]}}
                """
                        .formatted(small, large);
        group(name, spec);
        assertEquals(List.of(large.toString()), await(name, VolumeGroupState.READY).devices());
        until(() -> excluded(small + " has 33554432 bytes, and the class takes devices of 48Mi"));
        assertEquals(new Signatures.Blank(), Signatures.probe(small));
    }

    private void gone(String groupName) throws Exception {
        delete(groupName);
        until(() -> find(groupName).isEmpty());
    }

    private LvName data(String vg) {
        return new LvName(vg, "data");
    }

    private void volumeIn(String vg) throws Exception {
        lvm.volumes().createThick(new NewThickVolume(data(vg), 8 * MIB, Set.of()));
    }

    /** All that LVM knows of a group and its volumes. */
    private VolumeGroupReport report(String vg) throws Exception {
        return lvm.groups().report(vg).orElseThrow();
    }

    @Test
    void aGroupThatIsToStayOutlivesItsObjectAndIsTakenAgain() throws Exception {
        var disk = disks.add(64 * MIB);
        var vg = name + "-vg";
        var spec = listed("hdd", vg, disk, ", \"retainOnDelete\": true");
        start();
        group(name, spec);
        await(name, VolumeGroupState.READY);
        volumeIn(vg);
        var before = report(vg);
        gone(name);
        assertEquals(before, report(vg));
        assertEquals(Optional.empty(), classes.current().find("hdd"));
        assertEquals(Optional.empty(), entry(name));
        assertFalse(Files.exists(folder.resolve("etc/lvmd.yaml")));
        until(() -> annotation("capacity.topolvm.io/hdd").isEmpty());

        group(name + "-again", spec);
        var ready = await(name + "-again", VolumeGroupState.READY);
        assertEquals(List.of(disk.toString()), ready.devices());
        assertEquals(before, report(vg));
        assertEquals(vg, classes.current().find("hdd").orElseThrow().volumeGroup());
    }

    /** A retained group is not in the way of its removal by a later object. */
    @Test
    void whatStayedGoesWithALaterObjectThatDoesNotKeepIt() throws Exception {
        var disk = disks.add(64 * MIB);
        var vg = name + "-vg";
        start();
        group(name, listed("hdd", vg, disk, ", \"retainOnDelete\": true"));
        await(name, VolumeGroupState.READY);
        gone(name);
        assertTrue(lvm.groups().find(vg).isPresent());
        group(name, listed("hdd", vg, disk, ""));
        await(name, VolumeGroupState.READY);
        gone(name);
        assertTrue(lvm.groups().find(vg).isEmpty());
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
    }

    @Test
    void aGroupThatPeopleMadeIsTakenOverWithItsVolumesIfTheObjectAsksForIt() throws Exception {
        var disk = disks.add(64 * MIB);
        var vg = name + "-made";
        start();
        lvm.groups().create(new NewVolumeGroup(vg, List.of(disk), Set.of("theirs")));
        volumeIn(vg);
        var before = report(vg);
        group(name, listed("hdd", vg, disk, ""));
        var refused = await(name, VolumeGroupState.FAILED).reason();
        assertTrue(refused.contains("\"vgchange --addtag lvms " + vg + "\""), refused);
        assertEquals(before, report(vg));

        change(name, "{\"adopt\": true}");
        await(name, VolumeGroupState.READY);
        var after = report(vg);
        assertEquals(Set.of("theirs", "lvms"), after.group().tags());
        assertEquals(before.group().uuid(), after.group().uuid());
        assertEquals(before.logicalVolumes(), after.logicalVolumes());
        assertEquals(before.physicalSegments(), after.physicalSegments());
        until(() -> reasons().contains("VolumeGroupAdopted"));
        var free = Long.toString(after.group().freeBytes());
        until(() -> annotation("capacity.topolvm.io/hdd").equals(Optional.of(free)));

        delete(name);
        until(() -> entry(name).filter(e -> e.reason().contains("data")).isPresent());
        assertEquals(after, report(vg));
        lvm.volumes().remove(lvm.volumes().find(data(vg)).orElseThrow().identity());
        lookAgain(name);
        until(() -> find(name).isEmpty());
    }

    /** One object is for all nodes, and not on each of them is the group ours to take. */
    @Test
    void aGroupIsTakenOverOnTheNodesThatTheObjectNames() throws Exception {
        var disk = disks.add(64 * MIB);
        var vg = name + "-made";
        start();
        lvm.groups().create(new NewVolumeGroup(vg, List.of(disk), Set.of("theirs")));
        var before = report(vg);
        group(name, listed("hdd", vg, disk, ", \"adoptOn\": [\"another\"]"));
        var refused = await(name, VolumeGroupState.FAILED).reason();
        assertTrue(refused.contains("it is not ours and is left alone"), refused);
        assertEquals(before, report(vg));
        change(name, "{\"adoptOn\": [\"another\", \"" + NODE + "\"]}");
        await(name, VolumeGroupState.READY);
        assertEquals(Set.of("theirs", "lvms"), report(vg).group().tags());
        assertEquals(before.group().uuid(), report(vg).group().uuid());
        gone(name);
    }

    @Test
    void aGroupThatLiesElsewhereTooIsNotTakenOver() throws Exception {
        var disk = disks.add(64 * MIB);
        var theirs = disks.add(64 * MIB);
        var vg = name + "-made";
        start();
        lvm.groups().create(new NewVolumeGroup(vg, List.of(disk, theirs), Set.of()));
        var before = report(vg);
        group(name, listed("hdd", vg, disk, ", \"adopt\": true"));
        assertEquals(
                ("volume group \"%s\" without the tag \"lvms\" exists and is not taken over: these"
                     + " of its physical volumes are not among the devices of the class: %s")
                        .formatted(vg, theirs),
                await(name, VolumeGroupState.FAILED).reason());
        assertEquals(before, report(vg));
        gone(name);
        assertEquals(before, report(vg));
    }

    /** Both wishes at once: what is taken over is not wiped. */
    @Test
    @Safety(3)
    void aGroupThatIsToBeTakenOverIsNotWiped() throws Exception {
        var disk = disks.add(64 * MIB);
        var vg = name + "-made";
        start();
        lvm.groups().create(new NewVolumeGroup(vg, List.of(disk), Set.of()));
        volumeIn(vg);
        var before = report(vg);
        var wiping =
                listed("hdd", vg, disk, ", \"adopt\": true")
                        .replace("]}", "], \"forceWipeDevicesAndDestroyAllData\": true}");
        group(name, wiping);
        await(name, VolumeGroupState.READY);
        assertEquals(before.logicalVolumes(), report(vg).logicalVolumes());
        lookAgain(name);
        until(() -> LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
        assertEquals(before.logicalVolumes(), report(vg).logicalVolumes());
        lvm.volumes().remove(lvm.volumes().find(data(vg)).orElseThrow().identity());
    }

    /** What a device is does not change when its label becomes a group's. */
    @Test
    @Safety(3)
    void aGroupThatIsMadeOnAKnownLabelIsNotWiped() throws Exception {
        var disk = disks.add(64 * MIB);
        var vg = name + "-made";
        var other = disks.add(64 * MIB);
        start();
        lvm.physicalVolumes().create(new NewPhysicalVolume(disk));
        group(name, listed("hdd", name + "-vg", other, ""));
        await(name, VolumeGroupState.READY);
        lvm.groups().create(new NewVolumeGroup(vg, List.of(disk), Set.of()));
        volumeIn(vg);
        var before = report(vg);
        var later = name + "-later";
        group(
                later,
                listed("ssd", vg, disk, ", \"adopt\": true")
                        .replace("]}", "], \"forceWipeDevicesAndDestroyAllData\": true}"));
        await(later, VolumeGroupState.READY);
        assertEquals(before.logicalVolumes(), report(vg).logicalVolumes());
        lvm.volumes().remove(lvm.volumes().find(data(vg)).orElseThrow().identity());
    }

    private static String list(Path... paths) {
        return "{\"optionalPaths\": [%s]}"
                .formatted(
                        Stream.of(paths)
                                .map(path -> '"' + path.toString() + '"')
                                .collect(Collectors.joining(", ")));
    }

    @Test
    void aListMayLoseItsLastDeviceAndGetsItsClassBackWithTheNext() throws Exception {
        var disk = disks.add(64 * MIB);
        var other = disks.add(64 * MIB);
        var vg = name + "-vg";
        start();
        group(name, listed("hdd", vg, disk, ", \"allowEmptying\": true"));
        await(name, VolumeGroupState.READY);
        volumeIn(vg);
        var before = report(vg);
        change(name, "{\"deviceSelector\": {\"optionalPaths\": null}}");
        var why = "the class names no device any more, but volume group \"" + vg + "\" still has";
        until(() -> entry(name).orElseThrow().reason().startsWith(why));
        assertTrue(entry(name).orElseThrow().reason().endsWith(vg + "/data"));
        assertEquals(List.of(disk.toString()), entry(name).orElseThrow().devices());
        assertEquals(before, report(vg));
        assertEquals(vg, classes.current().find("hdd").orElseThrow().volumeGroup());

        lvm.volumes().remove(lvm.volumes().find(data(vg)).orElseThrow().identity());
        lookAgain(name);
        until(() -> lvm.groups().find(vg).isEmpty());
        until(() -> Signatures.probe(disk).equals(new Signatures.Blank()));
        until(() -> classes.current().find("hdd").isEmpty());
        until(
                () ->
                        entry(name)
                                .orElseThrow()
                                .reason()
                                .equals("the class names no device of this node"));
        assertEquals(new Signatures.Blank(), Signatures.probe(other));

        change(name, "{\"deviceSelector\": " + list(other) + "}");
        until(() -> entry(name).orElseThrow().devices().equals(List.of(other.toString())));
        until(() -> classes.current().find("hdd").isPresent());
        gone(name);
        assertEquals(new Signatures.Blank(), Signatures.probe(other));
    }

    /** Without the wish, a class without paths is one that takes every disk. */
    @Test
    void aListThatNeverHadADeviceTakesNone() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, "{\"deviceClassName\": \"hdd\", \"allowEmptying\": true}");
        await(name, VolumeGroupState.READY);
        assertTrue(excluded(disk + " is not part of the device selector"));
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
        assertEquals(Optional.empty(), classes.current().find("hdd"));
        gone(name);
    }

    @Test
    void aDeviceThatHoldsAVolumeStaysAndOneThatHoldsNoneGoes() throws Exception {
        var first = disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        start();
        group(name, listed("hdd", name, first, ", \"allowEmptying\": true"));
        await(name, VolumeGroupState.READY);
        volumeIn(name);
        change(name, "{\"deviceSelector\": " + list(first, second) + "}");
        until(() -> entry(name).orElseThrow().devices().size() == 2);
        change(name, "{\"deviceSelector\": " + list(second) + "}");
        var why = "cannot remove " + first + " yet: volumes are on it: data; ";
        until(() -> entry(name).orElseThrow().reason().startsWith(why));
        assertEquals(2, entry(name).orElseThrow().devices().size());
        assertEquals(
                List.of(first.toString()),
                entry(name).orElseThrow().physicalVolumes().stream()
                        .filter(GroupDevice::leaving)
                        .map(GroupDevice::name)
                        .toList());
        assertTrue(classes.current().find("hdd").isPresent());
        change(name, "{\"deviceSelector\": " + list(first) + "}");
        until(() -> entry(name).orElseThrow().devices().equals(List.of(first.toString())));
        until(() -> Signatures.probe(second).equals(new Signatures.Blank()));
        await(name, VolumeGroupState.READY);
        lvm.volumes().remove(lvm.volumes().find(data(name)).orElseThrow().identity());
    }

    /** NativeStor labels one disk after the other, and never takes a labelled one again. */
    @Test
    void whatAnotherProgramLeftHalfMadeIsMade() throws Exception {
        var first = disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        var third = disks.add(64 * MIB);
        start();
        lvm.physicalVolumes().create(new NewPhysicalVolume(first));
        LoopDisks.run("mkfs.ext4", "-q", second.toString());
        var spec = "{\"deviceClassName\": \"hdd\", \"deviceSelector\": %s}";
        group(name, spec.formatted(list(first, second)));
        assertEquals(List.of(first.toString()), await(name, VolumeGroupState.READY).devices());
        assertTrue(excluded(second + " has a filesystem signature \"ext4\""));
        LoopDisks.run("wipefs", "-qa", second.toString());
        lvm.physicalVolumes().create(new NewPhysicalVolume(third));
        change(name, "{\"deviceSelector\": " + list(first, second, third) + "}");
        until(() -> entry(name).orElseThrow().devices().size() == 3);
        await(name, VolumeGroupState.READY);
    }

    /** Nothing but the node knows that two names are one disk. */
    @Test
    void aDiskOfTwoClassesUnderTwoNamesGoesToTheOlder() throws Exception {
        var disk = disks.add(64 * MIB);
        var link = Files.createSymbolicLink(Path.of("/dev/" + name + "-link"), disk);
        try {
            start();
            group(name, listed("hdd", name, link, ""));
            assertEquals(1, await(name, VolumeGroupState.READY).devices().size());
            assertTrue(Signatures.probe(disk) instanceof Signatures.Found);
            group(name + "-b", listed("ssd", name + "-b", disk, ""));
            var refused = await(name + "-b", VolumeGroupState.FAILED).reason();
            assertTrue(refused.contains(disk + " is claimed by device class \"hdd\""), refused);
            assertFalse(refused.contains("and is the disk at"), refused);
            gone(name);
            await(name + "-b", VolumeGroupState.READY);
            group(name, listed("tape", name, link, "")); // if of the same second, the name decides
            var later = await(name, VolumeGroupState.FAILED).reason();
            assertTrue(
                    later.contains(
                            "%s is claimed by device class \"ssd\", and is the disk at %s"
                                    .formatted(disk, link)),
                    later);
        } finally {
            Files.delete(link);
        }
    }

    /** The kernel's name is the node's; people look for what they wrote. */
    @Test
    void aDiskByALinkThatCannotBeTakenIsReportedByItsLinkToo() throws Exception {
        var good = disks.add(64 * MIB);
        var used = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", used.toString());
        var link = Files.createSymbolicLink(Path.of("/dev/" + name + "-used"), used);
        try {
            start();
            var spec = "{\"deviceClassName\": \"hdd\", \"deviceSelector\": %s}";
            group(name, spec.formatted(list(good, link)));
            var ready = await(name, VolumeGroupState.READY);
            var refused =
                    ready.excluded().stream()
                            .filter(device -> device.name().equals(used.toString()))
                            .findFirst()
                            .orElseThrow();
            assertEquals(List.of(link.toString()), refused.paths());
            var member = ready.physicalVolumes().getFirst();
            assertEquals(good.toString(), member.name());
            assertEquals(report(name).physicalVolumes().getFirst().uuid(), member.uuid());
        } finally {
            Files.delete(link);
        }
    }

    /** What a TopolvmCluster makes of a loop device that nobody is to make. */
    @Test
    void aDeviceThatIsNoPathKeepsTheClassFromBeingMade() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(
                name,
                ("{\"deviceClassName\": \"hdd\", \"deviceSelector\": {\"paths\": [\"%s\","
                                + " \"loop1\"]}}")
                        .formatted(disk));
        var reason = await(name, VolumeGroupState.FAILED).reason();
        assertTrue(reason.startsWith("mandatory device path \"loop1\" cannot be used: "), reason);
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
    }

    private static String ofTopolvmCluster(String deviceClass, String vg, Path disk) {
        return """
        {"deviceClassName": "%s", "volumeGroupName": "%s", "retainOnDelete": true,
         "allowEmptying": true, "deviceSelector": {"paths": ["%s"]}}
        """
                .formatted(deviceClass, vg, disk);
    }

    private Optional<String> groupOn(Path disk) throws Exception {
        return lvm.physicalVolumes().all().stream()
                .filter(pv -> pv.device().equals(disk.toString()))
                .map(pv -> pv.vgName())
                .findFirst();
    }

    private String refusal(String groupName, Path disk) throws Exception {
        return entry(groupName).orElseThrow().excluded().stream()
                .filter(device -> device.name().equals(disk.toString()))
                .flatMap(device -> device.reasons().stream())
                .collect(Collectors.joining("; "));
    }

    /** One class is an LVMCluster's, which names no class and group of its own, one is not. */
    @Test
    void aDiskThatBothKindsOfClustersNameHasOneGroup() throws Exception {
        var first = disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        // Objects of one second are ordered by the names of their classes.
        group(name + "-a", selecting(first));
        group(name + "-b", ofTopolvmCluster("zfast", name + "-zvg", first));
        group(name + "-c", ofTopolvmCluster("afast", name + "-avg", second));
        group(name + "-d", selecting(second));
        start();
        await(name + "-a", VolumeGroupState.READY);
        await(name + "-c", VolumeGroupState.READY);
        var claimed = "%s is claimed by device class \"%s\"";
        for (var loser : List.of("-b", "-d")) {
            var disk = loser.equals("-b") ? first : second;
            var why = claimed.formatted(disk, loser.equals("-b") ? name + "-a" : "afast");
            until(
                    () ->
                            entry(name + loser)
                                    .filter(e -> e.is(VolumeGroupState.FAILED))
                                    .filter(e -> e.reason().contains(why))
                                    .isPresent());
            assertEquals(List.of(), entry(name + loser).orElseThrow().devices());
            assertTrue(refusal(name + loser, disk).contains(why));
        }
        assertEquals(Optional.of(name + "-a"), groupOn(first));
        assertEquals(Optional.of(name + "-avg"), groupOn(second));
        assertTrue(lvm.groups().find(name + "-zvg").isEmpty());
        assertTrue(lvm.groups().find(name + "-d").isEmpty());

        gone(name + "-a");
        await(name + "-b", VolumeGroupState.READY);
        assertEquals(Optional.of(name + "-zvg"), groupOn(first));
    }

    /** Whoever names a disk goes before whoever takes every disk, but takes none away. */
    @Test
    void aClassThatTakesEveryDiskLeavesThoseThatATopolvmClusterNames() throws Exception {
        var free = disks.add(64 * MIB);
        var named = disks.add(64 * MIB);
        group(name + "-all", "{\"deviceDiscoveryPolicy\": \"Dynamic\"}");
        group(name + "-b", ofTopolvmCluster("zfast", name + "-zvg", named));
        start();
        assertEquals(
                List.of(free.toString()), await(name + "-all", VolumeGroupState.READY).devices());
        assertEquals(
                List.of(named.toString()), await(name + "-b", VolumeGroupState.READY).devices());
        assertTrue(
                refusal(name + "-all", named)
                        .contains(named + " is claimed by device class \"zfast\""));

        group(name + "-c", ofTopolvmCluster("late", name + "-late", free));
        var reason = await(name + "-c", VolumeGroupState.FAILED).reason();
        assertTrue(reason.contains(name + "-all"), reason);
        lookAgain(name + "-all");
        assertEquals(Optional.of(name + "-all"), groupOn(free));
        assertEquals(List.of(free.toString()), entry(name + "-all").orElseThrow().devices());
    }
}
