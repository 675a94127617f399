package lvms.k8s.controller;

import lvms.k8s.informer.Handler;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.queue.WorkQueue;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/** One source of keys: which objects, which of their changes, and which keys they map to. */
record Watch<K>(
        Informer informer, Function<KubeObject, Collection<K>> mapper, ChangeFilter filter) {
    /**
     * Begins; running the result ends it.
     *
     * @param queue takes the keys with their priorities
     */
    Runnable feed(ObjIntConsumer<K> queue) {
        var present = new AtomicBoolean(true); // objects that the informer has already
        Handler handler =
                (before, after) -> {
                    if (filter.passes(before, after)) {
                        boolean news = !present.get() && isNews(before, after);
                        int priority = news ? WorkQueue.PRIORITY : WorkQueue.LOW_PRIORITY;
                        keys(before, after).forEach(key -> queue.accept(key, priority));
                    }
                };
        informer.addHandler(handler);
        present.set(false);
        return () -> informer.removeHandler(handler);
    }

    /** The first list and resyncs tell of states that nobody waits for. */
    private boolean isNews(Optional<KubeObject> before, Optional<KubeObject> after) {
        if (before.isEmpty()) {
            return informer.synced();
        }
        return after.isEmpty()
                || !after.get().resourceVersion().equals(before.get().resourceVersion());
    }

    /** Maps both the old and the new object: a reference that moved concerns both sides. */
    private Collection<K> keys(Optional<KubeObject> before, Optional<KubeObject> after) {
        var keys = new LinkedHashSet<K>();
        before.ifPresent(object -> keys.addAll(mapper.apply(object)));
        after.ifPresent(object -> keys.addAll(mapper.apply(object)));
        return keys;
    }
}
