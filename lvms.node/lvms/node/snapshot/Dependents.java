package lvms.node.snapshot;

import lvms.api.Names;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;

import java.util.stream.Collectors;

/** The thick snapshots of a volume: LVM would remove them with it, so it is kept for them. */
public record Dependents(Lvm lvm, LvName origin) {
    /** Returns the failure that names them, or the same if there are none. */
    public LvmException.InUse explain(LvmException.InUse why)
            throws LvmException, InterruptedException {
        var names =
                lvm.volumes().all(origin.vg()).stream()
                        .filter(LogicalVolume::isThickSnapshot)
                        .filter(lv -> lv.origin().filter(origin.lv()::equals).isPresent())
                        .map(Dependents::objectName)
                        .sorted()
                        .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? why
                : new LvmException.InUse(
                        "the volume is kept until its last snapshot is gone: " + names);
    }

    private static String objectName(LogicalVolume snapshot) {
        return snapshot.tags().stream()
                .filter(tag -> tag.startsWith(Names.VOLUME_NAME_TAG))
                .map(tag -> tag.substring(Names.VOLUME_NAME_TAG.length()))
                .findFirst()
                .orElse(snapshot.name().lv());
    }
}
