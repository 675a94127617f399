package lvms.k8s.informer;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A cache of one resource type that follows the server. Any thread may read it. */
public final class Informer implements AutoCloseable {
    private Informer() {}

    /** Starts building an informer. */
    public static Builder of(KubeClient client, ResourceType type) {
        throw new UnsupportedOperationException();
    }

    /** What an informer covers. */
    public static final class Builder {
        private Builder() {}

        /** Restricts it to a namespace. */
        public Builder namespace(String namespace) {
            return this;
        }

        /** Restricts it by field selector text. */
        public Builder fieldSelector(String selector) {
            return this;
        }

        /** Restricts it by label selector text. */
        public Builder labelSelector(String selector) {
            return this;
        }

        /** Trims each object before it is stored. */
        public Builder transform(UnaryOperator<KubeObject> transform) {
            return this;
        }

        /** Adds an index. */
        public Builder index(String name, Function<KubeObject, List<String>> values) {
            return this;
        }

        /** Returns the informer, which is not started yet. */
        public Informer build() {
            throw new UnsupportedOperationException();
        }
    }

    /** Returns what it caches. */
    public ResourceType type() {
        throw new UnsupportedOperationException();
    }

    /** Adds a handler; one that comes late is told of every object present. */
    public void addHandler(Handler handler) {
        throw new UnsupportedOperationException();
    }

    /** Starts following; further calls do nothing. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /** Returns whether the first list was handed to the handlers. */
    public boolean synced() {
        throw new UnsupportedOperationException();
    }

    /** Waits until {@link #synced()}. */
    public void awaitSync(Duration timeout) throws TimeoutException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Returns one object. */
    public Optional<KubeObject> get(ObjectKey key) {
        throw new UnsupportedOperationException();
    }

    /** Returns all objects. */
    public List<KubeObject> list() {
        throw new UnsupportedOperationException();
    }

    /** Returns the objects for which the index function gave the value. */
    public List<KubeObject> byIndex(String index, String value) {
        throw new UnsupportedOperationException();
    }

    /** Keeps the answer of an own write until the watch catches up. */
    public void observed(KubeObject written) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
