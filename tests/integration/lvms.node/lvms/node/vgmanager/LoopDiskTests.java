package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewPhysicalVolume;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.Signatures;
import lvms.lvm2.label.GroupText;
import lvms.lvm2.label.PvLabel;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.SystemHost;
import lvms.node.vgmanager.plan.Decision;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Step;
import lvms.node.vgmanager.plan.VolumeGroupPlan;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reading, deciding and acting together bring real disks to what the user wants, and back. */
@Lasts(seconds = 70)
class LoopDiskTests extends LoopDiskCase {
    private SituationReader reader;
    private final String name = "vgm-test-" + ProcessHandle.current().pid();

    private void open() throws Exception {
        open(Set.of());
    }

    /** As with a devices file that does not name these. */
    private void open(Set<Path> hidden) throws Exception {
        lvm = disks.lvmWithout(hidden);
        var host = new SystemHost(BlockDevices.system(), disks.visible());
        reader =
                new SituationReader(
                        host, lvm, new InventoryReader(host, lvm), LoopDisks.deviceMapper(), "n1");
    }

    private LvmVolumeGroup group(String spec) {
        var json = "{\"kind\": \"LVMVolumeGroup\", \"metadata\": {\"name\": \"%s\"}, \"spec\": %s}";
        return LvmVolumeGroup.of(KubeObject.of(Json.parse(json.formatted(name, spec)).asObject()));
    }

    private LvmVolumeGroup paths(Path... paths) {
        var list = Stream.of(paths).map(p -> "\"" + p + "\"").collect(Collectors.joining(","));
        return group("{\"deviceSelector\": {\"paths\": [" + list + "]}}");
    }

    private Situation read(LvmVolumeGroup group) throws Exception {
        reader.inventory().invalidate();
        return reader.read(group, List.of(group)).situation();
    }

    /** Acts until nothing is left to do or something is in the way; returns that. */
    private Decision converge(LvmVolumeGroup group) throws Exception {
        return run(group, false);
    }

    private Decision remove(LvmVolumeGroup group) throws Exception {
        return run(group, true);
    }

    private Decision run(LvmVolumeGroup group, boolean removing) throws Exception {
        var taken = new ArrayList<Step>();
        while (true) {
            var s = read(group);
            var plan = new VolumeGroupPlan(s);
            var decision = removing ? plan.nextOfRemoval() : plan.next();
            if (!(decision instanceof Decision.Act(var step))) {
                return decision;
            }
            assertTrue(taken.size() < 10, taken::toString);
            taken.add(step);
            new StepRunner(lvm, reader.host()).run(step, s);
        }
    }

    private static String blocked(Decision decision) {
        return assertInstanceOf(Decision.Blocked.class, decision).message();
    }

    @Test
    void blankDisksBecomeAGroupAndBlankDisksAgain() throws Exception {
        var first = disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        open();
        var group = group("{}");
        assertEquals(new Decision.Converged(), converge(group));
        var report = lvm.groups().report(name).orElseThrow();
        assertEquals(2, report.physicalVolumes().size());
        assertTrue(report.group().tags().contains("lvms"));

        assertEquals(new Decision.Converged(), remove(group));
        assertTrue(lvm.groups().report(name).isEmpty());
        assertEquals(new Signatures.Blank(), Signatures.probe(first));
        assertEquals(new Signatures.Blank(), Signatures.probe(second));
    }

