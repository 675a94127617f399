package lvms.node.capacity;

import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.vgmanager.LoopDiskCase;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A volume group with a thick class, on disks that the test chooses. */
abstract class ThickGroupCase extends LoopDiskCase {
    final String vg;

    ThickGroupCase(String name) {
        vg = name + ProcessHandle.current().pid();
    }

    VolumeGroupReport report() throws Exception {
        return lvm.groups().report(vg).orElseThrow();
    }

    /** Returns what the class announces. */
    long capacity() throws Exception {
        var thick =
                new NodeDeviceClass(
                        "thick",
                        vg,
                        true,
                        new Provisioning.Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty());
        return ClassCapacity.standard().of(thick, report());
    }

    LvName volume(String name, long bytes, Set<String> tags) throws Exception {
        var volume = new LvName(vg, name);
        lvm.volumes()
                .createThick(
                        new NewThickVolume(
                                volume,
                                bytes,
                                tags,
                                OptionalInt.empty(),
                                OptionalLong.empty(),
                                LvcreateOptions.NONE));
        return volume;
    }
}
