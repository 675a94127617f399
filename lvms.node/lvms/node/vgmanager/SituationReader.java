package lvms.node.vgmanager;

import lvms.api.DeviceSelector;
import lvms.api.LvmVolumeGroup;
import lvms.api.disk.DeviceClaims;
import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.ThinPool;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.DeviceFilter;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.DiscoveryPolicy;
import lvms.node.disk.Host;
import lvms.node.disk.Inventory;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.NodeDevice;
import lvms.node.vgmanager.plan.Situation;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Reads what a decision about a volume group depends on.
 *
 * @param host block devices
 * @param lvm LVM
 * @param inventory cached inventory
 * @param deviceMapper whether volumes can be active on this machine
 */
record SituationReader(Host host, Lvm lvm, InventoryReader inventory, boolean deviceMapper) {
    /**
     * One reading.
     *
     * @param situation for the decision
     * @param inventory what it was made from
     * @param claims which class may have which device
     */
    record Reading(Situation situation, Inventory inventory, DeviceClaims claims) {}

    /**
     * Reads the situation of one group.
     *
     * @param contenders every group of this node that is not being deleted
     */
    Reading read(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, InterruptedException {
        var goal = VolumeGroupGoal.of(group);
        var found = inventory.read();
        var claims = claims(contenders, found);
        var selection = selectionOf(group);
        var judged = new DeviceFilter(goal.name(), selection, found, claims).judge();
        boolean exists = found.hasOurs(goal.name());
        var situation =
                new Situation(
                        goal,
                        selection,
                        withoutData(
                                selection, DiscoveryPolicy.apply(goal.discovery(), exists, judged)),
                        found.groupsNamed(goal.name()),
                        found.pvs(),
                        pool(goal, found),
                        deviceMapper);
        return new Reading(situation, found, claims);
    }

    /** Whoever names a disk knows what is on it; a disk that was found must be empty. */
    private List<DeviceVerdict> withoutData(DeviceSelection selection, List<DeviceVerdict> judged)
            throws IOException {
        if (selection.explicit()) {
            return judged;
        }
        var verdicts = new ArrayList<DeviceVerdict>();
        for (var v : judged) {
            boolean data = v.available() && !v.device().isLvmMember() && host.hasData(v.device());
            verdicts.add(data ? v.excludedForItsData() : v);
        }
        return verdicts;
    }

    private Optional<ThinPool> pool(VolumeGroupGoal goal, Inventory found)
            throws LvmException, InterruptedException {
        return goal.pool().isPresent() && found.hasOurs(goal.name())
                ? lvm.pools().find(new LvName(goal.name(), goal.pool().get().name()))
                : Optional.empty();
    }

    private DeviceClaims claims(Collection<LvmVolumeGroup> contenders, Inventory found)
            throws IOException {
        var claimants = new ArrayList<DeviceClaims.Claimant>();
        for (var group : contenders) {
            var policy = group.spec().group().effectiveDiscovery();
            claimants.add(
                    new DeviceClaims.Claimant(
                            group.name(),
                            group.object().creationTimestamp().orElse(Instant.EPOCH),
                            selectionOf(group),
                            policy.takesNewDevices(found.hasOurs(group.name()))));
        }
        return DeviceClaims.of(
                claimants, found.devices().stream().map(NodeDevice::kernelName).toList());
    }

    private DeviceSelection selectionOf(LvmVolumeGroup group) throws IOException {
        var selector = group.spec().group().deviceSelector();
        return new DeviceSelection(
                resolved(selector.map(DeviceSelector::paths).orElse(List.of())),
                resolved(selector.map(DeviceSelector::optionalPaths).orElse(List.of())));
    }

    private List<SelectedPath> resolved(List<String> paths) throws IOException {
        var resolved = new ArrayList<SelectedPath>();
        for (var path : paths) {
            resolved.add(new SelectedPath(path, resolve(path)));
        }
        return resolved;
    }

    /** The webhook requires /dev/ too, but an object may bypass it. */
    private Optional<String> resolve(String path) throws IOException {
        try {
            return path.startsWith("/dev/") ? host.kernelName(Path.of(path)) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty(); // such as a NUL character: no device can have that name
        }
    }
}
