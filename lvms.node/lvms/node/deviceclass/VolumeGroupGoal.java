package lvms.node.deviceclass;

import lvms.api.DeviceSelector;
import lvms.api.EffectiveDiscovery;
import lvms.api.LvmVolumeGroup;
import lvms.api.VolumeGroupTemplate;
import lvms.api.listing.GroupListing;
import lvms.api.listing.GroupNames;

import java.util.List;
import java.util.Optional;

/**
 * What an LVMVolumeGroup asks of this node.
 *
 * @param names the names of the LVMVolumeGroup, its class and its group
 * @param isDefault whether volumes without a class go here
 * @param group what the volume group has to be
 * @param listing what it says besides if its class was listed node by node
 */
public record VolumeGroupGoal(
        GroupNames names, boolean isDefault, VolumeGroupTemplate group, GroupListing listing) {
    public static VolumeGroupGoal of(LvmVolumeGroup object) {
        var spec = object.spec();
        return new VolumeGroupGoal(object.names(), spec.isDefault(), spec.group(), spec.listing());
    }

    /** Returns the same, where what is said of some nodes only is said of this one or of none. */
    public VolumeGroupGoal on(String node) {
        return new VolumeGroupGoal(
                names, isDefault, group, listing.adopting(listing.adoptsOn(node), List.of()));
    }

    /** Returns the name of the device class. */
    public String deviceClass() {
        return names.deviceClass();
    }

    /** Returns the name of the volume group in LVM. */
    public String volumeGroup() {
        return names.volumeGroup();
    }

    /** Returns which devices it takes. */
    public EffectiveDiscovery discovery() {
        return isList() ? EffectiveDiscovery.PRECONFIGURED : group.effectiveDiscovery();
    }

    /** Returns whether a selector without paths means no device, and not every one. */
    public boolean isList() {
        return listing.allowEmptying() || !listing.loops().isEmpty();
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
