package lvms.node.proof;

import lvms.lvm2.LvName;

/**
 * What is known of a logical volume that a client of lvmd wants removed.
 *
 * @param volume the logical volume that was found
 * @param deviceClass the class that the client named
 * @param classKnown whether this node has that class; without its group, a plain name may mean
 *     somebody else's volume
 * @param nameIsUid whether the name identifies one volume wherever it is
 * @param poolOfClass whether it is the thin pool of a device class
 */
public record NamedRemoval(
        LvName volume,
        String deviceClass,
        boolean classKnown,
        boolean nameIsUid,
        boolean poolOfClass) {}
