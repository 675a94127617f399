package lvms.k8s.testkit.fields;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;
import lvms.k8s.testkit.schema.Schema;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Who owns which fields of one object: {@code metadata.managedFields}. */
final class ManagedFields {
    static final String APPLY = "Apply";
    static final String UPDATE = "Update";
    private static final Set<String> UNTRACKED =
            Set.of(
                    "name",
                    "namespace",
                    "creationTimestamp",
                    "selfLink",
                    "uid",
                    "clusterName",
                    "generation",
                    "managedFields",
                    "resourceVersion",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds");

    /** What one manager owns through one way of writing. */
    record Entry(
            String manager,
            String operation,
            String apiVersion,
            String subresource,
            String time,
            FieldSet fields) {

        boolean sameOwner(Entry other) {
            boolean apply = operation.equals(APPLY);
            return manager.equals(other.manager)
                    && operation.equals(other.operation)
                    && subresource.equals(other.subresource)
                    && (apply || apiVersion.equals(other.apiVersion));
        }

        Entry with(FieldSet other) {
            return new Entry(manager, operation, apiVersion, subresource, time, other);
        }

        String described() {
            var text = "conflict with \"" + manager + "\"";
            if (!subresource.isEmpty()) {
                text += " with subresource \"" + subresource + "\"";
            }
            if (operation.equals(UPDATE)) {
                text += " using " + apiVersion;
            }
            return text;
        }
    }

    private static final Comparator<Entry> ORDER =
            Comparator.comparing(Entry::operation)
                    .thenComparing(Entry::time)
                    .thenComparing(Entry::manager)
                    .thenComparing(Entry::apiVersion)
                    .thenComparing(Entry::subresource);

    private final List<Entry> entries;

    private ManagedFields(List<Entry> entries) {
        this.entries = entries;
    }

    static ManagedFields of(JsonObject object) {
        var entries = new ArrayList<Entry>();
        for (var json : Json.objects(object, "metadata", "managedFields")) {
            entries.add(
                    new Entry(
                            Json.text(json, "manager"),
                            Json.text(json, "operation"),
                            Json.text(json, "apiVersion"),
                            Json.text(json, "subresource"),
                            Json.text(json, "time"),
                            FieldSet.parse(
                                    Json.object(json, "fieldsV1").orElseGet(JsonObject::new))));
        }
        return new ManagedFields(entries);
    }

    List<Entry> entries() {
        return entries;
    }

    /** The entry with this identity, or one without fields. */
    Entry find(Entry identity) {
        return entries.stream()
                .filter(identity::sameOwner)
                .findFirst()
                .orElse(identity.with(FieldSet.EMPTY));
    }

    /** The entries of everyone else. */
    List<Entry> others(Entry identity) {
        return entries.stream().filter(e -> !identity.sameOwner(e)).toList();
    }

    /** The same with other entries; those without fields are left out. */
    static ManagedFields ofEntries(List<Entry> entries) {
        return new ManagedFields(entries.stream().filter(e -> !e.fields().isEmpty()).toList());
    }

    /** Writes these entries into the object's metadata. */
    void writeTo(JsonObject object) {
        var metadata = Json.child(object, "metadata");
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
            return;
        }
        var array = new JsonArray();
        entries.stream().sorted(ORDER).forEach(entry -> array.add(json(entry)));
        metadata.add("managedFields", array);
    }

    private static JsonObject json(Entry entry) {
        var json =
                Json.of(
                        "manager", entry.manager(),
                        "operation", entry.operation(),
                        "apiVersion", entry.apiVersion(),
                        "time", entry.time(),
                        "fieldsType", "FieldsV1",
                        "fieldsV1", entry.fields().json());
        if (!entry.subresource().isEmpty()) {
            json.addProperty("subresource", entry.subresource());
        }
        return json;
    }

    /** An identity for a write at this moment. */
    static Entry identity(String manager, String operation, String apiVersion, String subresource) {
        var now = Scalars.time(Instant.now());
        return new Entry(manager, operation, apiVersion, subresource, now, FieldSet.EMPTY);
    }

    /** Leaves out the fields that have no owner. */
    static FieldSet tracked(FieldSet set) {
        return set.filter(
                path -> {
                    var steps = path.steps();
                    if (path.startsWith("f:apiVersion") || path.startsWith("f:kind")) {
                        return false;
                    }
                    if (!path.startsWith("f:metadata")) {
                        return true;
                    }
                    return steps.size() > 1 && !UNTRACKED.contains(steps.get(1).substring(2));
                });
    }

    /** The differences between two states, without the fields that have no owner. */
    static Comparison compare(Schema schema, JsonObject before, JsonObject after) {
        var raw = Comparison.of(schema, before, after);
        return new Comparison(
                tracked(raw.added()), tracked(raw.modified()), tracked(raw.removed()));
    }
}
