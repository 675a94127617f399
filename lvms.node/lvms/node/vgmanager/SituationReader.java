package lvms.node.vgmanager;

import lvms.api.DeviceSelector;
import lvms.api.LvmVolumeGroup;
import lvms.api.disk.ClassChoice;
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
 * @param loops the loop devices that a group asks for
 * @param deviceMapper whether volumes can be active on this machine
 * @param node name of this node
 */
record SituationReader(
        Host host,
        Lvm lvm,
        InventoryReader inventory,
        Loops loops,
        boolean deviceMapper,
        String node) {
    /** Finds the loop devices that a group asks for. */
    interface Loops {
        List<SelectedPath> of(LvmVolumeGroup group) throws IOException;
    }

    /** Reads groups that ask for no loop devices. */
    SituationReader(
            Host host, Lvm lvm, InventoryReader inventory, boolean deviceMapper, String node) {
        this(host, lvm, inventory, _ -> List.of(), deviceMapper, node);
    }

    /**
     * One reading.
     *
     * @param situation for the decision
     * @param inventory what it was made from
     * @param choice what the class itself has against a device
     */
    record Reading(Situation situation, Inventory inventory, ClassChoice choice) {}

    /**
     * Reads the situation of one group.
     *
     * @param contenders every group of this node that is not being deleted
     */
    Reading read(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, InterruptedException {
        var goal = VolumeGroupGoal.of(group).on(node);
        var found = inventory.read();
        var selection = selectionOf(group);
        var choice =
                new ClassChoice(
                        goal.deviceClass(),
                        selection,
                        claims(contenders, found),
                        goal.listing().minimumDeviceSize());
        var judged = new DeviceFilter(goal.volumeGroup(), choice, found).judge();
        boolean exists = found.hasOurs(goal.volumeGroup());
        var situation =
                new Situation(
                        goal,
                        selection,
                        withoutData(
                                selection, DiscoveryPolicy.apply(goal.discovery(), exists, judged)),
                        found.groupsNamed(goal.volumeGroup()),
                        found.pvs(),
                        pool(goal, found),
                        deviceMapper);
        return new Reading(situation, found, choice);
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
        return goal.pool().isPresent() && found.hasOurs(goal.volumeGroup())
                ? lvm.pools().find(new LvName(goal.volumeGroup(), goal.pool().get().name()))
                : Optional.empty();
    }

    DeviceClaims claims(Collection<LvmVolumeGroup> contenders, Inventory found) throws IOException {
        var claimants = new ArrayList<DeviceClaims.Claimant>();
        for (var group : contenders) {
            var policy = VolumeGroupGoal.of(group).discovery();
            claimants.add(
                    new DeviceClaims.Claimant(
                            group.deviceClass(),
                            group.object().creationTimestamp().orElse(Instant.EPOCH),
                            selectionOf(group),
                            policy.takesNewDevices(found.hasOurs(group.volumeGroup()))));
        }
        return DeviceClaims.of(
                claimants, found.devices().stream().map(NodeDevice::kernelName).toList());
    }

    private DeviceSelection selectionOf(LvmVolumeGroup group) throws IOException {
        var selector = group.spec().group().deviceSelector();
        var optional =
                new ArrayList<>(
                        resolved(selector.map(DeviceSelector::optionalPaths).orElse(List.of())));
        optional.addAll(loops.of(group));
        return new DeviceSelection(
                resolved(selector.map(DeviceSelector::paths).orElse(List.of())),
                optional,
                VolumeGroupGoal.of(group).isList()
                        || selector.filter(s -> !s.isEmpty()).isPresent());
    }

    private List<SelectedPath> resolved(List<String> paths) throws IOException {
        var resolved = new ArrayList<SelectedPath>();
        for (var path : paths) {
            resolved.add(resolved(host, path));
        }
        return resolved;
    }

    /** The webhook requires /dev/ too, but an object may bypass it. */
    static SelectedPath resolved(Host host, String path) throws IOException {
        try {
            return new SelectedPath(
                    path,
                    path.startsWith("/dev/") ? host.kernelName(Path.of(path)) : Optional.empty());
        } catch (InvalidPathException e) {
            // such as a NUL character: no device can have that name
            return new SelectedPath(path, Optional.empty());
        }
    }
}
