package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.listing.LoopState;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.loop.LoopDevices;
import lvms.node.loop.HostFiles;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A class may ask for loop devices: made once, kept with their content, gone with their class. */
@Lasts(seconds = 45)
class LoopClassTests extends VolumeGroupCase {
    private final List<Path> taken = new ArrayList<>();
    private Path loops;
    private Path disk;

    @BeforeEach
    void folderForFiles() throws Exception {
        disk = disks.add(64 * MIB);
        loops = Files.createDirectory(folder.resolve("loops"));
    }

    @AfterEach
    void detach() throws Exception {
        stop(); // else it would attach them again
        taken.forEach(disks::forget);
        for (var file : files()) {
            var device = LoopDevices.find(file);
            if (device.isPresent()) {
                LoopDevices.detach(device.get());
            }
        }
    }

    private List<Path> files() throws Exception {
        try (var files = Files.list(loops)) {
            return files.toList();
        }
    }

    private String asking(String more) {
        return """
        {"deviceClassName": "dev", "volumeGroupName": "%s", "allowEmptying": true,
         "loops": [{"name": "a", "path": "%s", "sizeGb": 1, "auto": true}]%s}
        """
                .formatted(name + "-vg", loops, more);
    }

    private static String listing(Path disk) {
        return ", \"deviceSelector\": {\"optionalPaths\": [\"%s\"]}".formatted(disk);
    }

    private LoopState loop() throws Exception {
        return entry(name).stream().flatMap(e -> e.loops().stream()).findFirst().orElseThrow();
    }

    /** Agent and LVM see only the disks of this test, and LVM those of its start. */
    private Path see() throws Exception {
        until(() -> entry(name).filter(e -> !e.loops().isEmpty()).isPresent());
        until(() -> LoopDevices.find(Path.of(loop().file())).isPresent());
        var device = LoopDevices.find(Path.of(loop().file())).orElseThrow();
        until(() -> loop().deviceName().equals(device.toString()));
        stop();
        disks.take(device);
        taken.add(device);
        start();
        return device;
    }

    private Path made(String spec) throws Exception {
        start();
        group(name, spec);
        var device = see();
        until(() -> entry(name).orElseThrow().devices().contains(device.toString()));
        await(name, VolumeGroupState.READY);
        return device;
    }

    private LvName data() {
        return new LvName(name + "-vg", "data");
    }

    private void volume() throws Exception {
        lvm.volumes().createThick(new NewThickVolume(data(), 8 * MIB, Set.of()));
    }

    private void removeVolume() throws Exception {
        lvm.volumes().remove(lvm.volumes().find(data()).orElseThrow().identity());
        manager.lvmChanged();
    }

    private Object onDisk() throws Exception {
        var report = lvm.groups().report(name + "-vg").orElseThrow();
        return List.of(report.group().uuid(), report.logicalVolumes(), report.physicalSegments());
    }

    private void powerOff(Path device) throws Exception {
        stop();
        disks.forget(device);
        taken.remove(device); // its number may be another disk's from now on
        LoopDevices.detach(device);
        until(() -> LoopDevices.find(Path.of(loop().file())).isEmpty());
    }

    @Test
    @Safety(7)
    void whatIsOnALoopDeviceIsThereAfterABoot() throws Exception {
        group(name + "-all", "{\"deviceDiscoveryPolicy\": \"Dynamic\"}");
        var device = made(asking(""));
        assertEquals(
                LoopState.successful("a", files().getFirst().toString(), device.toString(), ""),
                loop());
        volume();
        var before = onDisk();

        powerOff(device);
        var other = disks.add(64 * MIB); // whoever comes first may get the number
        start();
        var again = see();
        assertFalse(again.equals(other));
        await(name, VolumeGroupState.READY);
        assertEquals(before, onDisk());
        assertEquals(1, files().size());
        until(() -> entry(name + "-all").orElseThrow().devices().size() == 2);
        assertEquals(
                Set.of(disk.toString(), other.toString()),
                Set.copyOf(entry(name + "-all").orElseThrow().devices()));
        removeVolume();
    }

    @Test
    @Safety(7)
    void nothingIsMadeInThePlaceOfAFileThatIsGone() throws Exception {
        var device = made(asking(""));
        volume();
        var before = onDisk();
        powerOff(device);
        var file = files().getFirst();
        var away = folder.resolve("away.img");
        Files.move(file, away);
        start();
        var gone = "loop device \"a\": its file " + file + " is gone, and no new one is made";
        until(() -> entry(name).orElseThrow().reason().startsWith(gone));
        assertEquals(LoopState.FAILED, loop().status());
        assertEquals(file.toString(), loop().file());
        assertEquals(List.of(), files());

        Files.move(away, file);
        lookAgain(name);
        see();
        await(name, VolumeGroupState.READY);
        assertEquals(before, onDisk());
        removeVolume();
    }

    @Test
    @Safety(10)
    void theFileGoesWithItsClassOnceNoVolumeIsLeft() throws Exception {
        var device = made(asking(""));
        var file = files().getFirst();
        volume();
        delete(name);
        until(() -> entry(name).orElseThrow().reason().contains(data().toString()));
        assertEquals(Optional.of(device), LoopDevices.find(file));
        removeVolume();
        lookAgain(name);
        until(() -> find(name).isEmpty());
        assertEquals(List.of(), files());
    }

