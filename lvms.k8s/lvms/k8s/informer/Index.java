package lvms.k8s.informer;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Object keys by the values that a function gives for the objects. Guarded by its store. */
final class Index {
    private final Function<KubeObject, List<String>> values;
    private final Map<String, Set<ObjectKey>> keys = new HashMap<>();
    private final Map<ObjectKey, List<String>> entries = new HashMap<>();

    Index(Function<KubeObject, List<String>> values) {
        this.values = values;
    }

    Collection<ObjectKey> keys(String value) {
        return keys.getOrDefault(value, Set.of());
    }

    void put(ObjectKey key, KubeObject object) {
        var wanted = values.apply(object);
        if (wanted.equals(entries.get(key))) {
            return;
        }
        remove(key);
        if (wanted.isEmpty()) {
            return;
        }
        entries.put(key, List.copyOf(wanted));
        for (var value : wanted) {
            keys.computeIfAbsent(value, _ -> new LinkedHashSet<>()).add(key);
        }
    }

    void remove(ObjectKey key) {
        var present = entries.remove(key);
        if (present == null) {
            return;
        }
        for (var value : present) {
            var set = keys.get(value);
            if (set != null && set.remove(key) && set.isEmpty()) {
                keys.remove(value);
            }
        }
    }
}
