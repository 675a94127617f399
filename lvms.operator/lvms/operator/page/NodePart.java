package lvms.operator.page;

import java.util.List;
import java.util.Map;

/**
 * A node on the page.
 *
 * @param silence why its disks and pools are not shown; empty if they are
 * @param claims claim of a volume, by its name in LVM
 */
record NodePart(
        String name,
        String silence,
        List<DiskMap> disks,
        List<PoolFill> pools,
        Map<String, String> claims) {
    NodePart {
        disks = List.copyOf(disks);
        pools = List.copyOf(pools);
        claims = Map.copyOf(claims);
    }
}
