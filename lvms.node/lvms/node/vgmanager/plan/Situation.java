package lvms.node.vgmanager.plan;

import lvms.api.Names;
import lvms.api.disk.DeviceSelection;
import lvms.lvm2.ThinPool;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;

import java.util.List;
import java.util.Optional;

/**
 * All that a decision about one volume group depends on, read before the decision.
 *
 * @param goal what the user wants
 * @param selection the device selector, resolved
 * @param verdicts every device of the node, after the discovery policy
 * @param groups every volume group of that name, ours or not
 * @param pvs every physical volume of the node
 * @param pool the class' thin pool, if it exists and is a thin pool
 * @param deviceMapper whether volumes can be active at all on this machine
 */
public record Situation(
        VolumeGroupGoal goal,
        DeviceSelection selection,
        List<DeviceVerdict> verdicts,
        List<VolumeGroupReport> groups,
        List<KnownPv> pvs,
        Optional<ThinPool> pool,
        boolean deviceMapper) {
    public Situation {
        verdicts = List.copyOf(verdicts);
        groups = List.copyOf(groups);
        pvs = List.copyOf(pvs);
    }

    /**
     * Returns whether the class takes a disk only if nothing seems to be on it: nobody named it.
     * What LVM's own label leaves was judged before.
     */
    public boolean mustBeEmpty(NodeDevice device) {
        return !selection.explicit() && !device.isLvmMember();
    }

    /** The volume group if it proves to be ours: the one of that name, with our tag. */
    public Optional<VolumeGroupReport> ours() {
        return groups.size() == 1
                        && groups.getFirst().group().tags().contains(Names.VOLUME_GROUP_TAG)
                ? Optional.of(groups.getFirst())
                : Optional.empty();
    }

    /** Returns whether somebody has volumes in our group, so that its class was served before. */
    public boolean holdsVolumes() {
        return ours().stream()
                .flatMap(report -> report.logicalVolumes().stream())
                .anyMatch(volume -> !PoolPlan.isPool(volume));
    }

    public List<KnownPv> members() {
        return pvs.stream().filter(pv -> pv.isIn(goal.volumeGroup())).toList();
    }

    /** Returns whether the class names devices, and this one of its group is none of them. */
    public boolean isSurplus(KnownPv pv) {
        return selection.explicit() && pv.kernelName().filter(selection::names).isEmpty();
    }

    /** The same without judging devices: a group that goes away takes none. */
    public Situation withoutVerdicts() {
        return new Situation(goal, selection, List.of(), groups, pvs, pool, deviceMapper);
    }

    List<NodeDevice> available() {
        return verdicts.stream()
                .filter(DeviceVerdict::available)
                .map(DeviceVerdict::device)
                .toList();
    }
}
