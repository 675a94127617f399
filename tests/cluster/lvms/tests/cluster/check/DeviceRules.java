package lvms.tests.cluster.check;

import static lvms.tests.cluster.check.Disagreement.Kind.LEAKED;
import static lvms.tests.cluster.check.Disagreement.Kind.UNFINISHED;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Each device of LVM belongs to a logical volume that exists, and none is suspended. */
final class DeviceRules {
    /** {@code LVM-}, then the UUIDs of the group and of the volume, each without its dashes. */
    private static final String PREFIX = "LVM-";

    private static final int UUID_LENGTH = 32;

    private DeviceRules() {}

    static List<Disagreement> check(List<NodeView> nodes) {
        return nodes.stream().flatMap(node -> check(node).stream()).toList();
    }

    private static List<Disagreement> check(NodeView node) {
        var found = new ArrayList<Disagreement>();
        var known = node.volumes().stream().map(v -> plain(v.uuid())).collect(Collectors.toSet());
        for (var device : node.devices()) {
            if (device.suspended()) {
                var text = "device " + device.name() + " is suspended";
                found.add(new Disagreement(UNFINISHED, node.node(), text));
            }
            if (orphan(device.uuid(), known)) {
                var text = "device " + device.name() + " has no logical volume";
                found.add(new Disagreement(LEAKED, node.node(), text));
            }
        }
        return found;
    }

    private static boolean orphan(String uuid, Set<String> known) {
        int end = PREFIX.length() + 2 * UUID_LENGTH;
        return uuid.startsWith(PREFIX)
                && uuid.length() >= end
                && !known.contains(uuid.substring(PREFIX.length() + UUID_LENGTH, end));
    }

    private static String plain(String uuid) {
        return uuid.replace("-", "");
    }
}
