package lvms.node.discovery;

import lvms.api.disk.DeviceClaims;
import lvms.node.disk.DeviceObstacles;
import lvms.node.disk.Inventory;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.ListedPvs;
import lvms.node.disk.NodeDevice;
import lvms.node.survey.DataMemory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which devices are listed, and why one is not free: by NativeStor's rules and in its words, and
 * for every reason for which no device class could take it.
 *
 * @param loops whether loop devices are listed
 * @param data looks for unknown data, once on each device
 */
public record Listing(boolean loops, DataMemory data) {
    /** An object in the API server has room for about this many. */
    private static final int MOST = 1000;

    private static final long MINIMUM_BYTES = 2L << 30;
    private static final Set<String> TYPES = Set.of("disk", "crypt", "mpath", "part");
    private static final String LOOP = "loop";

    /** Lists the devices in their order. */
    public List<ListedDevice> of(Inventory inventory, DeviceClaims claims) {
        var devices = InventoryReader.withoutVolumes(inventory.devices());
        data.keep(devices);
        var listed = new ArrayList<ListedDevice>();
        for (var device : devices) {
            if (listed.size() < MOST && isListed(device)) {
                listed.add(new ListedDevice(device, reasons(device, inventory, claims)));
            }
        }
        return listed;
    }

    private boolean isListed(NodeDevice device) {
        return TYPES.contains(device.type()) || loops && device.type().equals(LOOP);
    }

    private List<String> reasons(NodeDevice device, Inventory inventory, DeviceClaims claims) {
        var reasons = new ArrayList<>(inNativestorsWords(device));
        var obstacles = new DeviceObstacles(new ListedPvs(inventory, ""));
        reasons.addAll(obstacles.lasting(device.bare()));
        if (reasons.isEmpty()) {
            claims.ownerOf(device.kernelName())
                    .map(owner -> "is claimed by device class \"" + owner + '"')
                    .ifPresent(reasons::add);
        }
        if (reasons.isEmpty()) {
            unknownData(device, reasons);
        }
        return reasons;
    }

    /** The second word is theirs: scripts compare it. */
    private static List<String> inNativestorsWords(NodeDevice device) {
        var reasons = new ArrayList<String>();
        if (device.sizeBytes() < MINIMUM_BYTES) {
            reasons.add("size less than 2G");
        }
        device.signature().ifPresent(type -> reasons.add("containe a filesystem " + type));
        var mountPoint = mountPoint(device);
        if (!mountPoint.isEmpty()) {
            reasons.add("has a mount point " + mountPoint);
        }
        if (device.type().equals("disk") && !device.children().isEmpty()) {
            reasons.add("has child");
        }
        return reasons;
    }

    /** Returns the last part of the path where a device is mounted; empty if it is not. */
    static String mountPoint(NodeDevice device) {
        if (device.isSwap()) {
            return "[SWAP]";
        }
        return device.mountPoints().stream()
                .findFirst()
                .map(place -> place.equals("/") ? place : place.replaceAll(".*/", ""))
                .orElse("");
    }

    private void unknownData(NodeDevice device, List<String> reasons) {
        try {
            if (data.hasData(device)) {
                reasons.add(
                        "has data in its first or last MiB, though nothing that is known; if nobody"
                                + " needs it, clear the disk, for example with \"blkdiscard\"");
            }
        } catch (IOException e) {
            reasons.add("could not be examined: " + e.getMessage());
        }
    }
}
