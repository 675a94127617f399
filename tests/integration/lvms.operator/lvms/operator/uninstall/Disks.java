package lvms.operator.uninstall;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is on the disks of all nodes.
 *
 * @param volumes the node of each logical volume, by its name
 * @param groups volume groups, as {@code group@node}
 */
record Disks(Map<String, String> volumes, Set<String> groups) {
    static Disks blank() {
        return new Disks(new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
    }

    boolean areBlank() {
        return volumes.isEmpty() && groups.isEmpty();
    }
}
