package lvms.k8s.testkit.fields;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;

import lvms.k8s.testkit.fields.ManagedFields.Entry;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.schema.Schema;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Maintains field ownership across writes, and does server-side apply.
 *
 * @param schema of the whole object, metadata included
 * @param stripStatus whether writes to the main resource own no status fields
 */
public record Ownership(Schema schema, String apiVersion, boolean stripStatus) {
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /**
     * One field that someone else owns with another value.
     *
     * @param message who owns it
     * @param field where
     */
    public record Conflict(String message, String field) {}

    /** An apply that failed. */
    public static final class ApplyFailure extends Exception {
        private static final long serialVersionUID = 1;

        private final transient List<Conflict> conflicts;

        ApplyFailure(String message, List<Conflict> conflicts) {
            super(message);
            this.conflicts = List.copyOf(conflicts);
        }

        /** The conflicts; none when the applied object itself is wrong. */
        public List<Conflict> conflicts() {
            return conflicts;
        }
    }

    /** Whether a write changed only the time of its manager, which does not count as a change. */
    public static boolean sameButForTimes(JsonObject one, JsonObject other) {
        return one.equals(other) || withoutTimes(one).equals(withoutTimes(other));
    }

    private static JsonObject withoutTimes(JsonObject object) {
        var copy = object.deepCopy();
        for (var entry : Json.list(copy, "metadata", "managedFields")) {
            entry.getAsJsonObject().remove("time");
        }
        return copy;
    }

    /** Notes a write other than apply: {@code after} gets new managed fields. */
    public void update(JsonObject before, JsonObject after, String manager, String subresource) {
        var identity =
                ManagedFields.identity(manager, ManagedFields.UPDATE, apiVersion, subresource);
        var differences = ManagedFields.compare(schema, before, after);
        var changed = reset(differences.changed(), subresource);
        var known = ManagedFields.of(after.has("metadata") ? after : before);
        var entries = new ArrayList<Entry>();
        for (var other : known.others(identity)) {
            entries.add(
                    other.with(
                            other.fields()
                                    .minus(differences.changed())
                                    .minus(differences.removed())));
        }
        var mine = known.find(identity);
        var fields = mine.fields().minus(differences.removed()).union(changed);
        var time = changed.isEmpty() ? mine.time() : identity.time();
        entries.add(
                new Entry(manager, ManagedFields.UPDATE, apiVersion, subresource, time, fields));
        ManagedFields.ofEntries(entries).writeTo(after);
    }

    /**
     * Merges an applied object into the live one and returns the result with new managed fields.
     *
     * @param live an object without fields when there is none yet
     */
    public JsonObject apply(
            JsonObject live, JsonObject applied, String manager, String subresource, boolean force)
            throws ApplyFailure {
        var identity =
                ManagedFields.identity(manager, ManagedFields.APPLY, apiVersion, subresource);
        var known = knownOwners(live);
        var set = reset(ManagedFields.tracked(FieldSet.ofObject(schema, applied)), subresource);
        var merged = merge(live, applied);
        var changed = ManagedFields.compare(schema, live, merged).changed();
        var others = known.others(identity);
        if (!force) {
            refuseConflicts(live, manager, others, changed);
        }
        var mine = known.find(identity);
        prune(merged, mine.fields(), set, others);
        var removed = ManagedFields.compare(schema, live, merged).removed();
        var entries = new ArrayList<Entry>();
        for (var other : others) {
            entries.add(other.with(other.fields().minus(changed).minus(removed)));
        }
        boolean same = mine.fields().equals(set) && changed.isEmpty() && removed.isEmpty();
        entries.add(same ? mine : identity.with(set));
        ManagedFields.ofEntries(entries).writeTo(merged);
        return merged;
    }

    private ManagedFields knownOwners(JsonObject live) {
        var known = ManagedFields.of(live);
        if (!known.entries().isEmpty() || live.isEmpty()) {
            return known;
        }
        var everything = ManagedFields.tracked(FieldSet.ofObject(schema, live));
        var identity =
                ManagedFields.identity("before-first-apply", ManagedFields.UPDATE, apiVersion, "");
        return ManagedFields.ofEntries(List.of(identity.with(everything)));
    }

    private JsonObject merge(JsonObject live, JsonObject applied) throws ApplyFailure {
        try {
            return ApplyMerge.merge(schema, live, applied);
        } catch (ApplyMerge.BadList e) {
            throw new ApplyFailure(
                    "failed to create typed patch object: " + e.getMessage(), List.of());
        }
    }

    private void refuseConflicts(
            JsonObject live, String manager, List<Entry> others, FieldSet changed)
            throws ApplyFailure {
        var excused = manager.equals("kubectl") ? lastApplied(live) : FieldSet.EMPTY;
        var conflicts = new ArrayList<Conflict>();
        for (var other : others) {
            for (var path : other.fields().intersect(changed).minus(excused).paths()) {
                conflicts.add(new Conflict(other.described(), path.text()));
            }
        }
        if (!conflicts.isEmpty()) {
            throw new ApplyFailure(conflictMessage(conflicts), conflicts);
        }
    }

    /** What kubectl applied on the client side before; it may take that over silently. */
    private FieldSet lastApplied(JsonObject live) {
        var text = Json.text(live, "metadata", "annotations", LAST_APPLIED);
        if (text.isEmpty()) {
            return FieldSet.EMPTY;
        }
        try {
            var object = Json.parse(text).root().getAsJsonObject();
            var annotation =
                    FieldPath.ROOT.field("metadata").field("annotations").field(LAST_APPLIED);
            return FieldSet.ofObject(schema, object).union(FieldSet.of(List.of(annotation)));
        } catch (JsonParseException | IllegalStateException _) {
            return FieldSet.EMPTY; // Written by hand, so it excuses nothing.
        }
    }

    private static String conflictMessage(List<Conflict> conflicts) {
        if (conflicts.size() == 1) {
            var only = conflicts.getFirst();
            return "Apply failed with 1 conflict: " + only.message() + ": " + only.field();
        }
        var groups = new TreeMap<String, List<String>>();
        for (var conflict : conflicts) {
            groups.computeIfAbsent(conflict.message(), _ -> new ArrayList<>())
                    .add("- " + conflict.field());
        }
        var lines = new ArrayList<String>();
        groups.forEach(
                (message, fields) -> {
                    lines.add(message.replaceFirst("conflict", "conflicts") + ":");
                    lines.addAll(fields);
                });
        return "Apply failed with " + conflicts.size() + " conflicts: " + String.join("\n", lines);
    }

    private void prune(JsonObject merged, FieldSet before, FieldSet now, List<Entry> others) {
        var kept = others.stream().map(Entry::fields).reduce(now, FieldSet::union).withParents();
        ApplyMerge.remove(schema, merged, before.withParents().minus(kept));
    }

    private FieldSet reset(FieldSet set, String subresource) {
        if (subresource.equals("status")) {
            return set.filter(p -> !p.startsWith("f:metadata") && !p.startsWith("f:spec"));
        }
        return stripStatus ? set.filter(p -> !p.startsWith("f:status")) : set;
    }
}
