package lvms.k8s.informer;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceVersions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The objects and their indexes. Any thread may read; changes come one at a time.
 *
 * <p>Answers to our own writes may run ahead of the watch. They are marked until the watch reaches
 * their version, so that an older list does not remove them.
 */
final class Store {
    private final Map<ObjectKey, KubeObject> objects = new HashMap<>();
    private final Map<ObjectKey, String> ahead = new HashMap<>();
    private final Map<String, Index> indexes = new HashMap<>();
    private String version = "";

    Store(Map<String, Function<KubeObject, List<String>>> indexers) {
        indexers.forEach((name, values) -> indexes.put(name, new Index(name, values)));
    }

    /** Adds an index over what is there and what comes. */
    synchronized void addIndex(String name, Function<KubeObject, List<String>> values) {
        var index = new Index(name, values);
        if (indexes.putIfAbsent(name, index) != null) {
            throw new IllegalArgumentException("there is an index named " + name);
        }
        objects.forEach((key, object) -> index.replace(key, Optional.empty(), Optional.of(object)));
    }

    synchronized Optional<KubeObject> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    synchronized List<KubeObject> list() {
        return List.copyOf(objects.values());
    }

    synchronized List<KubeObject> byIndex(String name, String value) {
        var index = indexes.get(name);
        if (index == null) {
            throw new IllegalArgumentException("no index named " + name);
        }
        var found = new ArrayList<KubeObject>();
        for (var key : index.keys(value)) {
            var object = objects.get(key);
            if (object != null) { // or the function gave other values for it than before
                found.add(object);
            }
        }
        return List.copyOf(found);
    }

    /** Returns the version up to which it has seen everything, empty before the first list. */
    synchronized String version() {
        return version;
    }

    /**
     * Takes the whole state as of {@code listVersion}. An object may have other content at the
     * version that it had, if the server was restored from a backup and has counted up since.
     */
    synchronized List<Change> replace(List<KubeObject> items, String listVersion) {
        if (ResourceVersions.newer(version, listVersion)) {
            ahead.clear(); // history went back: our writes may be lost
        }
        var listed = LinkedHashMap.<ObjectKey, KubeObject>newLinkedHashMap(items.size());
        for (var item : items) {
            listed.put(item.key(), item);
        }
        var changes = new ArrayList<Change>();
        for (var key : List.copyOf(objects.keySet())) {
            if (!listed.containsKey(key) && !isAhead(key, listVersion)) {
                changes.add(Change.vanished(remove(key)));
            }
        }
        for (var item : listed.values()) {
            if (!isAhead(item.key(), listVersion) && !item.equals(objects.get(item.key()))) {
                put(item, changes);
            }
        }
        version = listVersion; // even if it is lower: the list is the truth
        forgetReached();
        return changes;
    }

    private boolean isAhead(ObjectKey key, String listVersion) {
        var written = ahead.get(key);
        return written != null && ResourceVersions.newer(written, listVersion);
    }

    /** Takes an object that was added or changed. */
    synchronized List<Change> update(KubeObject object) {
        var changes = new ArrayList<Change>();
        if (!isStale(object)) {
            put(object, changes);
        }
        reached(object.resourceVersion());
        return changes;
    }

    /** Takes the last state of an object that is gone. */
    synchronized List<Change> delete(KubeObject last) {
        var changes = new ArrayList<Change>();
        var present = objects.get(last.key());
        boolean same = present != null && present.uid().equals(last.uid());
        if (same && compare(last, present).orElse(0) >= 0) {
            changes.add(Change.deleted(remove(last.key())));
        }
        reached(last.resourceVersion());
        return changes;
    }

    /** Takes the answer to a write of our own, unless the watch has already passed it. */
    synchronized List<Change> observe(KubeObject written) {
        var changes = new ArrayList<Change>();
        boolean news = ResourceVersions.newer(written.resourceVersion(), version);
        if (news && !isStale(written)) {
            ahead.put(written.key(), written.resourceVersion());
            put(written, changes);
        }
        return changes;
    }

    /** Notes that everything up to a version was seen. A replayed event does not lower it. */
    synchronized void reached(String newVersion) {
        if (!newVersion.isEmpty() && !ResourceVersions.newer(version, newVersion)) {
            version = newVersion;
            forgetReached();
        }
    }

    private void forgetReached() {
        if (!ahead.isEmpty()) {
            ahead.values().removeIf(written -> !ResourceVersions.newer(written, version));
        }
    }

    /** Returns whether it is a duplicate, a replay, or about an earlier object of the same name. */
    private boolean isStale(KubeObject object) {
        var present = objects.get(object.key());
        if (present == null) {
            return false;
        }
        var order = compare(object, present);
        return order.isPresent()
                ? order.getAsInt() <= 0
                : object.resourceVersion().equals(present.resourceVersion());
    }

    private static OptionalInt compare(KubeObject a, KubeObject b) {
        return ResourceVersions.compare(a.resourceVersion(), b.resourceVersion());
    }

    /** Stores an object; a new UID under the same key is a deletion and a creation. */
    private void put(KubeObject object, List<Change> changes) {
        var key = object.key();
        var before = Optional.ofNullable(objects.get(key));
        if (before.isPresent() && !before.get().uid().equals(object.uid())) {
            var written = ahead.get(key);
            changes.add(Change.vanished(remove(key)));
            if (written != null) {
                ahead.put(key, written);
            }
            before = Optional.empty();
        }
        objects.put(key, object);
        index(key, before, Optional.of(object));
        changes.add(Change.put(before, object));
    }

    private KubeObject remove(ObjectKey key) {
        ahead.remove(key);
        var before = objects.remove(key);
        index(key, Optional.of(before), Optional.empty());
        return before;
    }

    private void index(ObjectKey key, Optional<KubeObject> before, Optional<KubeObject> after) {
        indexes.values().forEach(index -> index.replace(key, before, after));
    }
}
