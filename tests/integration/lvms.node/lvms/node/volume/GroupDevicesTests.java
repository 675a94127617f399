package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.node.vgmanager.LoopDiskCase;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A change sees the disks of its group, whatever their names are by now. */
class GroupDevicesTests extends LoopDiskCase {
    private static final String VG = "lvmsnames" + ProcessHandle.current().pid();

    private Identity<LvName> volume(String name, long bytes) throws Exception {
        return lvm.volumes()
                .createThick(
                        new NewThickVolume(
                                new LvName(VG, name),
                                bytes,
                                Set.of(),
                                OptionalInt.empty(),
                                OptionalLong.empty(),
                                LvcreateOptions.NONE))
                .identity();
    }

    /** LVM would take the disk for lost, and write that into the group for good. */
    @Test
    @Safety(7)
    void aDiskThatCameBackUnderAnotherNameIsNotTakenForLost() throws Exception {
        var first = disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        var foreign = disks.add(64 * MIB);
        lvm = disks.lvm();
        lvm.groups().create(new NewVolumeGroup(VG, List.of(first, second), Set.of()));
        var volume = volume("v", 4 * MIB);
        volume("on-both", 80 * MIB);
        var groups = new GroupLedgers(lvm);
        groups.limitedTo(VG); // from now on the names are known
        disks.exchange(second, foreign);
        groups.limitedTo(VG).volumes().remove(volume);
        var group = lvm.groups().report(VG).orElseThrow().group();
        assertEquals(0, group.missingPhysicalVolumes());
        assertEquals(1, group.logicalVolumes());
    }
}
