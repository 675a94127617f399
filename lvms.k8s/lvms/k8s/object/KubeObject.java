package lvms.k8s.object;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One Kubernetes object: an immutable tree that keeps every field, also those nobody here knows.
 *
 * <p>Any thread may share it. A path names members from the root down; it does not enter lists.
 * Accessors answer "absent" for a field of an unexpected type. The {@code with} methods return a
 * new object that shares what did not change.
 */
public final class KubeObject {
    private final JsonObject tree;
    private final ObjectKey key;

    private KubeObject(JsonObject tree) {
        this.tree = tree;
        this.key =
                new ObjectKey(
                        metadataText(tree, "namespace").orElse(""),
                        metadataText(tree, "name").orElse(""));
    }

    private static Optional<String> metadataText(JsonObject tree, String field) {
        return tree.get("metadata") instanceof JsonObject metadata
                ? Json.text(metadata.get(field))
                : Optional.empty();
    }

    /** Wraps a private copy of {@code tree}. */
    public static KubeObject of(JsonObject tree) {
        return new KubeObject(tree.deepCopy());
    }

    /**
     * Wraps {@code tree} itself, for readers that have just built it.
     *
     * @param tree must not be changed by anyone afterwards
     */
    public static KubeObject owning(JsonObject tree) {
        return new KubeObject(tree);
    }

    /** Returns an object that has an API version, a kind and a name, and nothing else. */
    public static KubeObject create(ResourceType type, ObjectKey key) {
        var metadata = new JsonObject();
        metadata.addProperty("name", key.name());
        if (!key.namespace().isEmpty()) {
            metadata.addProperty("namespace", key.namespace());
        }
        var tree = new JsonObject();
        tree.addProperty("apiVersion", type.apiVersion());
        tree.addProperty("kind", type.kind());
        tree.add("metadata", metadata);
        return new KubeObject(tree);
    }

    /** Returns a copy of the tree that the caller may change. */
    public JsonObject json() {
        return tree.deepCopy();
    }

    /** Returns compact JSON text without copying the tree. */
    public String toJson() {
        return Json.write(tree);
    }

    /** Returns compact JSON text without null members, as server-side apply wants it. */
    public String toJsonWithoutNulls() {
        return Json.writeWithoutNulls(tree);
    }

    /** Returns {@code apiVersion}, or empty text. */
    public String apiVersion() {
        return Json.text(tree.get("apiVersion")).orElse("");
    }

    /** Returns {@code kind}, or empty text. */
    public String kind() {
        return Json.text(tree.get("kind")).orElse("");
    }

    /** Returns namespace and name. */
    public ObjectKey key() {
        return key;
    }

    /** Returns {@code metadata.name}, or empty text. */
    public String name() {
        return key.name();
    }

    /** Returns {@code metadata.namespace}, or empty text. */
    public String namespace() {
        return key.namespace();
    }

    /** Returns {@code metadata.uid}, or empty text before the object was created. */
    public String uid() {
        return metadataText(tree, "uid").orElse("");
    }

    /** Returns {@code metadata.resourceVersion}, or empty text. */
    public String resourceVersion() {
        return metadataText(tree, "resourceVersion").orElse("");
    }

    /** Returns {@code metadata.generation}, or 0 for types that have none. */
    public long generation() {
        return number("metadata", "generation").orElse(0);
    }

    public Map<String, String> labels() {
        return textMap("metadata", "labels");
    }

    public Map<String, String> annotations() {
        return textMap("metadata", "annotations");
    }

    public Optional<String> label(String name) {
        return text("metadata", "labels", name);
    }

    public Optional<String> annotation(String name) {
        return text("metadata", "annotations", name);
    }

    /** Returns the finalizers in their order. */
    public List<String> finalizers() {
        var names = new ArrayList<String>();
        for (var element : array("metadata", "finalizers")) {
            Json.text(element).ifPresent(names::add);
        }
        return Collections.unmodifiableList(names);
    }

    /** Returns the owner references in their order. */
    public List<OwnerReference> ownerReferences() {
        var owners = new ArrayList<OwnerReference>();
        for (var element : array("metadata", "ownerReferences")) {
            if (element instanceof JsonObject owner) {
                owners.add(OwnerReference.of(owner));
            }
        }
        return Collections.unmodifiableList(owners);
    }

    /** Returns when deletion was asked for. */
    public Optional<Instant> deletionTimestamp() {
        return time("metadata", "deletionTimestamp");
    }

    /** Returns whether deletion was asked for. */
    public boolean terminating() {
        return text("metadata", "deletionTimestamp").isPresent();
    }

    /** Returns when the server created the object. */
    public Optional<Instant> creationTimestamp() {
        return time("metadata", "creationTimestamp");
    }

    /** Returns {@code status.conditions}; elements without a type are left out. */
    public List<Condition> conditions() {
        return Condition.listOf(array("status", "conditions"));
    }

