package lvms.node.deviceclass;

import lvms.api.DeviceSelector;
import lvms.api.EffectiveDiscovery;
import lvms.api.LvmVolumeGroup;
import lvms.api.VolumeGroupTemplate;

import java.util.Optional;

/**
 * What an LVMVolumeGroup asks of this node.
 *
 * @param name name of the device class and of its volume group
 * @param isDefault whether volumes without a class go here
 * @param group what the volume group has to be
 */
public record VolumeGroupGoal(String name, boolean isDefault, VolumeGroupTemplate group) {
    public static VolumeGroupGoal of(LvmVolumeGroup object) {
        var spec = object.spec();
        return new VolumeGroupGoal(object.name(), spec.isDefault(), spec.group());
    }

    /** Returns which devices it takes. */
    public EffectiveDiscovery discovery() {
        return group.effectiveDiscovery();
    }

    /** Returns whether the user wants the named devices wiped before their first use. */
    public boolean forceWipe() {
        return group.deviceSelector().flatMap(DeviceSelector::forceWipe).orElse(false);
    }

    /** Returns its thin pool; empty for thick provisioning. */
    public Optional<PoolGoal> pool() {
        return group.thinPool().map(PoolGoal::new);
    }

    public Optional<RaidGoal> raid() {
        return group.raid().map(RaidGoal::new);
    }

    /** Returns how volumes are erased; in a thin pool, that it has to zero new blocks. */
    public ErasurePolicy erasure() {
        return ErasurePolicy.of(group.effectiveErasure());
    }
}
