package lvms.k8s.object;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One Kubernetes object: an immutable tree that keeps every field, even those unknown here.
 *
 * <p>Any thread may share it. A path names members from the root down; it does not enter lists.
 * Accessors answer "absent" for a field of an unexpected type. The {@code with} methods return a
 * new object that shares what did not change.
 */
public final class KubeObject {
    private final ObjectTree tree;
    private final ObjectKey key;

    private KubeObject(ObjectTree tree) {
        this.tree = tree;
        this.key =
                new ObjectKey(
                        tree.text("metadata", "namespace").orElse(""),
                        tree.text("metadata", "name").orElse(""));
    }

    /** Returns the object that a tree describes. */
    public static KubeObject of(ObjectTree tree) {
        return new KubeObject(tree);
    }

    /** Returns an object that has an API version, a kind and a name, and nothing else. */
    public static KubeObject create(ResourceType type, ObjectKey key) {
        var metadata = ObjectTree.builder().put("name", key.name());
        if (!key.namespace().isEmpty()) {
            metadata.put("namespace", key.namespace());
        }
        return new KubeObject(
                ObjectTree.builder()
                        .put("apiVersion", type.apiVersion())
                        .put("kind", type.kind())
                        .put("metadata", metadata.build())
                        .build());
    }

    public ObjectTree json() {
        return tree;
    }

    /**
     * Returns nothing but the metadata. An object that the server names {@code
     * PartialObjectMetadata}, as it names all from which it left out the rest, gets the kind of its
     * type.
     */
    public KubeObject metadataOf(ResourceType type) {
        boolean partial = kind().equals("PartialObjectMetadata");
        var reduced = ObjectTree.builder();
        reduced.put("apiVersion", partial ? type.apiVersion() : apiVersion());
        reduced.put("kind", partial ? type.kind() : kind());
        object("metadata").ifPresent(metadata -> reduced.put("metadata", metadata));
        return of(reduced.build());
    }

    /** Returns compact JSON text. */
    public String toJson() {
        return Json.write(tree);
    }

    /** Returns compact JSON text without null members, as server-side apply wants it. */
    public String toJsonWithoutNulls() {
        return Json.writeWithoutNulls(tree);
    }

    /** Returns {@code apiVersion}, or empty text. */
    public String apiVersion() {
        return tree.text("apiVersion").orElse("");
    }

    /** Returns {@code kind}, or empty text. */
    public String kind() {
        return tree.text("kind").orElse("");
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
        return tree.text("metadata", "uid").orElse("");
    }

    /** Returns {@code metadata.resourceVersion}, or empty text. */
    public String resourceVersion() {
        return tree.text("metadata", "resourceVersion").orElse("");
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
        return tree.texts("metadata", "finalizers");
    }

    /** Returns the owner references in their order. */
    public List<OwnerReference> ownerReferences() {
        return tree.objects("metadata", "ownerReferences").stream()
                .map(OwnerReference::of)
                .toList();
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
        return Condition.listOf(tree.list("status", "conditions"));
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
        return tree.text(path);
    }

    /** Returns the integer at the path; empty for a fraction or beyond 64 bits. */
    public OptionalLong number(String... path) {
        return tree.number(path);
    }

    public Optional<Boolean> flag(String... path) {
        return tree.flag(path);
    }

    /** Returns the RFC 3339 time at the path; empty too if the text is not one. */
    public Optional<Instant> time(String... path) {
        return text(path).flatMap(Times::read);
    }

    /** Returns the value at the path; empty for null. */
    public Optional<Tree> value(String... path) {
        return Optional.of(tree.at(path)).filter(value -> !value.isNull());
    }

    public Optional<ObjectTree> object(String... path) {
        return tree.object(path);
    }

    /** Returns the list at the path; an empty one if there is none. */
    public ListTree list(String... path) {
        return tree.list(path);
    }

    /** Returns those elements of the list at the path that are objects. */
    public List<ObjectTree> objects(String... path) {
        return tree.objects(path);
    }

    /** Returns the string members of the object at the path, in their order. */
    public Map<String, String> textMap(String... path) {
        return tree.textMap(path);
    }

    /** Returns whether the trees at the path of both objects are equal by value. */
    public boolean sameAt(KubeObject other, String... path) {
        return tree.at(path).equals(other.tree.at(path));
    }

    /** Returns an object with {@code value} at the path; missing parents are made. */
    public KubeObject with(Tree value, String... path) {
        return new KubeObject(tree.with(value, path));
    }

    /** Returns an object with the string at the path; missing parents are made. */
    public KubeObject with(String value, String... path) {
        return with(Tree.of(value), path);
    }

    /** Returns an object with the integer at the path; missing parents are made. */
    public KubeObject with(long value, String... path) {
        return with(Tree.of(value), path);
    }

    /** Returns an object with the boolean at the path; missing parents are made. */
    public KubeObject with(boolean value, String... path) {
        return with(Tree.of(value), path);
    }

    /**
     * Returns this object with the owner as its managing controller, beside other owners.
     *
     * @throws IllegalArgumentException if another one manages it, or if the owner lives in a
     *     namespace and this object does not live in the same: the garbage collector would delete
     *     it, since it looks for the owner where the object is
     */
    public KubeObject controlledBy(KubeObject owner) {
        if (!owner.namespace().isEmpty() && !owner.namespace().equals(namespace())) {
            throw new IllegalArgumentException(
                    key() + " cannot have an owner in another namespace: " + owner.key());
        }
        var owners = ListTree.builder();
        for (var other : ownerReferences()) {
            if (!other.uid().equals(owner.uid())) {
                if (other.controller()) {
                    throw new IllegalArgumentException(
                            key()
                                    + " has another controller: "
                                    + other.kind()
                                    + " "
                                    + other.name());
                }
                owners.add(other.json());
            }
        }
        owners.add(OwnerReference.controllerOf(owner).json());
        return with(owners.build(), "metadata", "ownerReferences");
    }

    /** Returns an object without the member at the path; this object if there is none. */
    public KubeObject without(String... path) {
        var rest = tree.without(path);
        return rest == tree ? this : new KubeObject(rest);
    }

    /** Compares whole trees by value. */
    @Override
    public boolean equals(Object other) {
        return other instanceof KubeObject o && tree.equals(o.tree);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** Returns kind and key, never the content: the object may be a Secret. */
    @Override
    public String toString() {
        return kind() + " " + key;
    }
}
