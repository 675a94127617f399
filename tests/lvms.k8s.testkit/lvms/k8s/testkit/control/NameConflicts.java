package lvms.k8s.testkit.control;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Registry;

import java.util.Optional;

/** Finds names of a definition that another resource of its group already has. */
final class NameConflicts {
    /** Why the names cannot be accepted. */
    record Conflict(String reason, String message) {}

    private NameConflicts() {}

    static Optional<Conflict> find(Registry registry, JsonObject definition) {
        var group = Json.text(definition, "spec", "group");
        var names = Json.object(definition, "spec", "names").orElseThrow();
        var plural = Json.text(names, "plural");
        for (var other : registry.all()) {
            if (!other.group().equals(group) || other.plural().equals(plural)) {
                continue;
            }
            if (other.kind().equals(Json.text(names, "kind"))) {
                return Optional.of(conflict("KindConflict", Json.text(names, "kind")));
            }
            if (other.singular().equals(Json.text(names, "singular"))) {
                return Optional.of(conflict("SingularConflict", Json.text(names, "singular")));
            }
            if (other.listKind().equals(Json.text(names, "listKind"))) {
                return Optional.of(conflict("ListKindConflict", Json.text(names, "listKind")));
            }
            for (var shortName : Json.texts(names, "shortNames")) {
                if (other.shortNames().contains(shortName)) {
                    return Optional.of(conflict("ShortNamesConflict", shortName));
                }
            }
        }
        return Optional.empty();
    }

    private static Conflict conflict(String reason, String name) {
        return new Conflict(reason, "\"" + name + "\" is already in use");
    }
}
