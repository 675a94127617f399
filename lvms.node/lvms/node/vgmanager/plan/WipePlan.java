package lvms.node.vgmanager.plan;

import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.DeviceClaims;
import lvms.node.disk.DeviceSelection;
import lvms.node.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.Inventory;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.UnlistedPv;
import lvms.node.proof.GroupWipe;
import lvms.node.proof.Proofs;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Decides what to wipe before the first use of the named devices. Wiping needs four proofs: the
 * user asked for it and named the device; this node has not wiped or used devices for this volume
 * group before; nothing on the device is in use or belongs to something that has other parts
 * elsewhere; and no volume on it was ever handed out.
 *
 * @param goal the volume group
 * @param selection its device selector, resolved
 * @param inventory devices and LVM
 * @param claims which class a contested device belongs to
 * @param named names in LVM that the LogicalVolumes of this node give
 */
public record WipePlan(
        VolumeGroupGoal goal,
        DeviceSelection selection,
        Inventory inventory,
        DeviceClaims claims,
        Set<String> named) {
    /** What to do. */
    public sealed interface Outcome {
        /**
         * Deactivate these volume groups, wipe these devices in this order, then note that it is
         * done.
         *
         * @param groups volume groups that are wholly on the devices
         * @param devices partitions before their disk
         */
        record Wipe(Set<String> groups, List<NodeDevice> devices) implements Outcome {}

        /** Not now; the message says why. */
        record Refused(String message) implements Outcome {}
    }

    /** Decides; the caller has checked that this node has not wiped for this group before. */
    public Outcome decide() {
        var groups = new TreeSet<String>();
        var devices = new LinkedHashSet<NodeDevice>();
        for (var path : selection.required()) {
            var objection = collect(path, groups, devices);
            if (objection.isPresent()) {
                return new Outcome.Refused(objection.get());
            }
        }
        for (var path : selection.optional()) {
            var more = new TreeSet<String>();
            var found = new LinkedHashSet<NodeDevice>();
            if (collect(path, more, found).isEmpty()) {
                groups.addAll(more);
                devices.addAll(found);
            }
        }
        return straddling(groups, devices)
                .<Outcome>map(Outcome.Refused::new)
                .orElseGet(() -> new Outcome.Wipe(groups, List.copyOf(devices)));
    }

    private Optional<String> collect(
            SelectedPath path, Set<String> groups, Set<NodeDevice> devices) {
        var device = path.kernelName().flatMap(this::device);
        if (device.isEmpty()) {
            return refusal(path, "the device did not exist on the host");
        }
        var owner = claims.ownerOf(device.get().kernelName());
        if (owner.filter(name -> !name.equals(goal.name())).isPresent()) {
            return refusal(path, "it is claimed by device class \"" + owner.get() + '"');
        }
        var family = new ArrayList<NodeDevice>();
        gather(device.get(), family);
        for (var member : family) {
            var objection = objectionTo(member).or(() -> valuable(member));
            if (objection.isPresent()) {
                return refusal(path, objection.get());
            }
        }
        family.stream().filter(member -> !member.type().equals("lvm")).forEach(devices::add);
        inventory.pvs().stream()
                .filter(pv -> family.stream().anyMatch(pv::isOn) && !pv.pv().vgName().isEmpty())
                .forEach(pv -> groups.add(pv.pv().vgName()));
        return Optional.empty();
    }

    /** Children first. */
    private void gather(NodeDevice device, List<NodeDevice> family) {
        for (var child : device.children()) {
            device("/dev/" + child)
                    .filter(found -> !family.contains(found))
                    .ifPresent(found -> gather(found, family));
        }
        family.add(device);
    }

    private static Optional<String> objectionTo(NodeDevice device) {
        if (!device.uses().isEmpty()) {
            return Optional.of(device.name() + " is in use: " + String.join(", ", device.uses()));
        }
        if (device.readOnly() || device.suspended()) {
            return Optional.of(device.name() + " is read-only or suspended");
        }
        if (!List.of("disk", "part", "loop", "lvm", "mpath").contains(device.type())) {
            return Optional.of(
                    device.name() + " has type \"" + device.type() + "\"; take it down first");
        }
        return device.probeFailure().map(why -> device.name() + " could not be examined: " + why);
    }

    /** What LVM says is asked first; of a disk that it does not list, the disk itself. */
    private Optional<String> valuable(NodeDevice device) {
        var groups =
                inventory.pvs().stream()
                        .filter(pv -> pv.isOn(device))
                        .flatMap(pv -> inventory.groupsNamed(pv.pv().vgName()).stream())
                        .map(report -> GroupWipe.of(report, named));
        var unlisted = inventory.unlisted(device);
        return Stream.concat(
                        groups,
                        unlisted.flatMap(UnlistedPv::group).stream()
                                .map(text -> GroupWipe.of(text, named)))
                .flatMap(evidence -> Proofs.wipe(evidence).stream())
                .findFirst()
                .or(
                        () ->
                                unlisted.flatMap(UnlistedPv::failure)
                                        .map(
                                                why ->
                                                        "the physical volume on it cannot be read: "
                                                                + why));
    }

    private Optional<String> straddling(Set<String> groups, Set<NodeDevice> devices) {
        return inventory.pvs().stream()
                .filter(pv -> groups.contains(pv.pv().vgName()))
                .filter(pv -> devices.stream().noneMatch(pv::isOn))
                .map(
                        pv ->
                                ("cannot wipe: volume group \"%s\" also lies on %s, which is not"
                                                + " selected")
                                        .formatted(pv.pv().vgName(), pv.pv().device()))
                .findFirst();
    }

    private Optional<NodeDevice> device(String kernelName) {
        return inventory.devices().stream()
                .filter(device -> device.kernelName().equals(kernelName))
                .findFirst();
    }

    private static Optional<String> refusal(SelectedPath path, String why) {
        return Optional.of("cannot wipe device path \"%s\": %s".formatted(path.path(), why));
    }
}
