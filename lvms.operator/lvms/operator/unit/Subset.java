package lvms.operator.unit;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.k8s.object.Json;

/** Whether an object already has everything that an apply configuration asks for. */
final class Subset {
    private Subset() {}

    /**
     * Returns whether every value in {@code wanted} is in {@code present}.
     *
     * <p>Members that only {@code present} has are defaults of the server or belong to others.
     * Elements of lists are compared one by one, where the server may have added members too; the
     * exceptions are the lists of metadata, to which others add elements.
     */
    static boolean holds(JsonObject wanted, JsonObject present) {
        for (var member : wanted.entrySet()) {
            var other = present.get(member.getKey());
            var value = member.getValue();
            boolean found =
                    switch (member.getKey()) {
                        case "finalizers", "ownerReferences" -> containsAll(value, other);
                        default -> holds(value, other);
                    };
            if (!found) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(JsonElement wanted, JsonElement present) {
        if (present == null) {
            // The server drops empty lists and objects of some fields.
            return wanted instanceof JsonArray a && a.isEmpty()
                    || wanted instanceof JsonObject o && o.isEmpty();
        }
        if (wanted instanceof JsonObject w && present instanceof JsonObject p) {
            return holds(w, p);
        }
        if (wanted instanceof JsonArray w && present instanceof JsonArray p) {
            return sameElements(w, p);
        }
        return Json.same(wanted, present);
    }

    private static boolean sameElements(JsonArray wanted, JsonArray present) {
        if (wanted.size() != present.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!holds(wanted.get(i), present.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean containsAll(JsonElement wanted, JsonElement present) {
        if (!(present instanceof JsonArray elements)) {
            return wanted.getAsJsonArray().isEmpty();
        }
        for (var element : wanted.getAsJsonArray()) {
            if (elements.asList().stream().noneMatch(other -> holds(element, other))) {
                return false;
            }
        }
        return true;
    }
}
