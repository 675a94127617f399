package lvms.lvm2;

import lvms.lvm2.command.LvmCommands;
import lvms.tests.lab.machine.GuestArchive;

import java.nio.file.Files;
import java.util.Set;

/**
 * A process that takes snapshots of several volumes until it is killed: their group, which are
 * thick.
 */
final class AtOnceVictim {
    private AtOnceVictim() {}

    public static void main(String[] args) throws Exception {
        var thick = Set.of(args[1].split(","));
        var options =
                GuestArchive.lvmOptions()
                        .withSystemDir(Files.createTempDirectory("lvm"), false, true);
        try (var all = LvmCommands.open(options)) {
            var lvm = all.limitedTo(DeviceScope.only(Slices.devices(0, 3)));
            System.out.println("ready");
            while (true) {
                var requests = LabAtOnce.requests(args[0], thick);
                for (var made : lvm.snapshots().createAtOnce(requests)) {
                    lvm.volumes().remove(made.identity());
                }
            }
        }
    }
}
