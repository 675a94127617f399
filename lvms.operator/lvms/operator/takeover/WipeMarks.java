package lvms.operator.takeover;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.MergePatch;
import lvms.operator.uninstall.Item;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Marks on an LVMVolumeGroup that say on which nodes its devices were wiped. Where a class may wipe
 * its devices and has its volume group on a node already, the mark keeps them from being wiped
 * again. Early versions wiped without setting it.
 */
final class WipeMarks {
    private static final String[] FLAG = {
        "spec", "deviceSelector", "forceWipeDevicesAndDestroyAllData"
    };

    private WipeMarks() {}

    /** Returns what sets those that are missing, empty if none is. */
    static Optional<Step> missing(Item group, List<LvmVolumeGroupNodeStatus> statuses) {
        var marked = LvmVolumeGroup.of(group.object());
        if (!group.object().flag(FLAG).orElse(false)) {
            return Optional.empty();
        }
        var nodes =
                statuses.stream()
                        .filter(status -> holds(status, group.name()))
                        .map(LvmVolumeGroupNodeStatus::node)
                        .filter(node -> !marked.wipedOn(node))
                        .sorted()
                        .toList();
        return nodes.isEmpty() ? Optional.empty() : Optional.of(step(group, nodes));
    }

    /** A name in the list is not enough: a group that failed before its wipe has no devices. */
    private static boolean holds(LvmVolumeGroupNodeStatus status, String group) {
        return status.volumeGroup(group).filter(known -> !known.devices().isEmpty()).isPresent();
    }

    private static Step step(Item group, List<String> nodes) {
        return new Step.Change(
                "mark the devices of "
                        + group.text()
                        + " as wiped before on "
                        + String.join(", ", nodes),
                group,
                now -> {
                    var patch = MergePatch.of(now);
                    for (var node : nodes) {
                        patch =
                                patch.annotation(
                                        Names.wipedAnnotation(node), Instant.now().toString());
                    }
                    return patch;
                });
    }
}
