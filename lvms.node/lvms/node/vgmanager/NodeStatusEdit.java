package lvms.node.vgmanager;

import lvms.api.Names;
import lvms.api.VolumeGroupStatus;
import lvms.api.disk.Disk;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes of this node's LVMVolumeGroupNodeStatus as merge patches. Each patch holds the resource
 * version it starts from, so that it cannot undo what somebody else wrote meanwhile; entries and
 * owners of others stay as they are.
 */
final class NodeStatusEdit {
    private static final String OWNERS = "ownerReferences";

    private NodeStatusEdit() {}

    /** Returns the patch that writes the entry; empty if it is there already. */
    static Optional<MergePatch> put(KubeObject current, VolumeGroupStatus entry, KubeObject group) {
        var entries = without(current.objects("spec", "nodeStatus"), entry.name());
        entries.add(positionOf(current, entry.name()), entry.json());
        var owners = withoutOwner(current, group);
        if (group.finalizers().contains(Names.nodeCleanupFinalizer(current.name()))) {
            owners.add(ownerReference(group)); // it goes before the finalizer does
        }
        return patch(current, entries, owners);
    }

    /** Returns the patch that removes the entry and the owner reference to its group. */
    static Optional<MergePatch> remove(KubeObject current, String name, KubeObject group) {
        return patch(
                current,
                without(current.objects("spec", "nodeStatus"), name),
                withoutOwner(current, group));
    }

    /**
     * Returns the patch that removes the entries without devices, but for those of these names;
     * empty if there are none.
     */
    static Optional<MergePatch> keep(KubeObject current, Set<String> names) {
        var entries = new ArrayList<>(current.objects("spec", "nodeStatus"));
        entries.removeIf(
                entry ->
                        entry.texts("devices").isEmpty()
                                && !names.contains(entry.text("name").orElse("")));
        return patch(current, entries, current.objects("metadata", OWNERS));
    }

    /** Returns the patch that writes the disks; empty if they are there already. */
    static Optional<MergePatch> disks(KubeObject current, List<Disk> disks) {
        var wanted = disks.stream().map(Disk::json).toList();
        return current.objects("spec", "disks").equals(wanted)
                ? Optional.empty()
                : Optional.of(
                        MergePatch.of(current).ifUnchanged().set(array(wanted), "spec", "disks"));
    }

    private static Optional<MergePatch> patch(
            KubeObject current, List<ObjectTree> entries, List<ObjectTree> owners) {
        boolean otherOwners = !sameOwners(current, owners);
        boolean otherEntries = !current.objects("spec", "nodeStatus").equals(entries);
        if (!otherOwners && !otherEntries) {
            return Optional.empty();
        }
        var patch = MergePatch.of(current).ifUnchanged();
        if (otherOwners) {
            patch = patch.set(array(owners), "metadata", OWNERS);
        }
        if (otherEntries) {
            patch = patch.set(array(entries), "spec", "nodeStatus");
        }
        return Optional.of(patch);
    }

    private static boolean sameOwners(KubeObject current, List<ObjectTree> owners) {
        var present = current.objects("metadata", OWNERS);
        return present.size() == owners.size() && present.containsAll(owners);
    }

    /** A new entry goes to the end. */
    private static int positionOf(KubeObject current, String name) {
        var entries = current.objects("spec", "nodeStatus");
        for (int i = 0; i < entries.size(); i++) {
            if (hasName(entries.get(i), name)) {
                return i;
            }
        }
        return entries.size();
    }

    private static List<ObjectTree> without(List<ObjectTree> entries, String name) {
        var rest = new ArrayList<>(entries);
        rest.removeIf(entry -> hasName(entry, name));
        return rest;
    }

    private static boolean hasName(ObjectTree entry, String name) {
        return entry.has("name") && entry.at("name").asText().equals(name);
    }

    private static List<ObjectTree> withoutOwner(KubeObject current, KubeObject group) {
        var rest = new ArrayList<>(current.objects("metadata", OWNERS));
        rest.removeIf(
                owner ->
                        owner.at("kind").asText().equals(group.kind())
                                && owner.at("name").asText().equals(group.name()));
        return rest;
    }

    private static ObjectTree ownerReference(KubeObject group) {
        var owner = ObjectTree.builder();
        owner.put("apiVersion", group.apiVersion());
        owner.put("kind", group.kind());
        owner.put("name", group.name());
        owner.put("uid", group.uid());
        return owner.build();
    }

    private static ListTree array(List<ObjectTree> values) {
        var array = ListTree.builder();
        values.forEach((Tree value) -> array.add(value));
        return array.build();
    }
}