    @Test
    @Safety(10)
    void aFileThatSomebodyUsesMeanwhileStays() throws Exception {
        var device = made(asking(listing(disk)));
        change(name, "{\"loops\": null}");
        until(() -> entry(name).orElseThrow().devices().equals(List.of(disk.toString())));
        until(() -> loop().message().equals("the class no longer names it"));
        LoopDisks.run("mkfs.ext4", "-q", device.toString());
        delete(name);
        var why = " stays: " + device + " has ";
        until(() -> entry(name).orElseThrow().reason().contains(why));
        assertEquals(Optional.of(device), LoopDevices.find(files().getFirst()));
        LoopDisks.run("wipefs", "-qa", device.toString());
        lookAgain(name);
        until(() -> find(name).isEmpty());
        assertEquals(List.of(), files());
    }

    /** A TopolvmCluster whose useLoop is taken back still lists the name, and nobody makes it. */
    @Test
    void aLoopDeviceThatIsNoLongerMadeStaysInItsGroup() throws Exception {
        var device = made(asking(listing(disk)));
        var members = Set.of(device.toString(), disk.toString());
        until(() -> Set.copyOf(entry(name).orElseThrow().devices()).equals(members));
        change(
                name,
                "{\"loops\": null, \"deviceSelector\": {\"optionalPaths\": [\"%s\", \"a\"]}}"
                        .formatted(disk));
        var reason = "cannot remove " + device + ": the path a leads nowhere";
        until(() -> entry(name).orElseThrow().reason().startsWith(reason));
        assertEquals(members, Set.copyOf(entry(name).orElseThrow().devices()));
        assertEquals(1, files().size());
    }

    /** As NativeStor records it; the folder of its spec may be a link. */
    private Path recorded() throws Exception {
        var link = folder.resolve("link");
        Files.createSymbolicLink(link, loops);
        return link.resolve("6f9619ff-8b86-d011-b42d-00c04fc964ff");
    }

    private String taking(Path file) {
        var there = "\"files\": [{\"node\": \"%s\", \"file\": \"%s\"}]".formatted(NODE, file);
        return asking(", \"adoptOn\": [\"%s\"]".formatted(NODE))
                .replace("\"auto\": true", "\"auto\": true, " + there);
    }

    @Test
    @Safety(7)
    void theFileThatNativeStorMadeIsKeptWithWhatIsOnIt() throws Exception {
        var told = recorded();
        new HostFiles(Path.of("/")).makeSparse(told, 1L << 30);
        var file = told.toRealPath();
        var device = LoopDevices.attach(file);
        disks.take(device);
        taken.add(device);
        start();
        lvm.groups().create(new NewVolumeGroup(name + "-vg", List.of(device), Set.of()));
        volume();
        var before = lvm.groups().report(name + "-vg").orElseThrow().logicalVolumes();

        group(name, taking(told));
        var ready = await(name, VolumeGroupState.READY);
        assertEquals(List.of(device.toString()), ready.devices());
        assertEquals(LoopState.successful("a", file.toString(), device.toString(), ""), loop());
        assertEquals(List.of(file), files());
        assertEquals(before, lvm.groups().report(name + "-vg").orElseThrow().logicalVolumes());

        powerOff(device);
        start();
        see();
        await(name, VolumeGroupState.READY);
        assertEquals(before, lvm.groups().report(name + "-vg").orElseThrow().logicalVolumes());
        assertEquals(List.of(file), files());

        removeVolume();
        delete(name);
        until(() -> find(name).isEmpty());
        assertEquals(List.of(file), files(), "whoever made it may remove it");
    }

    @Test
    @Safety(7)
    void aRecordedFileThatIsGoneIsNamedAndNoneIsMade() throws Exception {
        var told = recorded();
        start();
        group(name, taking(told));
        var reason = await(name, VolumeGroupState.FAILED).reason();
        var file = loops.resolve(told.getFileName());
        assertTrue(
                reason.startsWith("loop device \"a\": its file " + file + " is gone, and no new"),
                reason);
        assertEquals(told.toString(), loop().file());
        assertEquals(List.of(), files());
    }

    @Test
    void aClassThatIsToStayKeepsItsFilesAndIsTakenAgain() throws Exception {
        var device = made(asking(", \"retainOnDelete\": true"));
        volume();
        var before = onDisk();
        delete(name);
        until(() -> find(name).isEmpty());
        assertEquals(Optional.of(device), LoopDevices.find(files().getFirst()));
        group(name, asking(""));
        await(name, VolumeGroupState.READY);
        assertEquals(before, onDisk());
        assertEquals(device.toString(), loop().deviceName());
        removeVolume();
    }

    @Test
    void aDeviceThatAPersonMadeIsTakenAndLeftAsItWas() throws Exception {
        var spec =
                """
                {"deviceSelector": {"optionalPaths": ["%1$s"]}, "loops": [{"name": "%1$s"}]}
                """
                        .formatted(disk);
        start();
        group(name, spec);
        assertEquals(List.of(disk.toString()), await(name, VolumeGroupState.READY).devices());
        var file = folder.resolve("disk0.img");
        assertEquals(
                LoopState.successful(disk.toString(), file.toString(), disk.toString(), ""),
                loop());
        delete(name);
        until(() -> find(name).isEmpty());
        assertEquals(Optional.of(disk), LoopDevices.find(file));
    }

    @Test
    void aFolderThatIsNotThereIsNamed() throws Exception {
        start();
        group(name, asking("").replace(loops.toString(), "/nowhere/loops"));
        var reason = await(name, VolumeGroupState.FAILED).reason();
        assertEquals("loop device \"a\": there is no folder /nowhere/loops on the node", reason);
        assertEquals(LoopState.failed("a", "", reason.substring(17)), loop());
        until(() -> reasons().contains("DevicePathCheckFailed"));
    }
}
