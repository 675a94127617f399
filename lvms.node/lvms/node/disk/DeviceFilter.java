package lvms.node.disk;

import lvms.node.disk.DeviceVerdict.Kind;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides which devices a volume group may take. A device has to pass every filter; each filter it
 * fails gives one reason.
 *
 * @param volumeGroup name of the volume group
 * @param selection the device selector
 * @param inventory every physical volume, of any volume group
 * @param claims which class a contested device belongs to
 */
public record DeviceFilter(
        String volumeGroup, DeviceSelection selection, Inventory inventory, DeviceClaims claims) {
    /** LVM itself ignores smaller devices: {@code devices/pv_min_size} of lvm.conf(5). */
    static final long MINIMUM_BYTES = 2048L << 10;

    private static final int USES = 2;
    private static final List<String> RESERVED_LABELS = List.of("bios", "boot", "reserved");

    /** Judges every device of the inventory. */
    public List<DeviceVerdict> judge() {
        return inventory.devices().stream().map(this::judge).toList();
    }

    DeviceVerdict judge(NodeDevice device) {
        if (inventory.pvs().stream().anyMatch(pv -> pv.isOn(device) && pv.isIn(volumeGroup))) {
            return new DeviceVerdict(device, Kind.MEMBER, List.of());
        }
        if (device.type().equals("lvm")) {
            return new DeviceVerdict(device, Kind.LOGICAL_VOLUME, List.of());
        }
        var reasons = new ArrayList<String>();
        notSelected(device).ifPresent(reasons::add);
        claimedByAnother(device).ifPresent(reasons::add);
        readOnly(device).ifPresent(reasons::add);
        suspended(device).ifPresent(reasons::add);
        reservedPartition(device).ifPresent(reasons::add);
        occupied(device).ifPresent(reasons::add);
        partitioned(device).ifPresent(reasons::add);
        hasChildren(device).ifPresent(reasons::add);
        unusableType(device).ifPresent(reasons::add);
        tooSmall(device).ifPresent(reasons::add);
        reasons.addAll(inUse(device));
        return new DeviceVerdict(
                device, reasons.isEmpty() ? Kind.AVAILABLE : Kind.EXCLUDED, reasons);
    }

    private Optional<String> notSelected(NodeDevice device) {
        return reasonIf(
                selection.explicit() && !selection.names(device.kernelName()),
                device.name() + " is not part of the device selector");
    }

    private Optional<String> claimedByAnother(NodeDevice device) {
        return claims.ownerOf(device.kernelName())
                .filter(owner -> !owner.equals(volumeGroup))
                .map(owner -> device.name() + " is claimed by device class " + quoted(owner));
    }

    private static Optional<String> readOnly(NodeDevice device) {
        return reasonIf(device.readOnly(), device.name() + " cannot be read-only");
    }

    private static Optional<String> suspended(NodeDevice device) {
        return reasonIf(device.suspended(), device.name() + " cannot be in state \"suspended\"");
    }

    private static Optional<String> reservedPartition(NodeDevice device) {
        return device.partitionLabel()
                .filter(DeviceFilter::isReserved)
                .map(label -> device.name() + " has a reserved partition label " + quoted(label));
    }

    private static boolean isReserved(String label) {
        var lower = label.toLowerCase(Locale.ROOT);
        return RESERVED_LABELS.stream().anyMatch(lower::contains);
    }

    /**
     * A filesystem, a RAID or LUKS member, someone else's physical volume, or unreadable content.
     */
    private Optional<String> occupied(NodeDevice device) {
        if (device.probeFailure().isPresent()) {
            return device.probeFailure()
                    .map(failure -> device.name() + " could not be examined: " + failure);
        }
        if (device.isLvmMember()) {
            return foreignPv(device);
        }
        return device.signature()
                .map(found -> device.name() + " has a filesystem signature " + quoted(found));
    }

    private Optional<String> foreignPv(NodeDevice device) {
        var known = inventory.pvs().stream().filter(pv -> pv.isOn(device)).findFirst();
        if (known.isPresent()) {
            var owner = known.get().pv().vgName();
            return reasonIf(
                    !owner.isEmpty(),
                    device.name() + " is a physical volume of volume group " + quoted(owner));
        }
        // A name that leads nowhere could be this device, so nothing proves that the label is
        // stale.
        return inventory.pvs().stream()
                .filter(pv -> pv.kernelName().isEmpty() && !pv.pv().missing())
                .map(pv -> device.name() + " may be physical volume " + pv.pv().device())
                .findFirst()
                .or(() -> unlisted(device));
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

    /** An empty table counts too: LVM would ask before it overwrites it. */
    private static Optional<String> partitioned(NodeDevice device) {
        return device.partitionTable()
                .map(table -> device.name() + " has a partition table " + quoted(table));
    }

    private static Optional<String> hasChildren(NodeDevice device) {
        return reasonIf(
                !device.children().isEmpty(),
                device.name()
                        + " has children block devices: "
                        + String.join(", ", device.children()));
    }

    private static Optional<String> unusableType(NodeDevice device) {
        if (device.type().equals("rom")) {
            return Optional.of(device.name() + " has device type \"rom\"");
        }
        return device.backingFile()
                .filter(
                        file ->
                                device.type().equals("loop")
                                        && file.contains("plugins/kubernetes.io"))
                .map(file -> device.name() + " is a loop device of Kubernetes: " + file);
    }

    private static Optional<String> tooSmall(NodeDevice device) {
        return reasonIf(
                device.sizeBytes() < MINIMUM_BYTES,
                device.name() + " is too small: " + device.sizeBytes() + " bytes");
    }

    /** The system disk of a node is mounted in every container: a few places say enough. */
    private static List<String> inUse(NodeDevice device) {
        var reasons =
                device.uses().stream()
                        .sorted(Comparator.comparingInt(String::length))
                        .limit(USES)
                        .map(use -> device.name() + " is in use: " + use)
                        .collect(Collectors.toCollection(ArrayList::new));
        int more = device.uses().size() - USES;
        if (more > 0) {
            reasons.add(device.name() + " is in use at " + more + " more places");
        }
        return reasons;
    }

    private static Optional<String> reasonIf(boolean rejected, String reason) {
        return rejected ? Optional.of(reason) : Optional.empty();
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
