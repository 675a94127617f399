package lvms.k8s.controller;

import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** One source of keys: which objects, which of their changes, and which keys they map to. */
record Watch(
        Informer informer,
        Function<KubeObject, Collection<ObjectKey>> mapper,
        ChangeFilter filter) {
    void feed(Consumer<ObjectKey> queue) {
        informer.addHandler(
                (before, after) -> {
                    if (filter.passes(before, after)) {
                        keys(before, after).forEach(queue);
                    }
                });
    }

    /** Maps both the old and the new object: a reference that moved concerns both sides. */
    private Collection<ObjectKey> keys(Optional<KubeObject> before, Optional<KubeObject> after) {
        var keys = new LinkedHashSet<ObjectKey>();
        before.ifPresent(object -> keys.addAll(mapper.apply(object)));
        after.ifPresent(object -> keys.addAll(mapper.apply(object)));
        return keys;
    }
}
