package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.object.Types;
import lvms.operator.topolvm.VolumeMove;

import java.util.ArrayList;
import java.util.List;

/**
 * What is in the way of a conversion of old LogicalVolumes.
 *
 * @param parts what was found
 */
record LegacyObstacles(List<Part> parts) {
    private static final Driver OLD = Driver.LEGACY;
    private static final Driver NEW = Driver.TOPOLVM;

    List<String> all() {
        var found = new ArrayList<String>();
        var old = TopolvmLegacy.volumes(parts, OLD);
        var present = TopolvmLegacy.volumes(parts, NEW);
        requireDefinition(found);
        requireDriver(found);
        for (var volume : old) {
            unfinished(volume, found);
            clash(volume, present, found);
        }
        return found;
    }

    private void requireDefinition(List<String> found) {
        var name = NEW.logicalVolumes().qualifiedPlural();
        boolean served =
                TopolvmLegacy.items(parts, Types.CRD).stream()
                        .anyMatch(crd -> crd.name().equals(name) && !crd.object().terminating());
        if (!served) {
            found.add(
                    "there is no CustomResourceDefinition "
                            + name
                            + ": apply deploy/base/crds/topolvm.io_logicalvolumes.yaml");
        }
    }

    private void requireDriver(List<String> found) {
        boolean needed = parts.stream().anyMatch(part -> part.item().type().equals(Types.PV));
        if (needed && TopolvmLegacy.items(parts, Types.CSI_DRIVER).isEmpty()) {
            found.add(
                    "there is no CSIDriver "
                            + OLD.name()
                            + ", without which kubelet mounts none of its PersistentVolumes:"
                            + " create it again as it was");
        }
    }

    private static void unfinished(LogicalVolume volume, List<String> found) {
        var text = "LogicalVolume " + volume.name() + " of group " + OLD.group();
        if (volume.object().terminating()) {
            found.add(text + " is being deleted: wait until it is gone");
        } else if (volume.status().volumeId().isEmpty()) {
            found.add(text + " has no volume yet: wait until it has, or delete it");
        }
    }

    private static void clash(
            LogicalVolume volume, List<LogicalVolume> present, List<String> found) {
        var id = volume.status().volumeId();
        for (var other : present) {
            boolean sameName = other.name().equals(volume.name());
            if (sameName && !VolumeMove.isCopy(other, volume)) {
                found.add(VolumeMove.clash(other));
            } else if (!sameName && !id.isEmpty() && other.volumeName().equals(id)) {
                found.add(
                        ("LogicalVolumes %s and %s both say that volume %s is"
                                                + " theirs: delete neither;")
                                        .formatted(volume.name(), other.name(), id)
                                + " find out whose PersistentVolume has that handle");
            }
        }
    }
}
