package lvms.node.vgmanager.plan;

import lvms.api.disk.ClassChoice;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.Inventory;
import lvms.node.disk.NodeDevice;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides what to wipe before the first use of the named devices. Wiping needs four proofs: the
 * user asked for it and named the device; this node has not wiped or used devices for this volume
 * group before; nothing on the device is in use or belongs to something that has other parts
 * elsewhere; and no volume on it was ever handed out.
 *
 * @param choice which devices the class wants
 * @param inventory devices and LVM
 * @param named names in LVM that the LogicalVolumes of this node give
 */
public record WipePlan(ClassChoice choice, Inventory inventory, Set<String> named) {
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
        for (var path : choice.selection().required()) {
            var objection = collect(path, groups, devices);
            if (objection.isPresent()) {
                return new Outcome.Refused(objection.get());
            }
        }
        for (var path : choice.selection().optional()) {
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
        var device = path.kernelName().flatMap(inventory::device);
        if (device.isEmpty()) {
            return refusal(path, "the device did not exist on the host");
        }
        var owner = choice.claims().ownerOf(device.get().kernelName());
        if (owner.filter(name -> !name.equals(choice.deviceClass())).isPresent()) {
            return refusal(path, "it is claimed by device class \"" + owner.get() + '"');
        }
        var tooSmall = choice.tooSmall(device.get().name(), device.get().sizeBytes());
        if (tooSmall.isPresent()) {
            return refusal(path, tooSmall.get());
        }
        var family = WipeFamily.of(device.get(), inventory);
        var objection = family.objection(named);
        if (objection.isPresent()) {
            return refusal(path, objection.get());
        }
        var members = family.members();
        members.stream().filter(member -> !member.type().equals("lvm")).forEach(devices::add);
        inventory.pvs().stream()
                .filter(pv -> members.stream().anyMatch(pv::isOn) && !pv.pv().vgName().isEmpty())
                .forEach(pv -> groups.add(pv.pv().vgName()));
        return Optional.empty();
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

    private static Optional<String> refusal(SelectedPath path, String why) {
        return Optional.of("cannot wipe device path \"%s\": %s".formatted(path.path(), why));
    }
}