    @Test
    void aThinPoolIsMadeAndGrowsWithANewDisk() throws Exception {
        assumeTrue(LoopDisks.deviceMapper(), "LVM makes no thin pool without a device-mapper");
        disks.add(256 * MIB);
        open();
        var group =
                group(
                        """
                        {"thinPoolConfig": {"name": "pool", "sizePercent": 90,
                                            "overprovisionRatio": 10}}
                        """);
        assertEquals(new Decision.Converged(), converge(group));
        var pool = lvm.pools().find(new LvName(name, "pool")).orElseThrow();
        assertEquals(128 << 10, pool.chunkSizeBytes());
        long size = pool.sizeBytes();

        disks.add(256 * MIB);
        lvm.close();
        open();
        assertEquals(new Decision.Converged(), converge(group));
        var grown = lvm.pools().find(new LvName(name, "pool")).orElseThrow();
        long whole = lvm.groups().find(name).orElseThrow().sizeBytes();
        assertTrue(grown.sizeBytes() > size, () -> size + " is now " + grown.sizeBytes());
        assertTrue(grown.sizeBytes() <= whole * 90 / 100, () -> grown + " of " + whole);

        assertEquals(new Decision.Converged(), remove(group));
        for (var disk : disks.all()) {
            assertEquals(new Signatures.Blank(), Signatures.probe(disk));
        }
    }

    @Test
    void aDiskThatGrowsIsTakenUpAndOneThatShrinksIsReported() throws Exception {
        var disk = disks.add(64 * MIB);
        open();
        assertEquals(new Decision.Converged(), converge(paths(disk)));
        long before = lvm.groups().find(name).orElseThrow().sizeBytes();

        disks.resize(disk, 128 * MIB);
        var step = new Step.ResizeDevices(read(paths(disk)).members());
        assertEquals(new Decision.Act(step), new VolumeGroupPlan(read(paths(disk))).next());
        assertEquals(new Decision.Converged(), converge(paths(disk)));
        assertEquals(before + 64 * MIB, lvm.groups().find(name).orElseThrow().sizeBytes());

        disks.resize(disk, 96 * MIB);
        var message = blocked(converge(paths(disk)));
        assertTrue(message.contains("has become smaller than the physical volume on it"), message);
        disks.resize(disk, 128 * MIB);
        assertEquals(new Decision.Converged(), converge(paths(disk)));
        assertEquals(before + 64 * MIB, lvm.groups().find(name).orElseThrow().sizeBytes());
    }

