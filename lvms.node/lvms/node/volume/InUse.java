package lvms.node.volume;

import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.filesystem.MountTable;

import java.io.IOException;
import java.util.stream.Collectors;

/** Says who uses a volume that cannot be removed. */
final class InUse {
    private InUse() {}

    /** Returns LVM's words, and where the volume is mounted in any mount namespace. */
    static String describe(LvName volume, LvmException.InUse why) throws IOException {
        var places =
                MountTable.readAllNamespaces().mounts().stream()
                        .filter(mount -> names(mount.source(), volume))
                        .map(mount -> mount.mountPoint().toString())
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", "));
        return places.isEmpty() ? why.getMessage() : why.getMessage() + "; mounted at " + places;
    }

    private static boolean names(String source, LvName name) {
        return source.equals("/dev/" + name)
                || source.equals("/dev/mapper/" + Grammar.deviceMapperName(name));
    }
}
