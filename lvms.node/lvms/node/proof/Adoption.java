package lvms.node.proof;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;

import java.util.Optional;

/**
 * What is known of a logical volume that an object is to get back.
 *
 * @param object name of the LogicalVolume
 * @param volume the logical volume
 * @param there what the last report says of it; empty if it was made after that report
 * @param holder name of another LogicalVolume that has it
 */
public record Adoption(
        String object, LvName volume, Optional<LogicalVolume> there, Optional<String> holder) {}
