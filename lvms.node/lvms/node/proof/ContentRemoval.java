package lvms.node.proof;

import lvms.lvm2.LvName;

/**
 * What is known of a volume whose content is about to be erased.
 *
 * @param volume the volume, read from LVM right before
 * @param neverHandedOut whether its tag says that nobody has been given it yet
 * @param removed whether its name and its tag both say that it was removed
 * @param users how often its device is open
 */
public record ContentRemoval(LvName volume, boolean neverHandedOut, boolean removed, int users) {}
