package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmOptions;

import java.util.Optional;

/** Makes volumes in a process of its own, which a test kills. Arguments: the names. */
final class KilledMaker {
    private KilledMaker() {}

    public static void main(String[] names) throws Exception {
        try (var lvm = Lvm.open(LvmOptions.defaults())) {
            var operations = new VolumeOperations(new VolumeGroups(lvm));
            System.out.println("ready");
            System.in.read();
            for (var name : names) {
                var wanted =
                        LogicalVolume.of(
                                Volumes.object(name, "16Mi")
                                        .with("kill-" + name, "metadata", "uid"));
                System.out.println(
                        operations
                                .make(
                                        NewVolume.of(
                                                wanted,
                                                Optional.empty(),
                                                VolumeOperationsGuest.CLASSES))
                                .name());
            }
        }
    }
}
