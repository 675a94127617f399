package lvms.node.vgmanager;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.api.VolumeGroupStatus;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
        owners.add(ownerReference(group));
        return patch(current, entries, owners);
    }

    /** Returns the patch that removes the entry and the owner reference to its group. */
    static Optional<MergePatch> remove(KubeObject current, String name, KubeObject group) {
        return patch(
                current,
                without(current.objects("spec", "nodeStatus"), name),
                withoutOwner(current, group));
    }

    private static Optional<MergePatch> patch(
            KubeObject current, List<JsonObject> entries, List<JsonObject> owners) {
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

    private static boolean sameOwners(KubeObject current, List<JsonObject> owners) {
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

    private static List<JsonObject> without(List<JsonObject> entries, String name) {
        var rest = new ArrayList<>(entries);
        rest.removeIf(entry -> hasName(entry, name));
        return rest;
    }

    private static boolean hasName(JsonObject entry, String name) {
        return entry.has("name") && entry.get("name").getAsString().equals(name);
    }

    private static List<JsonObject> withoutOwner(KubeObject current, KubeObject group) {
        var rest = new ArrayList<>(current.objects("metadata", OWNERS));
        rest.removeIf(
                owner ->
                        owner.get("kind").getAsString().equals(group.kind())
                                && owner.get("name").getAsString().equals(group.name()));
        return rest;
    }

    private static JsonObject ownerReference(KubeObject group) {
        var owner = new JsonObject();
        owner.addProperty("apiVersion", group.apiVersion());
        owner.addProperty("kind", group.kind());
        owner.addProperty("name", group.name());
        owner.addProperty("uid", group.uid());
        return owner;
    }

    private static JsonArray array(List<JsonObject> values) {
        var array = new JsonArray();
        values.forEach((JsonElement value) -> array.add(value));
        return array;
    }
}
