package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroup;
import lvms.api.listing.GroupListing;
import lvms.api.listing.LoopDevice;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A volume group that a TopolvmCluster asks for, on one node or on all.
 *
 * @param name name of its LVMVolumeGroup
 * @param node the node; empty for all
 * @param spec what the LVMVolumeGroup says
 */
record WantedGroup(String name, Optional<String> node, LvmVolumeGroup.Spec spec) {
    WantedGroup {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(spec, "spec");
    }

    /** Returns what an LVMVolumeGroup that is there was made for. */
    static WantedGroup of(LvmVolumeGroup present) {
        return new WantedGroup(present.name(), GroupChanges.node(present), present.spec());
    }

    /** Makes one whose LVMVolumeGroup has the usual name. */
    static WantedGroup of(Optional<String> node, LvmVolumeGroup.Spec spec) {
        var deviceClass = spec.listing().deviceClassName().orElseThrow();
        return new WantedGroup(GroupObjectName.of(deviceClass, node), node, spec);
    }

    String deviceClass() {
        return spec.listing().deviceClassName().orElse(name);
    }

    String volumeGroup() {
        return spec.listing().volumeGroupName().orElse(name);
    }

    /** Returns the same, but for where a volume group that is not ours yet may be taken over. */
    WantedGroup adopting(boolean everywhere, List<String> nodes) {
        return with(spec.listing().adopting(everywhere, nodes));
    }

    List<LoopDevice> loops() {
        return spec.listing().loops();
    }

    WantedGroup withLoops(List<LoopDevice> loops) {
        return with(spec.listing().withLoops(loops));
    }

    private WantedGroup with(GroupListing listing) {
        return new WantedGroup(
                name, node, new LvmVolumeGroup.Spec(spec.isDefault(), spec.group(), listing));
    }

    /** Returns whether this is its LVMVolumeGroup. */
    boolean isMadeAs(LvmVolumeGroup group) {
        return group.name().equals(name);
    }

    boolean on(String someNode) {
        return node.isEmpty() || node.get().equals(someNode);
    }
}
