package lvms.node.vgmanager.plan;

import lvms.node.disk.Inventory;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.UnlistedPv;
import lvms.node.proof.GroupWipe;
import lvms.node.proof.Proofs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A device and all that is on top of it, which can only be wiped together. What is below the device
 * is none of it: of an array or an encrypted device, the disks keep what they have.
 *
 * @param members children before what they are on, the device itself last
 * @param inventory devices and LVM
 */
public record WipeFamily(List<NodeDevice> members, Inventory inventory) {
    /** What can lie on a device and goes with it, for nobody has to take it down before. */
    private static final List<String> GO_ALONG = List.of("part", "lvm", "mpath");

    public WipeFamily {
        members = List.copyOf(members);
    }

    public static WipeFamily of(NodeDevice device, Inventory inventory) {
        var members = new ArrayList<NodeDevice>();
        gather(device, inventory, members);
        return new WipeFamily(members, inventory);
    }

    private static void gather(NodeDevice device, Inventory inventory, List<NodeDevice> members) {
        for (var child : device.children()) {
            inventory
                    .device("/dev/" + child)
                    .filter(found -> !members.contains(found))
                    .ifPresent(found -> gather(found, inventory, members));
        }
        members.add(device);
    }

    /**
     * Returns why none of it may be wiped; empty if all of it may.
     *
     * @param named names in LVM that the LogicalVolumes of this node give
     */
    public Optional<String> objection(Set<String> named) {
        return members.stream()
                .flatMap(member -> objectionTo(member).or(() -> valuable(member, named)).stream())
                .findFirst();
    }

    private Optional<String> objectionTo(NodeDevice device) {
        var use = device.uses().stream().min(Comparator.comparing(String::length));
        if (use.isPresent()) {
            return Optional.of(device.name() + " is in use: " + use.get());
        }
        if (device.readOnly() || device.suspended()) {
            return Optional.of(device.name() + " is read-only or suspended");
        }
        return typeObjection(device)
                .or(
                        () ->
                                device.probeFailure()
                                        .map(
                                                why ->
                                                        device.name()
                                                                + " could not be examined: "
                                                                + why));
    }

    /** Whoever names an array or an opened LUKS device means that, and not what is below. */
    private Optional<String> typeObjection(NodeDevice device) {
        if (device.equals(members.getLast())) {
            return device.type().equals("rom")
                    ? Optional.of(device.name() + " is an optical drive")
                    : Optional.empty();
        }
        return GO_ALONG.contains(device.type())
                ? Optional.empty()
                : Optional.of(
                        ("%s lies on it and has type \"%s\"; take it down first, or name it in the"
                                        + " deviceSelector instead")
                                .formatted(device.name(), device.type()));
    }

    /** What LVM says is asked first; of a disk that it does not list, the disk itself. */
    private Optional<String> valuable(NodeDevice device, Set<String> named) {
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
}
