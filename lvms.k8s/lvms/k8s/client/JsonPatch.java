package lvms.k8s.client;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;

/**
 * A JSON patch (RFC 6902): all its operations apply in order, or none does. Immutable.
 *
 * <p>A path names members from the root down, and list elements by index.
 */
public final class JsonPatch {
    private final List<ObjectTree> operations;

    private JsonPatch(List<ObjectTree> operations) {
        this.operations = operations;
    }

    /** Returns a patch without operations. */
    public static JsonPatch create() {
        return new JsonPatch(List.of());
    }

    /** Makes the patch fail ({@link ApiException.Invalid}) unless the path holds this value. */
    public JsonPatch test(String value, String... path) {
        return with(operation("test", path).put("value", value));
    }

    /**
     * Adds a member to the object that the path leads to, which has to exist, or replaces the
     * member.
     */
    public JsonPatch add(Tree value, String... path) {
        return with(operation("add", path).put("value", value));
    }

    /** Replaces the value at the path, which has to exist. */
    public JsonPatch replace(String value, String... path) {
        return replace(Tree.of(value), path);
    }

    /** Replaces the value at the path, which has to exist. */
    public JsonPatch replace(Tree value, String... path) {
        return with(operation("replace", path).put("value", value));
    }

    /** Removes the value at the path, which has to exist. */
    public JsonPatch remove(String... path) {
        return with(operation("remove", path));
    }

    private static ObjectTree.Builder operation(String name, String... path) {
        return ObjectTree.builder().put("op", name).put("path", pointer(path));
    }

    private JsonPatch with(ObjectTree.Builder operation) {
        var all = new ArrayList<>(operations);
        all.add(operation.build());
        return new JsonPatch(List.copyOf(all));
    }

    /** The JSON pointer (RFC 6901) of a path. */
    private static String pointer(String... path) {
        var text = new StringBuilder();
        for (var name : path) {
            text.append('/').append(name.replace("~", "~0").replace("/", "~1"));
        }
        return text.toString();
    }

    /** Returns the body of the request. */
    public ListTree json() {
        return ListTree.of(operations);
    }
}
