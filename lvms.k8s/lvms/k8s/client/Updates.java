package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

/**
 * Reads an object, changes it and writes it back, again from its newest state if somebody else has
 * written meanwhile. Each write has UID and resource version as preconditions, so that two writers
 * lose nothing, and another object of the same name is left alone.
 *
 * @param caller for all parts of it
 */
record Updates(Caller caller, ResourceType type) {
    private static final int MAX_TRIES = 5;
    private static final int PAUSE_MILLIS = 10; // client-go's RetryOnConflict

    /**
     * Replaces an object, or a subresource of it, by what {@code change} makes of it.
     *
     * @param subresource such as {@code status}, empty for the object itself
     */
    KubeObject change(ObjectKey key, String subresource, UnaryOperator<KubeObject> change)
            throws ApiException, InterruptedException {
        var first = object(key).get();
        var current = first;
        for (int attempt = 1; ; attempt++) {
            var wanted = change.apply(current);
            if (wanted.equals(current)) {
                return current;
            }
            try {
                return new Resource(caller, type, key, subresource)
                        .replace(preconditioned(wanted, current));
            } catch (ApiException.Conflict e) {
                current = again(first, e, attempt).orElseThrow(() -> e);
            }
        }
    }

    private static KubeObject preconditioned(KubeObject wanted, KubeObject read) {
        if (!wanted.key().equals(read.key())) {
            throw new IllegalArgumentException(read + " was changed into " + wanted);
        }
        return wanted.with(read.uid(), "metadata", "uid")
                .with(read.resourceVersion(), "metadata", "resourceVersion");
    }

    KubeObject add(KubeObject object, String finalizer) throws ApiException, InterruptedException {
        var current = object;
        for (int attempt = 1; ; attempt++) {
            if (current.finalizers().contains(finalizer)) {
                return current;
            }
            var wanted = new ArrayList<>(current.finalizers());
            wanted.add(finalizer);
            try {
                return write(current, wanted);
            } catch (ApiException.Conflict e) {
                current = again(object, e, attempt).orElseThrow(() -> e);
            }
        }
    }

    Optional<KubeObject> remove(KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        var current = object;
        for (int attempt = 1; ; attempt++) {
            if (!current.finalizers().contains(finalizer)) {
                return Optional.of(current);
            }
            var wanted = new ArrayList<>(current.finalizers());
            wanted.remove(finalizer);
            try {
                return Optional.of(write(current, wanted));
            } catch (ApiException.NotFound _) {
                return Optional.empty();
            } catch (ApiException.Conflict e) {
                var present = again(object, e, attempt);
                if (present.isEmpty()) {
                    return present;
                }
                current = present.get();
            }
        }
    }

    /** Reads the object again; empty if it is gone or another one has its name. */
    private Optional<KubeObject> again(KubeObject object, ApiException.Conflict e, int attempt)
            throws ApiException, InterruptedException {
        if (attempt >= MAX_TRIES) {
            throw e;
        }
        Thread.sleep(PAUSE_MILLIS + ThreadLocalRandom.current().nextInt(PAUSE_MILLIS));
        return object(object.key()).find().filter(found -> found.uid().equals(object.uid()));
    }

    private KubeObject write(KubeObject object, List<String> finalizers)
            throws ApiException, InterruptedException {
        var patch = MergePatch.of(object).ifUnchanged().finalizers(finalizers);
        return object(object.key()).mergePatch(patch.json());
    }

    private Resource object(ObjectKey key) {
        return new Resource(caller, type, key);
    }
}
