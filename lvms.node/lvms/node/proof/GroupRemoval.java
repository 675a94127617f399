package lvms.node.proof;

import java.util.List;

/**
 * What is known of a volume group of ours whose LVMVolumeGroup is being deleted, or names no device
 * any more.
 *
 * @param group its name
 * @param volumes its volumes, without the thin pool of its class
 */
public record GroupRemoval(String group, List<String> volumes) {
    public GroupRemoval {
        volumes = List.copyOf(volumes);
    }
}
