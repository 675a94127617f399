package example.groups;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;

import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Prints a line for each volume group: its name, its size and what is free of it in bytes, and the
 * number of its logical volumes. With devices as arguments, LVM looks at no others.
 */
public final class ListGroups {
    private ListGroups() {}

    public static void main(String[] devices) throws InterruptedException {
        try (var machine = LvmCommands.open(LvmOptions.defaults())) {
            var status = machine.engine();
            System.out.println("LVM " + status.lvmVersion() + " by " + status.kind());
            for (var group : seen(machine, devices).groups().all()) {
                System.out.printf(
                        "%s %d %d %d%n",
                        group.name(), group.sizeBytes(), group.freeBytes(), group.logicalVolumes());
            }
        } catch (LvmException e) {
            System.err.println("list-groups: " + e.getMessage());
            System.exit(1);
        }
    }

    private static Lvm seen(Lvm machine, String[] devices) {
        return devices.length == 0
                ? machine
                : machine.limitedTo(DeviceScope.only(Stream.of(devices).map(Path::of).toList()));
    }
}
