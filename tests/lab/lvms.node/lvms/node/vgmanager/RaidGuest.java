package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.csi.LvmVolumeDevices;
import lvms.node.csi.VolumeId;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.volume.GroupLedgers;
import lvms.tests.lab.machine.GuestArchive;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The life of a RAID 1 class on a node of the lab with SCSI disks that can be pulled out while they
 * are in use: one vanishes under load and comes back, one vanishes and is replaced. In a full run
 * then {@link RaidLevels}.
 */
public final class RaidGuest {
    private static final long MIB = 1L << 20;
    private static final int DISKS = 6;
    private static final int DISK_MIB = 80;

    private final Lvm lvm;
    private final ScsiDisks disks;
    private final RaidClass mirror;

    private RaidGuest(Lvm lvm, ScsiDisks disks) {
        this.lvm = lvm;
        this.disks = disks;
        mirror = new RaidClass(lvm, "mirror", "{\"type\": \"raid1\"}");
    }

    /** Argument: whether the levels with stripes are tried too, which takes three minutes. */
    public static void main(String[] arguments) throws Exception {
        var disks = ScsiDisks.load(DISKS, DISK_MIB);
        try (var lvm = LvmCommands.open(GuestArchive.lvmOptions())) {
            new RaidGuest(lvm, disks).run();
            if (Boolean.parseBoolean(arguments[0])) {
                new RaidLevels(lvm, disks).run();
            }
        }
    }

    private void run() throws Exception {
        var pair = disks.first(2);
        assertEquals(List.of("CreateGroup"), mirror.converge(pair));
        mirror.create(mirror.volumeName(), 48 * MIB);
        mirror.awaitHealthy(pair);
        try (var load = new RaidLoad(mirror.path())) {
            load.awaitMore(100);
            comesBack(pair, load);
            comesBackAfterTheGroupChanged(pair, load);
            isReplaced(load);
            load.awaitMore(100);
        }
        mirror.assertEqualImages();
        theOneThatWasReplacedCanBeUsedAgain();
        growsAndGoes();
        aLinearVolumeShowsThatItsDiskIsLost();
        aDiskThatGotTheNameOfAnotherIsNotTakenForIt();
        anEmptyGroupGoesWithoutItsDevice();
    }

    /**
     * A volume that is removed afterwards takes nothing back, though its groups were read before.
     */
    private void comesBack(List<String> paths, RaidLoad load) throws Exception {
        var other = new LvName("mirror", "other");
        mirror.create(other, 8 * MIB);
        var groups = new GroupLedgers(lvm);
        groups.limitedTo("mirror");
        disks.pull(0);
        load.awaitMore(50);
        assertEquals(List.of(), mirror.converge(paths));
        mirror.assertLoss(paths, paths.get(0));
        disks.plug(0);
        assertEquals(List.of("RefreshVolume", "RefreshVolume"), mirror.converge(paths));
        groups.limitedTo("mirror").volumes().remove(Now.volume(groups.limitedTo("mirror"), other));
        assertEquals(0, lvm.groups().find("mirror").orElseThrow().missingPhysicalVolumes());
        mirror.awaitHealthy(paths);
        load.awaitMore(50);
    }

    private void comesBackAfterTheGroupChanged(List<String> paths, RaidLoad load) throws Exception {
        disks.pull(1);
        lvm.groups().changeTags(Now.group(lvm, "mirror"), Set.of("changed"), Set.of());
        load.awaitMore(50);
        disks.plug(1);
        assertEquals(List.of("RestoreDevices", "RefreshVolume"), mirror.converge(paths));
        mirror.awaitHealthy(paths);
        load.awaitMore(50);
    }

    private void isReplaced(RaidLoad load) throws Exception {
        var before = disks.first(2);
        var after = List.of(disks.paths().get(0), disks.paths().get(2));
        disks.pull(1);
        load.awaitMore(50);
        assertEquals(List.of(), mirror.converge(before));
        mirror.assertLoss(before, disks.paths().get(1));
        assertEquals(
                List.of("ExtendGroup", "RepairVolume", "RemoveMissing"), mirror.converge(after));
        mirror.awaitHealthy(after);
        assertEquals(2, mirror.status(after).devices().size());
    }

