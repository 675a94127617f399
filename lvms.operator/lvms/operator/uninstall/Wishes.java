package lvms.operator.uninstall;

import java.util.Set;

/**
 * What whoever uninstalls has said.
 *
 * @param disks what is to become of the disks
 * @param volumes volumes that go although a claim holds them or they are retained: names of
 *     PersistentVolumes, or of LogicalVolumes without one
 * @param lostNodes nodes that do not come back; their disks stay as they are
 */
public record Wishes(Disks disks, Set<String> volumes, Set<String> lostNodes) {
    /** What becomes of the disks. */
    public enum Disks {
        /** The node agents remove volume groups and labels. */
        BLANK,
        /** Volume groups stay with all that is in them; only objects of the cluster go. */
        KEEP
    }

    public Wishes {
        volumes = Set.copyOf(volumes);
        lostNodes = Set.copyOf(lostNodes);
    }

    boolean keep() {
        return disks == Disks.KEEP;
    }

    /**
     * Returns whether a pod is on a node that does not come back: nobody says that it has ended.
     */
    boolean lost(Item pod) {
        return lostNodes.contains(pod.object().text("spec", "nodeName").orElse(""));
    }
}
