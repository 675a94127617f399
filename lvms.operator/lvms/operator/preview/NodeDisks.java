package lvms.operator.preview;

import lvms.api.disk.Disk;
import lvms.k8s.object.KubeObject;

import java.util.List;
import java.util.Optional;

/**
 * A node with its disks.
 *
 * @param node the Node
 * @param disks its disks; empty if nobody has looked
 */
public record NodeDisks(KubeObject node, Optional<List<Disk>> disks) {
    public NodeDisks {
        disks = disks.map(List::copyOf);
    }

    /** Returns the same node; with these disks, if nobody had looked. */
    public NodeDisks or(Optional<List<Disk>> found) {
        return new NodeDisks(node, disks.or(() -> found));
    }
}
