package lvms.k8s.testkit.store;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.json.Json;

import java.util.Comparator;

/**
 * Where an object is within its type.
 *
 * @param namespace empty for cluster scope
 */
public record Key(String namespace, String name) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
            Comparator.comparing(Key::namespace).thenComparing(Key::name);

    public static Key of(JsonObject object) {
        return new Key(
                Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
    }

    @Override
    public int compareTo(Key other) {
        return ORDER.compare(this, other);
    }
}
