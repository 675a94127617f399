package lvms.node.disk;

import java.util.Optional;

/**
 * What the labels on the devices say, without asking LVM.
 *
 * @param inventory devices and labels; nothing in it comes from LVM
 */
public record DiskLabels(Inventory inventory) implements PvLabels {
    @Override
    public Optional<String> objection(NodeDevice device) {
        return group(device)
                .map(
                        name ->
                                "%s is a physical volume of volume group \"%s\""
                                        .formatted(device.name(), name))
                .or(() -> unreadable(device));
    }

    private Optional<String> unreadable(NodeDevice device) {
        return inventory
                .unlisted(device)
                .flatMap(UnlistedPv::failure)
                .map(why -> device.name() + " has a label of LVM that cannot be read: " + why);
    }

    @Override
    public Optional<String> group(NodeDevice device) {
        return inventory.unlisted(device).flatMap(UnlistedPv::group).map(group -> group.name());
    }
}
