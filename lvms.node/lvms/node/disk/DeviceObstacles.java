package lvms.node.disk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why a device is not free, whichever class asks. Each filter it fails gives one reason.
 *
 * @param labels who a device with LVM's label belongs to
 */
public record DeviceObstacles(PvLabels labels) {
    /** LVM itself ignores smaller devices: {@code devices/pv_min_size} of lvm.conf(5). */
    static final long MINIMUM_BYTES = 2048L << 10;

    private static final int USES = 2;
    private static final List<String> RESERVED_LABELS = List.of("bios", "boot", "reserved");

    /** Returns the reasons; none if the device is free. */
    public List<String> of(NodeDevice device) {
        return Stream.concat(itsOwn(device), inUse(device, USES).stream()).toList();
    }

    /** Returns the same, without what changes with every pod that comes or goes. */
    public List<String> lasting(NodeDevice device) {
        return Stream.concat(itsOwn(device), inUse(device, 1).stream().limit(1)).toList();
    }

    private Stream<String> itsOwn(NodeDevice device) {
        return Stream.of(
                        readOnly(device),
                        suspended(device),
                        reservedPartition(device),
                        occupied(device),
                        partitioned(device),
                        hasChildren(device),
                        unusableType(device),
                        tooSmall(device))
                .flatMap(Optional::stream);
    }

    private static Optional<String> readOnly(NodeDevice device) {
        return reasonIf(device.readOnly(), device.name() + " cannot be read-only");
    }

    private static Optional<String> suspended(NodeDevice device) {
        return reasonIf(device.suspended(), device.name() + " cannot be in state \"suspended\"");
    }

    private static Optional<String> reservedPartition(NodeDevice device) {
        return device.partitionLabel()
                .filter(DeviceObstacles::isReserved)
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
            return labels.objection(device);
        }
        return device.signature()
                .map(found -> device.name() + " has a filesystem signature " + quoted(found));
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
    private static List<String> inUse(NodeDevice device, int most) {
        var reasons =
                device.uses().stream()
                        .sorted(Comparator.comparingInt(String::length).thenComparing(use -> use))
                        .limit(most)
                        .map(use -> inUse(device, use))
                        .collect(Collectors.toCollection(ArrayList::new));
        int more = device.uses().size() - most;
        if (more > 0) {
            reasons.add(device.name() + " is in use at " + more + " more places");
        }
        return reasons;
    }

    private static String inUse(NodeDevice device, String use) {
        return use.equals(NodeDevice.SWAP)
                ? device.name() + " is used as swap"
                : device.name() + " is in use: " + use;
    }

    private static Optional<String> reasonIf(boolean rejected, String reason) {
        return rejected ? Optional.of(reason) : Optional.empty();
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
