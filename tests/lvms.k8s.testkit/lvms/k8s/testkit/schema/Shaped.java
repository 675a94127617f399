package lvms.k8s.testkit.schema;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.Objects;
import java.util.Optional;

/** Finds the old value: fields by name, members of map lists by their keys. */
final class Shaped {
    private Shaped() {}

    static Schema field(Schema schema, String name) {
        return schema == null ? null : schema.field(name).orElse(null);
    }

    /** The old self of a list member; only members of map lists have one. */
    static Optional<JsonElement> oldMember(
            Schema list, Optional<JsonElement> old, JsonElement member) {
        boolean map = list != null && list.listType == Schema.ListType.MAP;
        if (!map || old.isEmpty() || !(old.get() instanceof JsonArray array)) {
            return Optional.empty();
        }
        for (var candidate : array) {
            if (sameKeys(list, candidate, member)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    static boolean sameKeys(Schema list, JsonElement a, JsonElement b) {
        return a instanceof JsonObject x
                && b instanceof JsonObject y
                && list.mapKeys.stream().allMatch(key -> Objects.equals(x.get(key), y.get(key)));
    }
}
