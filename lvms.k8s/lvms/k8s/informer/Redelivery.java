package lvms.k8s.informer;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.queue.Backoff;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The changes that handlers failed to take, one for each handler and key: from the state that the
 * handler last took to the present one. They are told again, with pauses, until they are taken.
 * Guarded by its delivery.
 */
final class Redelivery {
    /** One key that a handler has to be told of. */
    record Missed(Registration registration, ObjectKey key) {}

    private final Backoff pauses;
    private final Map<Missed, Optional<KubeObject>> before = new LinkedHashMap<>();
    private int failures;

    Redelivery(Timing timing) {
        pauses = new Backoff(timing.firstBackoff(), timing.maxBackoff(), 1);
    }

    /** Notes a change that was not taken; the first of several for a key says where it began. */
    void add(Registration registration, Change change) {
        before.putIfAbsent(new Missed(registration, change.object().key()), change.before());
    }

    boolean concerns(Registration registration) {
        return before.keySet().stream().anyMatch(missed -> missed.registration() == registration);
    }

    boolean concerns(Registration registration, ObjectKey key) {
        return before.containsKey(new Missed(registration, key));
    }

    void forget(Registration registration) {
        before.keySet().removeIf(missed -> missed.registration() == registration);
    }

    boolean isEmpty() {
        return before.isEmpty();
    }

    /** Returns how long to wait before the next round. */
    Duration pause() {
        return pauses.after(++failures);
    }

    /** Hands out what was missed, which is forgotten here. */
    Map<Missed, Optional<KubeObject>> takeAll() {
        var all = Map.copyOf(before);
        before.clear();
        return all;
    }

    /** Notes the end of a round: if everything was taken, pauses start over. */
    void roundEnded() {
        if (before.isEmpty()) {
            failures = 0;
        }
    }

    /** Returns the changes from one state to another, as a store would have told them. */
    static List<Change> changes(Optional<KubeObject> from, Optional<KubeObject> to) {
        var changes = new ArrayList<Change>();
        boolean same =
                from.isPresent() && to.isPresent() && from.get().uid().equals(to.get().uid());
        if (!same) {
            from.ifPresent(gone -> changes.add(Change.vanished(gone)));
        }
        to.ifPresent(now -> changes.add(Change.put(same ? from : Optional.empty(), now)));
        return changes;
    }
}
