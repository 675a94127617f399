/**
 * Keeps a volume from showing what was on its extents before: volumes are zeroed before they are
 * handed out and where they grow, or erased when they are removed.
 *
 * <p>{@link lvms.node.erasure.Erasures} runs the long work in the background; whoever needs its
 * result asks again until it is done. What has to be done is written in LVM itself, as names and
 * tags ({@link lvms.node.erasure.Marks}), so a process that was killed goes on where it was told
 * to: {@link lvms.node.erasure.Quarantine} finds volumes that were removed and not yet erased.
 */
package lvms.node.erasure;
