package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.filesystem.MountTable;

import java.io.IOException;
import java.util.Collection;
import java.util.stream.Collectors;

/** Says who uses a volume that cannot be removed. */
final class InUse {
    private InUse() {}

    /** Returns LVM's words, and where the volume is mounted in any mount namespace. */
    static String describe(LogicalVolume volume, Collection<String> groups, LvmException.InUse why)
            throws IOException {
        var sources = groups.stream().map(vg -> new LvName(vg, volume.volumeName())).toList();
        var places =
                MountTable.readAllNamespaces().mounts().stream()
                        .filter(mount -> sources.stream().anyMatch(s -> names(mount.source(), s)))
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
