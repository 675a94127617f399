package lvms.operator.unit;

import lvms.api.Names;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.Optional;
import java.util.Set;

/**
 * Makes the fields that a predecessor wrote our own, so that an apply also removes those that we do
 * not ask for, such as its volumes, which would keep our pods from starting.
 *
 * <p>Only for objects that nobody else writes under the predecessor's name. An LVMVolumeGroup is
 * not one of them: the predecessor's agent kept finalizers and the record of wiped devices there.
 */
final class FieldTakeover {
    private static final Set<String> PREDECESSORS =
            Set.of("lvms", "lvm-operator", "manager", "topolvm-operator");

    private FieldTakeover() {}

    /** Returns a JSON patch that hands the fields over, empty if there is nothing to hand over. */
    static Optional<JsonPatch> patch(KubeObject object) {
        var fields = ListTree.builder();
        boolean found = false;
        for (var entry : object.objects("metadata", "managedFields")) {
            if (isOurs(entry)) {
                return Optional.empty();
            }
            boolean handedOver = isPredecessor(entry) && !found;
            fields.add(handedOver ? ours(entry) : entry);
            found |= handedOver;
        }
        return found
                ? Optional.of(patch(object.resourceVersion(), fields.build()))
                : Optional.empty();
    }

    private static ObjectTree ours(ObjectTree entry) {
        return entry.toBuilder().put("manager", Names.OPERATOR).put("operation", "Apply").build();
    }

    private static boolean isOurs(ObjectTree entry) {
        return text(entry, "manager").equals(Names.OPERATOR)
                && text(entry, "operation").equals("Apply");
    }

    private static boolean isPredecessor(ObjectTree entry) {
        return PREDECESSORS.contains(text(entry, "manager"))
                && text(entry, "operation").equals("Update")
                && text(entry, "subresource").isEmpty();
    }

    private static String text(ObjectTree entry, String name) {
        return entry.text(name).orElse("");
    }

    private static JsonPatch patch(String resourceVersion, ListTree fields) {
        // Not a test operation: the server itself answers another version with a conflict.
        return JsonPatch.create()
                .replace(fields, "metadata", "managedFields")
                .replace(resourceVersion, "metadata", "resourceVersion");
    }
}
