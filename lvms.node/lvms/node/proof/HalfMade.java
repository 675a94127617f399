package lvms.node.proof;

import lvms.lvm2.LogicalVolume;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of a volume that is to be taken back because a later step failed. Its name was free
 * when the call began.
 *
 * @param there the volume that has the name now
 * @param made LVM's UUID of the volume that the call made; empty if the creation itself failed
 * @param tags the tags that the call gave
 * @param begun when the call began, in whole seconds
 */
public record HalfMade(
        LogicalVolume there, Optional<String> made, Set<String> tags, Instant begun) {
    public HalfMade {
        tags = Set.copyOf(tags);
    }
}
