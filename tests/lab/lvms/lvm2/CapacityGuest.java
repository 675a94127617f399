package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Runs on a node of the lab: seed, number of groups, and the disks with commas between them. */
final class CapacityGuest {
    private CapacityGuest() {}

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[0]);
        int layouts = Integer.parseInt(args[1]);
        List<Path> disks = Arrays.stream(args[2].split(",")).map(Path::of).toList();
        var options = LvmOptions.defaults().withSystemDir(Path.of("/tmp/lvm"), false, true);
        try (var all = Lvm.open(options)) {
            var failures = new CapacityTrials(all, disks, true).run(seed, layouts);
            assertEquals("", String.join("\n\n", failures));
        }
    }
}
