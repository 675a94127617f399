package lvms.operator.unit;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.api.Names;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.object.Json;
import lvms.k8s.object.KubeObject;

import java.util.Optional;
import java.util.Set;

/**
 * Makes the fields that a predecessor wrote our own, so that an apply also removes those that we do
 * not ask for: its volumes would keep our pods from starting.
 *
 * <p>Only for objects that nobody else writes under the predecessor's name. An LVMVolumeGroup is
 * none: the predecessor's agent kept finalizers and the record of wiped devices there.
 */
final class FieldTakeover {
    private static final Set<String> PREDECESSORS =
            Set.of("lvms", "lvm-operator", "manager", "topolvm-operator");

    private FieldTakeover() {}

    /** Returns a JSON patch that hands the fields over, empty if there is nothing to hand over. */
    static Optional<JsonPatch> patch(KubeObject object) {
        var fields = new JsonArray();
        boolean found = false;
        for (var entry : object.objects("metadata", "managedFields")) {
            if (isOurs(entry)) {
                return Optional.empty();
            }
            if (isPredecessor(entry) && !found) {
                found = true;
                entry.addProperty("manager", Names.OPERATOR);
                entry.addProperty("operation", "Apply");
            }
            fields.add(entry);
        }
        return found ? Optional.of(patch(object.resourceVersion(), fields)) : Optional.empty();
    }

    private static boolean isOurs(JsonObject entry) {
        return text(entry, "manager").equals(Names.OPERATOR)
                && text(entry, "operation").equals("Apply");
    }

    private static boolean isPredecessor(JsonObject entry) {
        return PREDECESSORS.contains(text(entry, "manager"))
                && text(entry, "operation").equals("Update")
                && text(entry, "subresource").isEmpty();
    }

    private static String text(JsonObject entry, String name) {
        return Json.text(entry.get(name)).orElse("");
    }

    private static JsonPatch patch(String resourceVersion, JsonArray fields) {
        // Not a test operation: the server answers a conflict for another version by itself.
        return JsonPatch.create()
                .replace(fields, "metadata", "managedFields")
                .replace(resourceVersion, "metadata", "resourceVersion");
    }
}
