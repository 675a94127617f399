package lvms.k8s.informer;

import lvms.k8s.object.KubeObject;

import java.util.Optional;

/**
 * One change of an informer's store, as a {@link Handler} is told of it.
 *
 * @param before what the store held, empty for an object that is new
 * @param after what the store holds now, empty for an object that is gone
 * @param initial whether it only tells what was there already: when the handler was added, or in
 *     the first list (client-go's {@code isInInitialList})
 * @param finalStateUnknown whether the object vanished unseen, so that {@code before} need not be
 *     its last state (client-go's {@code DeletedFinalStateUnknown})
 */
public record Change(
        Optional<KubeObject> before,
        Optional<KubeObject> after,
        boolean initial,
        boolean finalStateUnknown) {
    /** Checks that there is an object. */
    public Change {
        if (before.isEmpty() && after.isEmpty()) {
            throw new IllegalArgumentException("a change of nothing");
        }
    }

    /** An object that is new, or another state of one that was there. */
    static Change put(Optional<KubeObject> before, KubeObject after) {
        return new Change(before, Optional.of(after), false, false);
    }

    /** The watch told that the object is gone. */
    static Change deleted(KubeObject before) {
        return new Change(Optional.of(before), Optional.empty(), false, false);
    }

    /** The object is no longer there, and nobody told when it went. */
    static Change vanished(KubeObject before) {
        return new Change(Optional.of(before), Optional.empty(), false, true);
    }

    /** An object that was there from the beginning. */
    static Change initial(KubeObject object) {
        return new Change(Optional.empty(), Optional.of(object), true, false);
    }

    /** Nothing changed; the handler asked to be told again. */
    static Change same(KubeObject object) {
        return new Change(Optional.of(object), Optional.of(object), false, false);
    }

    /** The same, told from the beginning if that is when it is seen. */
    Change initially(boolean first) {
        return new Change(before, after, first && before.isEmpty(), finalStateUnknown);
    }

    /** Returns the object: as it is, or as it was last known. */
    public KubeObject object() {
        return after.or(() -> before).orElseThrow();
    }
}
