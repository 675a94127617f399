package lvms.node.proof;

import lvms.lvm2.LvName;

import java.util.Optional;
import java.util.Set;

/**
 * What is known of the logical volume of a LogicalVolume that is being deleted.
 *
 * @param object name of the LogicalVolume
 * @param names names that its logical volume may have
 * @param found the logical volume; empty if there is none of these names
 * @param tags its tags; empty if it was made after the last report
 * @param holder name of another LogicalVolume that has it
 * @param typeInUse whether the type LogicalVolume is there to stay; deleting it deletes all objects
 *     at once, but that does not mean that their data may be deleted
 */
public record VolumeRemoval(
        String object,
        Set<String> names,
        Optional<LvName> found,
        Set<String> tags,
        Optional<String> holder,
        boolean typeInUse) {
    public VolumeRemoval {
        names = Set.copyOf(names);
        tags = Set.copyOf(tags);
    }
}
