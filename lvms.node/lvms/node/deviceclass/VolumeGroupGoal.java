package lvms.node.deviceclass;

import lvms.api.DeviceSelector;
import lvms.api.EffectiveDiscovery;
import lvms.api.LvmVolumeGroup;

import java.util.Optional;

/**
 * What an LVMVolumeGroup asks of this node, with every default filled in.
 *
 * @param name name of the device class and of its volume group
 * @param isDefault whether volumes without a class go here
 * @param discovery which devices it takes
 * @param forceWipe whether the user wants the named devices wiped before their first use
 * @param pool its thin pool; empty for thick provisioning
 * @param raid its RAID layout
 */
public record VolumeGroupGoal(
        String name,
        boolean isDefault,
        EffectiveDiscovery discovery,
        boolean forceWipe,
        Optional<PoolGoal> pool,
        Optional<RaidGoal> raid) {
    public static VolumeGroupGoal of(LvmVolumeGroup group) {
        var spec = group.spec();
        return new VolumeGroupGoal(
                group.name(),
                spec.isDefault(),
                spec.effectiveDiscovery(),
                spec.deviceSelector().flatMap(DeviceSelector::forceWipe).orElse(false),
                spec.thinPool().map(PoolGoal::of),
                spec.raid().map(RaidGoal::new));
    }
}
