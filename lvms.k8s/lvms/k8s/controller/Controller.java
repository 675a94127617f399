package lvms.k8s.controller;

import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.Collection;
import java.util.function.Function;

/** Runs a reconciler for the keys that its informers name. */
public final class Controller implements AutoCloseable {
    private Controller() {}

    /** Starts building a controller; the name is used in metrics, logs and threads. */
    public static Builder named(String name, Reconciler reconciler) {
        throw new UnsupportedOperationException();
    }

    /** What a controller watches and how it works. */
    public static final class Builder {
        private Builder() {}

        /** Watches objects whose own keys are reconciled. */
        public Builder watch(Informer informer) {
            return this;
        }

        /** Watches objects that stand for keys; updates map the old and the new object. */
        public Builder watch(
                Informer informer, Function<KubeObject, Collection<ObjectKey>> mapper) {
            return this;
        }

        /** Restricts the watch added last. */
        public Builder filter(ChangeFilter filter) {
            return this;
        }

        /** Sets how many keys are reconciled at once; 1 unless set. */
        public Builder workers(int workers) {
            return this;
        }

        /** Sets where metrics are kept. */
        public Builder metrics(MetricsRegistry metrics) {
            return this;
        }

        /** Returns the controller, which is not started yet. */
        public Controller build() {
            throw new UnsupportedOperationException();
        }
    }

    /** Starts the informers, and the workers once these are synced. Returns at once. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /** Asks for a pass. */
    public void enqueue(ObjectKey key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
