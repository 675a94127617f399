package lvms.k8s.testkit.store;

import com.google.gson.JsonObject;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The objects of one stored type and their latest changes. Guarded by the store's lock. */
final class Collection {
    private final int capacity;
    private final Deque<Change> changes = new ArrayDeque<>();
    final NavigableMap<Key, JsonObject> objects = new TreeMap<>();
    private long oldest;

    Collection(int capacity) {
        this.capacity = capacity;
    }

    void record(Change change) {
        changes.addLast(change);
        while (changes.size() > capacity) {
            oldest = changes.removeFirst().revision();
        }
    }

    void forgetBefore(long revision) {
        while (!changes.isEmpty() && changes.peekFirst().revision() <= revision) {
            changes.removeFirst();
        }
        oldest = Math.max(oldest, revision);
    }

    List<Change> after(long revision) throws Expired {
        if (revision < oldest) {
            throw new Expired(revision, oldest);
        }
        var result = new ArrayList<Change>();
        for (var it = changes.descendingIterator(); it.hasNext(); ) {
            var change = it.next();
            if (change.revision() <= revision) {
                break;
            }
            result.add(change);
        }
        Collections.reverse(result);
        return result;
    }

    /** The objects as they were at a revision: undoes the changes since, newest first. */
    NavigableMap<Key, JsonObject> at(long revision) throws Expired {
        var state = new TreeMap<>(objects);
        for (var change : after(revision).reversed()) {
            change.before()
                    .ifPresentOrElse(
                            before -> state.put(change.key(), before),
                            () -> state.remove(change.key()));
        }
        return state;
    }
}
