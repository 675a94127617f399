package lvms.lvm2;

import lvms.lvm2.command.LvmCommands;
import lvms.tests.lab.machine.GuestArchive;

import java.nio.file.Files;

/** A process that takes snapshots of several volumes until it is killed. Argument: their group. */
final class AtOnceVictim {
    private AtOnceVictim() {}

    public static void main(String[] args) throws Exception {
        var options =
                GuestArchive.lvmOptions()
                        .withSystemDir(Files.createTempDirectory("lvm"), false, true);
        try (var all = LvmCommands.open(options)) {
            var lvm = all.limitedTo(DeviceScope.only(Slices.devices(0, 3)));
            System.out.println("ready");
            while (true) {
                for (var made : lvm.snapshots().createThinAtOnce(LabAtOnce.requests(args[0]))) {
                    lvm.volumes().remove(made.identity());
                }
            }
        }
    }
}
