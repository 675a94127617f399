package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.LabGuest;
import lvms.lvm2.LvmOptions;
import lvms.tests.lab.machine.GuestArchive;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that uses the library, as the node agent does, and is killed: mends what the one before
 * it left, then makes the changes that come as lines. Argument: the engine.
 */
final class CutServer {
    private CutServer() {}

    public static void main(String[] args) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var all = LvmCommands.open(options(LvmOptions.Engine.valueOf(args[0])))) {
            var lvm = all.limitedTo(DeviceScope.only(LabGuest.DISKS));
            lvm.groups().mend(CutChange.VG);
            System.out.println("ready");
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                CutChange.of(line).make(lvm);
                System.out.println("done");
            }
        }
    }

    static LvmOptions options(LvmOptions.Engine engine) {
        return GuestArchive.lvmOptions()
                .withEngine(engine)
                .withSystemDir(Path.of("/tmp/lvm-cut"), false, true)
                .withTimes(Duration.ofMinutes(5), Duration.ofSeconds(30));
    }
}