    public Optional<Condition> condition(String type) {
        for (var condition : conditions()) {
            if (condition.type().equals(type)) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    public Optional<String> text(String... path) {
        return Json.text(at(path));
    }

    /** Returns the integer at the path; empty for a fraction or beyond 64 bits. */
    public OptionalLong number(String... path) {
        return Json.number(at(path));
    }

    public Optional<Boolean> flag(String... path) {
        return Json.flag(at(path));
    }

    /** Returns the RFC 3339 time at the path; empty also for text that is none. */
    public Optional<Instant> time(String... path) {
        return text(path).flatMap(Times::read);
    }

    /** Returns a copy of the value at the path; empty for null. */
    public Optional<JsonElement> value(String... path) {
        var value = at(path);
        return value == null || value.isJsonNull()
                ? Optional.empty()
                : Optional.of(value.deepCopy());
    }

    /** Returns a copy of the object at the path. */
    public Optional<JsonObject> object(String... path) {
        return at(path) instanceof JsonObject object
                ? Optional.of(object.deepCopy())
                : Optional.empty();
    }

    /** Returns copies of the elements of the list at the path, none if there is no list. */
    public List<JsonElement> list(String... path) {
        return array(path).deepCopy().asList();
    }

    /** Returns copies of those elements of the list at the path that are objects. */
    public List<JsonObject> objects(String... path) {
        var objects = new ArrayList<JsonObject>();
        for (var element : array(path)) {
            if (element instanceof JsonObject object) {
                objects.add(object.deepCopy());
            }
        }
        return Collections.unmodifiableList(objects);
    }

    /** Returns the string members of the object at the path, in their order. */
    public Map<String, String> textMap(String... path) {
        if (!(at(path) instanceof JsonObject object)) {
            return Map.of();
        }
        var map = LinkedHashMap.<String, String>newLinkedHashMap(object.size());
        for (var member : object.entrySet()) {
            Json.text(member.getValue()).ifPresent(text -> map.put(member.getKey(), text));
        }
        return Collections.unmodifiableMap(map);
    }

    /** Returns whether the trees at the path of both objects are equal by value. */
    public boolean sameAt(KubeObject other, String... path) {
        var mine = at(path);
        var theirs = other.at(path);
        return mine == null || theirs == null ? mine == theirs : Json.same(mine, theirs);
    }

    /** Returns an object with a copy of {@code value} at the path; missing parents are made. */
    public KubeObject with(JsonElement value, String... path) {
        return new KubeObject(put(tree, value.deepCopy(), path, 0));
    }

    /** Returns an object with the string at the path; missing parents are made. */
    public KubeObject with(String value, String... path) {
        return new KubeObject(put(tree, new JsonPrimitive(value), path, 0));
    }

    /** Returns an object with the integer at the path; missing parents are made. */
    public KubeObject with(long value, String... path) {
        return new KubeObject(put(tree, new JsonPrimitive(value), path, 0));
    }

    /** Returns an object with the boolean at the path; missing parents are made. */
    public KubeObject with(boolean value, String... path) {
        return new KubeObject(put(tree, new JsonPrimitive(value), path, 0));
    }

    /** Returns an object without the member at the path, this one if there is none. */
    public KubeObject without(String... path) {
        return at(path) == null ? this : new KubeObject(remove(tree, path, 0));
    }

    private JsonElement at(String... path) {
        JsonElement node = tree;
        for (var name : path) {
            if (!(node instanceof JsonObject object)) {
                return null;
            }
            node = object.get(name);
        }
        return node;
    }

    private JsonArray array(String... path) {
        return at(path) instanceof JsonArray array ? array : new JsonArray();
    }

    private static JsonObject put(JsonObject node, JsonElement value, String[] path, int depth) {
        var copy = shallowCopy(node);
        var name = path[depth];
        if (depth == path.length - 1) {
            copy.add(name, value);
        } else {
            var child = node.get(name) instanceof JsonObject object ? object : new JsonObject();
            copy.add(name, put(child, value, path, depth + 1));
        }
        return copy;
    }

    private static JsonObject remove(JsonObject node, String[] path, int depth) {
        var copy = shallowCopy(node);
        var name = path[depth];
        if (depth == path.length - 1) {
            copy.remove(name);
        } else {
            copy.add(name, remove(node.getAsJsonObject(name), path, depth + 1));
        }
        return copy;
    }

    private static JsonObject shallowCopy(JsonObject node) {
        var copy = new JsonObject();
        for (var member : node.entrySet()) {
            copy.add(member.getKey(), member.getValue());
        }
        return copy;
    }

    /** Compares whole trees by value. */
    @Override
    public boolean equals(Object other) {
        return other instanceof KubeObject o && (o == this || Json.same(tree, o.tree));
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** Returns kind and key, never content: an object may be a Secret. */
    @Override
    public String toString() {
        return kind() + " " + key;
    }
}
