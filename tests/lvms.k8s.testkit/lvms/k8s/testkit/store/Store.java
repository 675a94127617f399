package lvms.k8s.testkit.store;

import com.google.gson.JsonObject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * All objects, by stored type, with one revision counter for all of them. Safe for any thread.
 *
 * <p>Objects that come out are shared: do not change them. Objects that go in belong to the store
 * from then on.
 */
public final class Store {
    private static final long FIRST_REVISION = 1000;

    /** The objects of a type at one revision, in key order. */
    public record Snapshot(long revision, List<JsonObject> objects) {}

    /** Gets each change right after it is committed, outside the lock, on any thread. */
    @FunctionalInterface
    public interface Listener {
        /** A change of a stored type. */
        void changed(String type, Change change);
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Collection> types = new HashMap<>();
    private final int capacity;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private long revision;

    /** An empty store that keeps {@code capacity} changes of each type. */
    public Store(int capacity) {
        this(capacity, FIRST_REVISION);
    }

    /** An empty store whose counter starts at {@code firstRevision}. */
    public Store(int capacity, long firstRevision) {
        this.capacity = capacity;
        this.revision = firstRevision;
    }

    /** Adds a listener for the life of the store. */
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /** The number of the latest change of any type. */
    public long revision() {
        lock.lock();
        try {
            return revision;
        } finally {
            lock.unlock();
        }
    }

    /** The object, if it exists. */
    public Optional<JsonObject> get(String type, Key key) {
        lock.lock();
        try {
            return Optional.ofNullable(collection(type).objects.get(key));
        } finally {
            lock.unlock();
        }
    }

    /** All objects of a type, now. */
    public Snapshot list(String type) {
        lock.lock();
        try {
            return new Snapshot(revision, List.copyOf(collection(type).objects.values()));
        } finally {
            lock.unlock();
        }
    }

    /** All objects of a type as they were at a revision. */
    public Snapshot listAt(String type, long at) throws Expired {
        lock.lock();
        try {
            return new Snapshot(at, new ArrayList<>(collection(type).at(at).values()));
        } finally {
            lock.unlock();
        }
    }

    /** The names of the types that have objects. */
    public List<String> types() {
        lock.lock();
        try {
            return List.copyOf(types.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Stores a new object; empty when one of that key exists. */
    public Optional<JsonObject> create(String type, Key key, JsonObject object) {
        lock.lock();
        Change change;
        try {
            if (collection(type).objects.containsKey(key)) {
                return Optional.empty();
            }
            number(object);
            collection(type).objects.put(key, object);
            change = commit(type, new Change(revision, key, Optional.empty(), object, false));
        } finally {
            lock.unlock();
        }
        announce(type, change);
        return Optional.of(object);
    }

    /** Replaces an object; empty when {@code before} is no longer what is stored. */
    public Optional<JsonObject> replace(
            String type, Key key, JsonObject before, JsonObject object) {
        lock.lock();
        Change change;
        try {
            if (collection(type).objects.get(key) != before) {
                return Optional.empty();
            }
            number(object);
            collection(type).objects.put(key, object);
            change = commit(type, new Change(revision, key, Optional.of(before), object, false));
        } finally {
            lock.unlock();
        }
        announce(type, change);
        return Optional.of(object);
    }

    /**
     * Removes an object; empty when {@code before} is no longer what is stored.
     *
     * @param last the state to show as the last one
     */
    public Optional<JsonObject> remove(String type, Key key, JsonObject before, JsonObject last) {
        lock.lock();
        Change change;
        try {
            if (collection(type).objects.get(key) != before) {
                return Optional.empty();
            }
            number(last);
            collection(type).objects.remove(key);
            change = commit(type, new Change(revision, key, Optional.of(before), last, true));
        } finally {
            lock.unlock();
        }
        announce(type, change);
        return Optional.of(last);
    }

    /** The changes of a type after a revision, oldest first. */
    public List<Change> changesAfter(String type, long after) throws Expired {
        lock.lock();
        try {
            return collection(type).after(after);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a type has changes after a revision, {@code wake} holds, or time is up. Code that
     * changes the answer of {@code wake} must call {@link #wakeAll}.
     */
    public List<Change> awaitChanges(
            String type, long after, long timeoutNanos, BooleanSupplier wake)
            throws Expired, InterruptedException {
        long left = timeoutNanos;
        lock.lockInterruptibly();
        try {
            while (true) {
                var changes = collection(type).after(after);
                if (!changes.isEmpty() || wake.getAsBoolean() || left <= 0) {
                    return changes;
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the counter has reached a revision; false if it did not in time. */
    public boolean awaitRevision(long wanted, long timeoutNanos) throws InterruptedException {
        long left = timeoutNanos;
        lock.lockInterruptibly();
        try {
            while (revision < wanted) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Makes all waiters check again. */
    public void wakeAll() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets every change so far: older revisions are expired from now on. */
    public void compact() {
        lock.lock();
        try {
            revision++; // So that even the latest revision that anyone has seen is too old.
            types.values().forEach(collection -> collection.forgetBefore(revision));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Advances the counter by a distance, as changes elsewhere would. */
    public void advance(long distance) {
        lock.lock();
        try {
            revision = Math.addExact(revision, distance);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A copy of the present objects with the present counter. */
    public Store copy() {
        lock.lock();
        try {
            return copy(revision);
        } finally {
            lock.unlock();
        }
    }

    /** A copy of the present objects, with a counter that starts at {@code firstRevision}. */
    public Store copy(long firstRevision) {
        lock.lock();
        try {
            var copy = new Store(capacity, firstRevision);
            types.forEach(
                    (name, collection) -> {
                        collection.objects.forEach(
                                (key, object) ->
                                        copy.collection(name)
                                                .objects
                                                .put(key, notAfter(object, firstRevision)));
                        copy.collection(name).forgetBefore(firstRevision);
                    });
            return copy;
        } finally {
            lock.unlock();
        }
    }

    private static JsonObject notAfter(JsonObject object, long revision) {
        var copy = object.deepCopy();
        var metadata = copy.getAsJsonObject("metadata");
        if (metadata.get("resourceVersion").getAsLong() > revision) {
            metadata.addProperty("resourceVersion", Long.toString(revision));
        }
        return copy;
    }

    private Collection collection(String type) {
        return types.computeIfAbsent(type, _ -> new Collection(capacity));
    }

    private void number(JsonObject object) {
        revision++;
        object.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(revision));
    }

    private Change commit(String type, Change change) {
        collection(type).record(change);
        changed.signalAll();
        return change;
    }

    private void announce(String type, Change change) {
        listeners.forEach(listener -> listener.changed(type, change));
    }

    /** A time limit in nanoseconds. */
    public static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
