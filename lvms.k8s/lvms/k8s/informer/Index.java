package lvms.k8s.informer;

import static java.lang.System.Logger.Level.ERROR;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Object keys by the values that a function gives for the objects. Guarded by its store.
 *
 * <p>The values of an object are computed again when it goes, as client-go does, so that they need
 * no memory. An object for which the function throws has none; if it throws for a state that has
 * some, its key is looked for under all values.
 */
final class Index {
    private static final System.Logger LOG = System.getLogger(Index.class.getName());

    private final String name;
    private final Function<KubeObject, List<String>> function;

    /** A set of one key is immutable, which needs a sixth of the memory. */
    private final Map<String, Set<ObjectKey>> keys = new HashMap<>();

    /** Of the objects for which the function threw, so that they have no values to take back. */
    private final Set<ObjectKey> failed = new HashSet<>();

    Index(String name, Function<KubeObject, List<String>> function) {
        this.name = name;
        this.function = function;
    }

    Collection<ObjectKey> keys(String value) {
        return keys.getOrDefault(value, Set.of());
    }

    /** Takes another state of an object; empty before the first and after the last. */
    void replace(ObjectKey key, Optional<KubeObject> before, Optional<KubeObject> after) {
        var former = before.map(object -> former(key, object)).orElse(List.of());
        var present = after.map(object -> present(key, object)).orElse(List.of());
        for (var value : former) {
            if (!present.contains(value)) {
                keys.computeIfPresent(value, (_, set) -> without(set, key));
            }
        }
        for (var value : present) {
            keys.merge(value, Set.of(key), Index::union);
        }
    }

    /** Returns the values under which the key of a former state may be. */
    private List<String> former(ObjectKey key, KubeObject object) {
        return failed.remove(key)
                ? List.of()
                : values(object).orElseGet(() -> List.copyOf(keys.keySet()));
    }

    private List<String> present(ObjectKey key, KubeObject object) {
        var values = values(object);
        if (values.isEmpty()) {
            failed.add(key);
        }
        return values.orElse(List.of());
    }

    /** Returns what the function gives, empty if it throws. */
    private Optional<List<String>> values(KubeObject object) {
        try {
            return Optional.of(List.copyOf(function.apply(object)));
        } catch (RuntimeException | Error failure) { // the change itself must not be lost
            LOG.log(
                    ERROR,
                    () -> "object not indexed index=" + name + " object=" + object.key(),
                    failure);
            return Optional.empty();
        }
    }

    private static Set<ObjectKey> union(Set<ObjectKey> set, Set<ObjectKey> one) {
        if (set.containsAll(one)) {
            return set;
        }
        var all = set.size() == 1 ? new HashSet<>(set) : set;
        all.addAll(one);
        return all;
    }

    /** Returns null, which takes the value out, if the set had no other key. */
    private static Set<ObjectKey> without(Set<ObjectKey> set, ObjectKey key) {
        if (set.size() == 1) {
            return set.contains(key) ? null : set;
        }
        set.remove(key);
        return set.size() == 1 ? Set.copyOf(set) : set;
    }
}