    /** Its label is outdated: LVM lists it nowhere, and lets nobody use it as it is. */
    private void theOneThatWasReplacedCanBeUsedAgain() throws Exception {
        disks.plug(1);
        assertEquals(List.of("ExtendGroup"), mirror.converge(disks.first(3)));
        assertEquals(3, mirror.status(disks.first(3)).devices().size());
    }

    private void growsAndGoes() throws Exception {
        lvm.volumes().extend(Now.volume(lvm, mirror.volumeName()), 64 * MIB);
        mirror.awaitSync();
        assertEquals(64 * MIB, mirror.volume().sizeBytes());
        assertEquals(Set.of("raid", "raid1"), mirror.volume().layout());
        lvm.volumes().remove(Now.volume(lvm, mirror.volumeName()));
        assertEquals(List.of(), lvm.volumes().all("mirror"));
    }

    /** The kernel's own status of such a volume stays as it was. */
    private void aLinearVolumeShowsThatItsDiskIsLost() throws Exception {
        var volume = new LvName("lost", "data");
        var disk = Path.of(disks.paths().get(3)).toRealPath();
        lvm.groups().create(new NewVolumeGroup("lost", List.of(disk), Set.of()));
        lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of()));
        assertEquals(Optional.empty(), trouble(volume));
        disks.pull(3);
        assertEquals(
                Optional.of("partial: a physical volume is missing"),
                trouble(volume),
                "what kubelet is told");
        ScsiDisks.program("dmsetup", "remove", "--retry", Grammar.deviceMapperName(volume));
        disks.plug(3); // where udev may activate it
        ScsiDisks.program("vgremove", "--force", "--yes", "lost");
        disks.blank(3);
    }

    private Optional<String> trouble(LvName volume) throws Exception {
        var json =
                """
                {"metadata": {"name": "v"},
                 "spec": {"name": "v", "deviceClass": "c", "size": "8Mi"}}
                """;
        var object = LogicalVolume.of(KubeObject.of(Json.parse(json).asObject()));
        var deviceClass =
                new NodeDeviceClass(
                        "c",
                        volume.vg(),
                        true,
                        new NodeDeviceClass.Provisioning.Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty());
        var classes = new DeviceClasses(List.of(deviceClass), Map.of());
        return new LvmVolumeDevices(
                        _ -> object, () -> classes, new GroupLedgers(lvm), DeviceMapper.system())
                .trouble(new VolumeId(volume.lv()));
    }

    /**
     * Two disks swap their names, one of a group and a spare. LVM is told the group's disks by name
     * and would note the other as missing, for good, when it removes a volume beside it.
     */
    private void aDiskThatGotTheNameOfAnotherIsNotTakenForIt() throws Exception {
        var paths = disks.paths();
        disks.pull(4); // they get the lowest names that are free, so no lower one is left
        disks.pull(5);
        disks.plug(4);
        disks.plug(5);
        var members =
                List.of(Path.of(paths.get(3)).toRealPath(), Path.of(paths.get(4)).toRealPath());
        lvm.groups().create(new NewVolumeGroup("swapped", members, Set.of()));
        var volume = new LvName("swapped", "data");
        lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of()));
        lvm.volumes().deactivate(Now.volume(lvm, volume));
        var groups = new GroupLedgers(lvm);
        groups.limitedTo("swapped");
        var found = Now.volume(lvm, volume);
        disks.pull(4);
        disks.pull(5);
        disks.plug(5);
        disks.plug(4);
        assertEquals(members.get(1), Path.of(paths.get(5)).toRealPath(), "the name went over");

        groups.limitedTo("swapped").volumes().remove(found);
        var left = lvm.groups().report("swapped").orElseThrow();
        assertEquals(List.of(), left.logicalVolumes());
        assertEquals(0, left.group().missingPhysicalVolumes());
        lvm.groups().remove(Now.group(lvm, "swapped"));
    }

    private void anEmptyGroupGoesWithoutItsDevice() throws Exception {
        disks.pull(2);
        assertEquals(List.of("RemoveMissing", "RemoveGroup"), mirror.remove(disks.first(3)));
        assertTrue(lvm.groups().find("mirror").isEmpty());
        disks.plug(2);
        disks.blank(2);
    }
}