    @Test
    void aDiskWithAFilesystemIsLeftAsItIs() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        open();
        untouched(disk, "has a filesystem signature \"ext4\"");
    }

    @Test
    void aDiskWithPartitionsIsLeftAsItIs() throws Exception {
        var disk = disks.addPartitioned(64 * MIB);
        open();
        untouched(disk, "has a partition table \"dos\"");
    }

    @Test
    void aDiskInUseAsSwapIsLeftAsItIs() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkswap", disk.toString());
        open();
        untouched(disk, "has a filesystem signature \"swap\"");
    }

    @Test
    void aMountedDiskIsLeftAsItIs() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var target = Files.createDirectory(folder.resolve("mnt"));
        LoopDisks.run("mount", "-o", "ro,noload", disk.toString(), target.toString());
        try {
            open();
            untouched(disk, "is in use: mounted at " + target);
        } finally {
            LoopDisks.run("umount", target.toString());
        }
    }

    @Test
    void aPhysicalVolumeOfAForeignGroupIsLeftAsItIs() throws Exception {
        var disk = disks.add(64 * MIB);
        open();
        lvm.groups().create(new NewVolumeGroup(name + "-foreign", List.of(disk), Set.of()));
        untouched(disk, "is a physical volume of volume group \"" + name + "-foreign\"");
    }

    @Test
    @Safety(9)
    void aPhysicalVolumeThatLvmDoesNotListKeepsNoOtherDiskOut() throws Exception {
        var good = disks.add(64 * MIB);
        var theirs = disks.add(64 * MIB);
        open();
        lvm.groups().create(new NewVolumeGroup(name + "-far", List.of(theirs), Set.of("far")));
        var volume = new LvName(name + "-far", "data");
        lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of("a-tag")));
        var uuid = lvm.physicalVolumes().find(theirs).orElseThrow().uuid();
        lvm.close();
        var before = LoopDisks.checksum(theirs);
        assertEquals(uuid, PvLabel.read(theirs).uuid());
        assertEquals(
                new GroupText(
                        name + "-far",
                        PvLabel.read(theirs).group().orElseThrow().uuid(),
                        Set.of("far"),
                        List.of(new GroupText.Volume("data", Set.of("a-tag"), false)),
                        List.of()),
                PvLabel.read(theirs).group().orElseThrow());

        open(Set.of(theirs));
        assertEquals(new Decision.Converged(), converge(group("{}")));
        var excluded = StatusEntry.ready(read(group("{}"))).excluded();
        assertEquals(List.of(theirs.toString()), excluded.stream().map(e -> e.name()).toList());
        var reason = excluded.getFirst().reasons().getFirst();
        assertTrue(reason.contains("of volume group \"" + name + "-far\" that LVM"), reason);
        assertEquals(before, LoopDisks.checksum(theirs));
        assertEquals(new PvLabel("", Optional.empty()), labelAfterRemoval(good));
    }

    private PvLabel labelAfterRemoval(Path disk) throws Exception {
        assertEquals(new Decision.Converged(), remove(group("{}")));
        return PvLabel.read(disk);
    }

    /** None of it changes the device, and nobody says that LVM has to be asked. */
    @Test
    @Safety(9)
    void whatPeopleDoToAGroupOnAKnownLabelIsSeen() throws Exception {
        var disk = disks.add(64 * MIB);
        open();
        lvm.physicalVolumes().create(new NewPhysicalVolume(disk));
        assertEquals(List.of(), reader.inventory().read().groupsNamed(name));

        lvm.groups().create(new NewVolumeGroup(name, List.of(disk), Set.of()));
        assertEquals(Set.of(), seen().group().tags());
        lvm.groups()
                .changeTags(
                        lvm.groups().find(name).orElseThrow().identity(), Set.of("mine"), Set.of());
        assertEquals(Set.of("mine"), seen().group().tags());
        lvm.volumes().createThick(new NewThickVolume(new LvName(name, "data"), 8 * MIB, Set.of()));
        assertEquals(1, seen().logicalVolumes().size());
        lvm.volumes().remove(lvm.volumes().find(new LvName(name, "data")).orElseThrow().identity());
        lvm.groups().remove(lvm.groups().find(name).orElseThrow().identity());
        assertEquals(List.of(), reader.inventory().read().groupsNamed(name));
    }

    private VolumeGroupReport seen() throws Exception {
        return reader.inventory().read().groupsNamed(name).getFirst();
    }

    /** Between the decision and the act the disk is swapped, locked or opened. */
    @Test
    @Safety(8)
    void whatChangedSinceTheDecisionStopsTheStep() throws Exception {
        var disk = disks.add(64 * MIB);
        open();
        var decided = read(group("{}"));
        var step = new VolumeGroupPlan(decided).next();
        try (var _ = Files.newByteChannel(disk, StandardOpenOption.WRITE)) {
            refused(step, decided, "is open for writing in");
        }
        LoopDisks.run("mkswap", disk.toString());
        refused(step, decided, "has content: swap");
        LoopDisks.run("wipefs", "--all", disk.toString());
        try (var channel = FileChannel.open(disk, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}), MIB / 2);
            refused(step, decided, "is open for writing in");
        }
        refused(step, decided, "has data in its first or last MiB");
        var before = LoopDisks.checksum(disk);
        disks.swap(disk);
        refused(step, decided, "another disk has its name by now");
        assertTrue(lvm.groups().find(name).isEmpty());
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    @Safety(7)
    void aMemberWhoseNameAnotherDiskHasByNowStopsTheStep() throws Exception {
        var member = disks.add(64 * MIB);
        var other = disks.add(64 * MIB);
        open();
        assertEquals(new Decision.Converged(), converge(paths(member)));
        var decided = read(paths(member, other));
        var step = assertInstanceOf(Decision.Act.class, new VolumeGroupPlan(decided).next()).step();
        disks.swap(member);
        var failure =
                assertThrows(
                        LvmException.Replaced.class,
                        () -> new StepRunner(lvm, reader.host()).run(step, decided));
        assertTrue(failure.getMessage().contains("another disk has the name"), failure.toString());
        assertEquals(1, lvm.groups().report(name).orElseThrow().physicalVolumes().size());
    }

    private void refused(Decision decided, Situation s, String why) {
        var step = assertInstanceOf(Decision.Act.class, decided).step();
        var failure =
                assertThrows(
                        LvmException.InUse.class,
                        () -> new StepRunner(lvm, reader.host()).run(step, s));
        assertTrue(failure.getMessage().contains(why), failure.getMessage());
    }

    @Test
    @Safety(8)
    void aClassThatNamesNoDiskTakesNoneWithDataAndItsOwnOldOnes() throws Exception {
        disks.add(64 * MIB);
        var used = disks.add(64 * MIB);
        try (var channel = FileChannel.open(used, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}), MIB / 2);
        }
        open();
        assertEquals(new Decision.Converged(), converge(group("{}")));
        var excluded = StatusEntry.ready(read(group("{}"))).excluded().getFirst();
        assertTrue(excluded.reasons().getFirst().contains("has data in its first or last MiB"));
        assertEquals(new Decision.Converged(), remove(group("{}")));
        assertEquals(new Decision.Converged(), converge(group("{}")), "the same disk again");
        assertEquals(1, lvm.groups().report(name).orElseThrow().physicalVolumes().size());
        assertEquals(new Decision.Converged(), remove(group("{}")));
        assertEquals(new Decision.Converged(), converge(paths(used)));
    }

    @Test
    void aForeignGroupOfTheSameNameIsLeftAsItIs() throws Exception {
        var disk = disks.add(64 * MIB);
        disks.add(64 * MIB);
        open();
        lvm.groups().create(new NewVolumeGroup(name, List.of(disk), Set.of("theirs")));
        var before = LoopDisks.checksum(disk);
        assertTrue(blocked(converge(group("{}"))).contains("is not ours"));
        assertEquals(new Decision.Converged(), remove(group("{}")));
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    void aPathThatDoesNotExistBlocksTheGroup() throws Exception {
        var disk = disks.add(64 * MIB);
        open();
        var before = LoopDisks.checksum(disk);
        var message = blocked(converge(paths(disk, Path.of("/dev/disk/by-id/none"))));
        assertTrue(message.contains("the device did not exist on the host"), message);
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    void aLinkLeadsToItsDisk() throws Exception {
        var disk = disks.add(64 * MIB);
        var link = Files.createSymbolicLink(Path.of("/dev/" + name + "-link"), disk);
        try {
            open();
            assertEquals(new Decision.Converged(), converge(paths(link)));
            assertEquals(new Decision.Converged(), converge(paths(link)));
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void aDeselectedDiskIsTakenOutUnlessItHoldsData() throws Exception {
        var first = disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        open();
        assertEquals(new Decision.Converged(), converge(paths(first, second)));
        assertEquals(new Decision.Converged(), converge(paths(first)));
        assertEquals(1, lvm.groups().report(name).orElseThrow().physicalVolumes().size());
        assertEquals(new Signatures.Blank(), Signatures.probe(second));
    }

    @Test
    void aGroupWithAVolumeIsNotRemoved() throws Exception {
        disks.add(64 * MIB);
        open();
        var group = group("{}");
        converge(group);
        lvm.volumes().createThick(new NewThickVolume(new LvName(name, "data"), 8 * MIB, Set.of()));
        assertTrue(blocked(remove(group)).contains("manual cleanup required"));
        assertTrue(lvm.volumes().find(new LvName(name, "data")).isPresent());
    }

    private void untouched(Path disk, String reason) throws Exception {
        var before = LoopDisks.checksum(disk);
        for (var group : List.of(group("{}"), paths(disk))) {
            blocked(converge(group));
            var verdicts =
                    read(group).verdicts().stream()
                            .filter(v -> v.device().kernelName().equals(disk.toString()))
                            .toList();
            assertTrue(
                    verdicts.getFirst().reasons().stream().anyMatch(r -> r.contains(reason)),
                    verdicts::toString);
            assertEquals(new Decision.Converged(), remove(group));
        }
        assertEquals(before, LoopDisks.checksum(disk));
    }
}
