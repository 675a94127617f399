package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroup;
import lvms.api.nativestor.NodeStorageState;
import lvms.operator.topolvmcluster.rule.AdoptionRequest;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which volume groups may be taken over although they do not have our tag: those that a
 * person names, and those that NativeStor made, which its last status tells. Pure.
 *
 * @param asked what a person asks for
 * @param reported the status of the nodes before this pass
 */
record Adoption(AdoptionRequest asked, List<NodeStorageState> reported) {
    Adoption {
        reported = List.copyOf(reported);
    }

    /**
     * Returns what is wanted with what may be taken over for it. The status is evidence only until
     * there is an LVMVolumeGroup: that keeps it from then on, since our own status takes the place
     * of NativeStor's, and loses it node by node when it has served.
     *
     * @param present its LVMVolumeGroup, if there is one
     * @param serving nodes that have the volume group as ours
     */
    WantedGroup of(WantedGroup wanted, Optional<LvmVolumeGroup> present, Set<String> serving) {
        var nodes =
                present
                        .map(group -> group.spec().listing().adoptOn())
                        .orElseGet(() -> reportedOf(wanted))
                        .stream()
                        .filter(node -> !serving.contains(node))
                        .toList();
        return wanted.adopting(asked.names(wanted.volumeGroup()), nodes);
    }

    private List<String> reportedOf(WantedGroup wanted) {
        return reported.stream()
                .filter(state -> wanted.on(state.node()) && has(state, wanted))
                .map(NodeStorageState::node)
                .toList();
    }

    /** Whether the class is there on the node, with this volume group. */
    static boolean has(NodeStorageState state, WantedGroup wanted) {
        return state.successClasses().stream()
                .anyMatch(
                        c ->
                                c.className().equals(wanted.deviceClass())
                                        && c.vgName().equals(wanted.volumeGroup()));
    }
}
