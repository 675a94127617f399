package lvms.tests.image;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.command.LvmCommands;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Runs in the image's JVM: makes and reports a volume group. Arguments: the lvm program, or {@code
 * worker} for the library; a folder for LVM's configuration; the group's name and its device.
 */
final class GroupGuest {
    static final String WORKER = "worker";

    private GroupGuest() {}

    public static void main(String[] args) throws Exception {
        var group = args[2];
        var device = Path.of(args[3]);
        var options = LvmOptions.defaults().withSystemDir(Path.of(args[1]), false, false);
        options =
                args[0].equals(WORKER)
                        ? options.withEngine(LvmOptions.Engine.WORKER)
                        : options.withExecCommand(List.of(args[0]));
        try (var machine = LvmCommands.open(options)) {
            var lvm = machine.limitedTo(DeviceScope.only(List.of(device)));
            lvm.groups().create(new NewVolumeGroup(group, List.of(device), Set.of("image")));
            var found = lvm.groups().report(group).orElseThrow().group();
            System.out.println(machine.engine().kind() + " " + found.tags());
        }
    }
}
