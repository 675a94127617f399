package lvms.node.disk;

import java.util.Optional;

/**
 * What LVM lists, and for a device that it does not list, the label on it.
 *
 * @param inventory devices and LVM
 * @param volumeGroup the group that asks: a device that it gave up may come back; empty if none
 */
public record ListedPvs(Inventory inventory, String volumeGroup) implements PvLabels {
    @Override
    public Optional<String> objection(NodeDevice device) {
        var known = listed(device);
        if (known.isPresent()) {
            var owner = known.get().pv().vgName();
            return owner.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "%s is a physical volume of volume group \"%s\""
                                    .formatted(device.name(), owner));
        }
        // A name that leads nowhere could be this device, so nothing proves that the label is
        // stale.
        return inventory.pvs().stream()
                .filter(pv -> pv.kernelName().isEmpty() && !pv.pv().missing())
                .map(pv -> device.name() + " may be physical volume " + pv.pv().device())
                .findFirst()
                .or(() -> unlisted(device));
    }

    @Override
    public Optional<String> group(NodeDevice device) {
        return listed(device)
                .map(pv -> pv.pv().vgName())
                .or(() -> inventory.unlisted(device).flatMap(UnlistedPv::group).map(g -> g.name()))
                .filter(name -> !name.isEmpty());
    }

    private Optional<KnownPv> listed(NodeDevice device) {
        return inventory.pvs().stream().filter(pv -> pv.isOn(device)).findFirst();
    }

    /** LVM refuses a disk that it does not list, and with it all others of the same command. */
    private Optional<String> unlisted(NodeDevice device) {
        var pv = inventory.unlisted(device);
        if (pv.filter(p -> inventory.gaveUp(volumeGroup, p)).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                ("%s has the label of a physical volume%s that LVM does not list: its devices file"
                                + " hides it, or it belongs to another machine; if nobody needs it,"
                                + " remove the label with \"wipefs --all %s\"")
                        .formatted(
                                device.name(), pv.map(UnlistedPv::text).orElse(""), device.name()));
    }
}
