package lvms.k8s.object;

import java.util.Objects;

/**
 * The name of an object within its type.
 *
 * @param namespace namespace, empty for objects of cluster scope
 * @param name name, a single path segment
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
    /** Checks that neither part is missing. */
    public ObjectKey {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
    }

    public static ObjectKey of(String namespace, String name) {
        return new ObjectKey(namespace, name);
    }

    /** Returns the key of an object of cluster scope. */
    public static ObjectKey cluster(String name) {
        return new ObjectKey("", name);
    }

    @Override
    public int compareTo(ObjectKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    /** Returns {@code namespace/name}, or the bare name for cluster scope. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
