package lvms.lvm2;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Uses what a guest uses at its start, without any device. */
final class CutTraining {
    private CutTraining() {}

    public static void main(String[] args) throws Exception {
        var folder = Files.createTempDirectory("lvm-training");
        var options =
                LvmOptions.defaults()
                        .withEngine(LvmOptions.Engine.WORKER)
                        .withSystemDir(folder, false, false);
        try (var lvm = Lvm.open(options)) {
            lvm.limitedTo(DeviceScope.only(List.of(Path.of("/dev/null")))).volumeGroups();
            System.out.println(lvm.engine());
        }
    }
}
