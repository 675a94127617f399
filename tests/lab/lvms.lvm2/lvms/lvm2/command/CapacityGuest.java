package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.Now;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.plan.AllocationSettings;
import lvms.lvm2.plan.CapacityPlanner;
import lvms.lvm2.plan.ExtentLayout;
import lvms.lvm2.plan.VolumeShape;
import lvms.tests.lab.machine.GuestArchive;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Runs on a node of the lab: seed, number of groups, and the disks with commas between them. */
final class CapacityGuest {
    private CapacityGuest() {}

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[0]);
        int layouts = Integer.parseInt(args[1]);
        List<Path> disks = Arrays.stream(args[2].split(",")).map(Path::of).toList();
        var options = GuestArchive.lvmOptions().withSystemDir(Path.of("/tmp/lvm"), false, true);
        try (var all = LvmCommands.open(options)) {
            imagesDoNotShareADevice(all, disks.subList(0, 3));
            var failures = new CapacityTrials(all, disks, true).run(seed, layouts);
            assertEquals("", String.join("\n\n", failures));
        }
    }

    /** Of these three devices LVM before 2.03.22 would put both images on the last one. */
    private static void imagesDoNotShareADevice(Lvm all, List<Path> disks) throws Exception {
        var lvm = all.limitedTo(DeviceScope.only(disks));
        var runner = ((LvmCommands) lvm).runner();
        var extents = List.of(6, 7, 12);
        for (int i = 0; i < disks.size(); i++) {
            long kib = extents.get(i) * 4096L + 1024;
            var size = List.of("pvcreate", "-y", "--setphysicalvolumesize", kib + "k");
            var words = new ArrayList<>(size);
            words.addAll(List.of("--metadatasize", "500k", disks.get(i).toString()));
            runner.run(Effect.CHANGE, words);
        }
        var vgcreate = new ArrayList<>(List.of("vgcreate", "-y", "apart"));
        disks.forEach(disk -> vgcreate.add(disk.toString()));
        runner.run(Effect.CHANGE, vgcreate);
        var name = new LvName("apart", "data");
        var layout = ExtentLayout.of(lvm.groups().report("apart").orElseThrow());
        var planned =
                new CapacityPlanner(AllocationSettings.DEFAULTS)
                        .largest(layout, VolumeShape.raid1(2));
        assertEquals(6, planned.extents(), planned.toString());
        assertThrows(
                LvmException.OutOfSpace.class, () -> lvm.volumes().createThick(raid1(name, 11)));
        assertEquals(List.of(), lvm.volumes().all("apart"), "nothing is left of it");
        assertEquals(planned.sizeBytes(), lvm.volumes().createThick(raid1(name, 6)).sizeBytes());
        lvm.volumes().remove(Now.volume(lvm, name));
        lvm.groups().remove(Now.group(lvm, "apart"));
    }

    private static NewThickVolume raid1(LvName name, long extents) {
        return new NewThickVolume(
                name,
                extents << 22,
                Set.of(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                LvcreateOptions.of(List.of("--type", "raid1", "-m", "1")));
    }
}
