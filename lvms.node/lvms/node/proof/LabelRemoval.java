package lvms.node.proof;

import lvms.lvm2.PhysicalVolume;

import java.util.Set;

/**
 * What is known of a physical volume whose label is about to be removed.
 *
 * @param volume as LVM reports it now
 * @param retiring UUIDs of those that this agent was taking out of their group
 */
public record LabelRemoval(PhysicalVolume volume, Set<String> retiring) {
    public LabelRemoval {
        retiring = Set.copyOf(retiring);
    }
}
