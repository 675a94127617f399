package lvms.node.proof;

import java.util.Optional;

/**
 * What is known of a file behind a loop device whose volume group is gone.
 *
 * @param file its path on the host; the name says that this node made it for that group
 * @param disk what a last look at its device found, as if the disk was to be taken; empty if no
 *     device has the file
 */
public record LoopFileRemoval(String file, Optional<DiskTaking> disk) {}
