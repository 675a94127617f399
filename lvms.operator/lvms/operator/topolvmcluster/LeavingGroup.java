package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroup;

import java.util.Objects;

/**
 * A volume group that nothing asks for any more.
 *
 * @param group its LVMVolumeGroup
 * @param obstacle what keeps it from going; empty if it is on its way out
 */
record LeavingGroup(LvmVolumeGroup group, String obstacle) {
    LeavingGroup {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(obstacle, "obstacle");
    }

    boolean on(String node) {
        return GroupChanges.node(group).map(node::equals).orElse(true);
    }
}
