package lvms.k8s.controller;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.queue.Backoff;
import lvms.k8s.queue.QueueMetrics;
import lvms.k8s.queue.WorkQueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Runs a reconciler for the keys that its informers name. A key never runs twice at once, runs once
 * more if it changed meanwhile, and runs again with back-off after a failure.
 *
 * <p>The informers may be shared: the controller starts them, their owner closes them. Workers are
 * virtual threads. Any thread may call.
 */
public final class Controller implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Controller.class.getName());
    private static final Duration SYNC_REPORT = Duration.ofMinutes(2);
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final String name;
    private final Reconciler reconciler;
    private final List<Watch> watches;
    private final int workers;
    private final WorkQueue<ObjectKey> queue;
    private final ControllerMetrics metrics;
    private final FailureLevels failureLevels = new FailureLevels();
    private final List<Thread> threads = new ArrayList<>();
    private boolean started;
    private volatile boolean closing;

    private Controller(Builder builder) {
        name = builder.name;
        reconciler = builder.reconciler;
        watches = List.copyOf(builder.watches);
        workers = builder.workers;
        queue = new WorkQueue<>(Backoff.CONTROLLER, new QueueMetrics(builder.metrics, name));
        metrics = new ControllerMetrics(builder.metrics, name, workers);
    }

    /** Starts building a controller; the name is used in metrics, logs and threads. */
    public static Builder named(String name, Reconciler reconciler) {
        return new Builder(name, reconciler);
    }

    /** What a controller watches and how it works. */
    public static final class Builder {
        private final String name;
        private final Reconciler reconciler;
        private final List<Watch> watches = new ArrayList<>();
        private int workers = 1;
        private MetricsRegistry metrics = new MetricsRegistry();

        private Builder(String name, Reconciler reconciler) {
            this.name = name;
            this.reconciler = reconciler;
        }

        /** Watches objects whose own keys are reconciled. */
        public Builder watch(Informer informer) {
            return watch(informer, object -> List.of(object.key()));
        }

        /**
         * Watches objects that map to other keys; an update maps both the old and the new object.
         */
        public Builder watch(
                Informer informer, Function<KubeObject, Collection<ObjectKey>> mapper) {
            watches.add(new Watch(informer, mapper, ChangeFilter.ALL));
            return this;
        }

        /** Restricts the watch added last. */
        public Builder filter(ChangeFilter filter) {
            var last = watches.removeLast();
            watches.add(new Watch(last.informer(), last.mapper(), filter));
            return this;
        }

        /** Sets how many keys are reconciled at once; 1 unless set. */
        public Builder workers(int workers) {
            this.workers = workers;
            return this;
        }

        public Builder metrics(MetricsRegistry metrics) {
            this.metrics = metrics;
            return this;
        }

        /** Returns the controller, which is not started yet. */
        public Controller build() {
            return new Controller(this);
        }
    }

    /** Starts the informers, and the workers once the informers are synced. Returns at once. */
    public synchronized void start() {
        if (started) {
            return;
        }
        started = true;
        watches.forEach(watch -> watch.feed(queue::add));
        watches.forEach(watch -> watch.informer().start());
        threads.add(Thread.ofVirtual().name(name).start(this::startWorkersWhenSynced));
    }

    private void startWorkersWhenSynced() {
        try {
            for (var watch : watches) {
                awaitSync(watch.informer());
            }
        } catch (InterruptedException e) {
            return; // closed before the first pass
        }
        startWorkers();
    }

    private void awaitSync(Informer informer) throws InterruptedException {
        while (true) {
            try {
                informer.awaitSync(SYNC_REPORT);
                return;
            } catch (TimeoutException e) {
                LOG.log(
                        WARNING,
                        () ->
                                "controller waits for its cache controller="
                                        + name
                                        + " type="
                                        + informer.type().plural());
            }
        }
    }

    private synchronized void startWorkers() {
        for (int i = 0; i < workers; i++) {
            threads.add(Thread.ofVirtual().name(name + "-" + i).start(this::work));
        }
    }

    private void work() {
        try {
            for (var key = queue.take(); key.isPresent(); key = queue.take()) {
                try {
                    pass(key.get());
                } finally {
                    queue.done(key.get());
                }
            }
        } catch (InterruptedException e) {
            LOG.log(DEBUG, () -> "worker ended controller=" + name);
        }
    }

    private void pass(ObjectKey key) throws InterruptedException {
        long start = System.nanoTime();
        metrics.started();
        try {
            var result = reconciler.reconcile(key);
            metrics.result(result);
            failureLevels.succeeded(key);
            schedule(key, result);
        } catch (InterruptedException e) {
            if (closing) {
                throw e;
            }
            failed(key, e); // nobody stopped us: a pass must not end its worker
        } catch (Throwable e) { // whatever it is, it must not end the worker
            failed(key, e);
        } finally {
            metrics.ended(start);
        }
    }

    private void schedule(ObjectKey key, Result result) {
        switch (result) {
            case Result.Done() -> queue.forget(key);
            case Result.RequeueAfter(var delay) -> {
                queue.forget(key);
                queue.addAfter(key, delay);
            }
            case Result.Requeue() -> queue.addAfterFailure(key);
            case Result.Terminal(var reason) -> {
                queue.forget(key);
                LOG.log(
                        ERROR,
                        () ->
                                "reconcile cannot succeed controller="
                                        + name
                                        + " key="
                                        + key
                                        + " reason="
                                        + reason);
            }
        }
    }

    private void failed(ObjectKey key, Throwable failure) {
        boolean bug = failure instanceof RuntimeException || failure instanceof Error;
        metrics.failed(bug);
        queue.addAfterFailure(key);
        var line =
                "reconcile failed controller="
                        + name
                        + " key="
                        + key
                        + " failures="
                        + queue.failures(key);
        if (bug) {
            LOG.log(ERROR, line, failure);
        } else {
            var level = failureLevels.of(key, failure, System.nanoTime());
            LOG.log(level, () -> line + " error=" + failure.getMessage());
        }
    }

    /** Asks for a pass. */
    public void enqueue(ObjectKey key) {
        queue.add(key);
    }

    /**
     * Hands out no more keys, lets running passes end, and interrupts those that take over 30 s.
     */
    @Override
    public void close() {
        closing = true;
        queue.shutDown();
        try {
            if (!queue.awaitIdle(GRACE)) {
                LOG.log(WARNING, () -> "passes interrupted controller=" + name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            threads.forEach(Thread::interrupt);
        }
    }
}
