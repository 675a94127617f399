package lvms.k8s.informer;

import lvms.k8s.object.KubeObject;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Is told of every change of a store, once the store shows it.
 *
 * <p>It runs on the informer's thread, so it may only enqueue. What it throws is logged and
 * counted.
 */
@FunctionalInterface
public interface Handler {
    /**
     * One object changed.
     *
     * @param before what the store held, empty for an object that is new
     * @param after what the store holds now, empty for an object that is gone
     */
    void onChange(Optional<KubeObject> before, Optional<KubeObject> after);

    /** One object changed. Informers call this method. */
    default void onChange(Change change) {
        onChange(change.before(), change.after());
    }

    /** Returns a handler that is told all that is known of each change. */
    static Handler of(Consumer<Change> consumer) {
        return new Handler() {
            @Override
            public void onChange(Optional<KubeObject> before, Optional<KubeObject> after) {
                consumer.accept(new Change(before, after, false, false));
            }

            @Override
            public void onChange(Change change) {
                consumer.accept(change);
            }
        };
    }
}
