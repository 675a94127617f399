package lvms.k8s.controller;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.informer.Informer;
import lvms.k8s.limit.BoundedCall;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.queue.Backoff;
import lvms.k8s.queue.QueueMetrics;
import lvms.k8s.queue.RateLimiter;
import lvms.k8s.queue.WorkQueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Runs a reconciler for the keys that its informers name. A key never runs twice at once, runs once
 * more if it changed meanwhile, and runs again with back-off after a failure. New events go before
 * what the first list and resyncs bring.
 *
 * <p>The informers may be shared: the controller starts them, their owner closes them. Workers are
 * virtual threads. Any thread may call.
 *
 * @param <K> the keys; equal keys are the same work
 */
public final class Controller<K> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Controller.class.getName());
    private static final Duration SYNC_REPORT = Duration.ofMinutes(2);

    private final String name;
    private final Reconciler<K> reconciler;
    private final List<Watch<K>> watches;
    private final Set<Informer> read;
    private final int workers;
    private final Optional<Duration> passLimit;
    private final Duration grace;
    private final Optional<Expectations<K>> expectations;
    private final WorkQueue<K> queue;
    private final ControllerMetrics metrics;
    private final FailureLevels failureLevels = new FailureLevels();
    private final Thread starter;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Runnable> feeds = new ArrayList<>();
    private boolean started;
    private volatile boolean closing;

    private Controller(Builder<K> builder) {
        name = builder.name;
        reconciler = builder.reconciler;
        watches = List.copyOf(builder.watches);
        read = builder.read();
        workers = builder.workers;
        passLimit = builder.passLimit;
        grace = builder.grace;
        expectations = builder.expectations;
        queue = new WorkQueue<>(builder.limiter, new QueueMetrics(builder.metrics, name));
        metrics = new ControllerMetrics(builder.metrics, name, workers);
        starter = Thread.ofVirtual().name(name).unstarted(this::startWorkersWhenSynced);
    }

    /**
     * Starts building a controller of objects; the name is used in metrics, logs and threads.
     *
     * @param reconciler gets the namespace and name of an object
     */
    public static Builder<ObjectKey> named(String name, Reconciler<ObjectKey> reconciler) {
        return keyed(name, UnaryOperator.identity(), reconciler);
    }

    /**
     * Starts building a controller whose work has keys of another type, such as all objects of a
     * namespace or of a node.
     *
     * @param keyOf says which work an object belongs to, by its namespace and name
     */
    public static <K> Builder<K> keyed(
            String name, Function<ObjectKey, K> keyOf, Reconciler<K> reconciler) {
        return new Builder<>(name, keyOf, reconciler);
    }

    /**
     * What a controller watches and how it works.
     *
     * @param <K> the keys
     */
    public static final class Builder<K> {
        private final String name;
        private final Function<ObjectKey, K> keyOf;
        private final Reconciler<K> reconciler;
        private final List<Watch<K>> watches = new ArrayList<>();
        private final List<Informer> before = new ArrayList<>();
        private int workers = 1;
        private RateLimiter<K> limiter = RateLimiter.exponential(Backoff.CONTROLLER);
        private Optional<Duration> passLimit = Optional.empty();
        private Duration grace = Grace.DEFAULT.passes();
        private Optional<Expectations<K>> expectations = Optional.empty();
        private MetricsRegistry metrics = MetricsRegistry.unread();

        private Builder(String name, Function<ObjectKey, K> keyOf, Reconciler<K> reconciler) {
            this.name = name;
            this.keyOf = keyOf;
            this.reconciler = reconciler;
        }

        /** Watches objects whose own keys are reconciled. */
        public Builder<K> watch(Informer informer) {
            return watch(informer, object -> List.of(keyOf.apply(object.key())));
        }

        /**
         * Watches objects that map to other keys; an update maps both the old and the new object.
         */
        public Builder<K> watch(Informer informer, Function<KubeObject, Collection<K>> mapper) {
            watches.add(new Watch<>(informer, mapper, ChangeFilter.ALL));
            return this;
        }

        /**
         * Watches objects whose managing controller ({@code ownerReferences} with {@code
         * controller: true}) is an object of this type; that one's key is reconciled. For other
         * owners, give {@link Owners#of} to {@link #watch(Informer, Function)}.
         */
        public Builder<K> owns(Informer dependents, ResourceType owner) {
            var owners = Owners.controllers(owner);
            return watch(dependents, object -> owners.apply(object).stream().map(keyOf).toList());
        }

        /**
         * Makes the first pass wait until these are synced, too, since passes read them. Their
         * changes call for no pass.
         */
        public Builder<K> after(Collection<Informer> informers) {
            before.addAll(informers);
            return this;
        }

        /** Restricts the watch added last. */
        public Builder<K> filter(ChangeFilter filter) {
            var last = watches.removeLast();
            watches.add(new Watch<>(last.informer(), last.mapper(), filter));
            return this;
        }

        /** Sets how many keys are reconciled at once; 1 unless set. */
        public Builder<K> workers(int workers) {
            this.workers = workers;
            return this;
        }

        /**
         * Sets how long a key waits after failures; unless set, {@link Backoff#CONTROLLER} for each
         * key alone, from 5 ms to two minutes.
         */
        public Builder<K> rateLimiter(RateLimiter<K> limiter) {
            this.limiter = limiter;
            return this;
        }

        /**
         * Sets how long a pass may take; without it there is no limit. A longer one is interrupted
         * and has failed. Its key is free again when it has really ended.
         */
        public Builder<K> passTimeout(Duration limit) {
            this.passLimit = Optional.of(limit);
            return this;
        }

        /** Sets how long {@link Controller#close} lets running passes go on; 15 s unless set. */
        public Builder<K> grace(Duration grace) {
            this.grace = grace;
            return this;
        }

        /** Holds back the passes of a key until the caches show what its last pass wrote. */
        public Builder<K> expectations(Expectations<K> expectations) {
            this.expectations = Optional.of(expectations);
            return this;
        }

        /** Sets where it counts; nowhere unless set. */
        public Builder<K> metrics(MetricsRegistry metrics) {
            this.metrics = metrics;
            return this;
        }

        private Set<Informer> read() {
            var all = new LinkedHashSet<Informer>();
            watches.forEach(watch -> all.add(watch.informer()));
            all.addAll(before);
            return all;
        }

        /** Returns the controller, which is not started yet. */
        public Controller<K> build() {
            return new Controller<>(this);
        }
    }

    /** Returns its name in metrics and logs. */
    public String name() {
        return name;
    }

    /** Starts the informers, and the workers once the informers are synced. Returns at once. */
    public synchronized void start() {
        if (started || closing) {
            return;
        }
        started = true;
        watches.forEach(watch -> feeds.add(watch.feed(queue::add)));
        read.forEach(Informer::start);
        starter.start();
    }

    private void startWorkersWhenSynced() {
        try {
            for (var informer : read) {
                awaitSync(informer);
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
        while (!closing) {
            try {
                var key = queue.take();
                if (key.isPresent()) {
                    work(key.get());
                }
                Thread.yield(); // a queue that is never empty would keep its carrier
            } catch (InterruptedException e) { // by close(), or left over from a pass
                LOG.log(DEBUG, () -> "worker interrupted controller=" + name);
            } catch (Throwable e) { // such as no memory left for what is around a pass
                LOG.log(ERROR, () -> "worker goes on controller=" + name, e);
            }
        }
    }

    private void work(K key) throws InterruptedException {
        try {
            if (expectations.isPresent() && expectations.get().hold(key)) {
                queue.addAfter(key, Expectations.LOOK);
            } else {
                pass(key);
            }
        } finally {
            queue.done(key);
        }
    }

    private void pass(K key) throws InterruptedException {
        long start = System.nanoTime();
        metrics.started();
        try {
            var result = reconcile(key);
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

    private Result reconcile(K key) throws Exception {
        if (passLimit.isEmpty()) {
            return reconciler.reconcile(key);
        }
        var pass = BoundedCall.start(name + "-pass", () -> reconciler.reconcile(key));
        try {
            if (pass.endsWithin(passLimit.get())) {
                return pass.result();
            }
        } finally {
            pass.interrupt(); // until it has ended, nobody else may have the key
        }
        metrics.timedOut();
        throw new TimeoutException("interrupted after " + passLimit.get());
    }

    private void schedule(K key, Result result) {
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

    private void failed(K key, Throwable failure) {
        queue.addAfterFailure(key); // first: the key must not be lost, whatever fails below
        boolean bug = failure instanceof RuntimeException || failure instanceof Error;
        metrics.failed(bug);
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
    public void enqueue(K key) {
        queue.add(key);
    }

    /** Returns whether it can work, for a check of liveness: no worker has ended by itself. */
    public synchronized boolean alive() {
        return !started
                || closing
                || starter.isAlive()
                || threads.size() == workers && threads.stream().allMatch(Thread::isAlive);
    }

    /**
     * Hands out no more keys, lets running passes end, and interrupts those that take longer than
     * the grace period, 15 s unless it was set. Passes that ignore this for five seconds more are
     * left behind, and the log says so.
     */
    @Override
    public void close() {
        close(grace, Grace.DEFAULT.interrupted());
    }

    /** The same in the time that the end of the process leaves for it. */
    void close(Grace process) {
        var passes = process.passes();
        close(grace.compareTo(passes) < 0 ? grace : passes, process.interrupted());
    }

    private void close(Duration untilInterrupt, Duration untilLeft) {
        closing = true;
        queue.shutDown();
        try {
            if (!queue.awaitIdle(untilInterrupt)) {
                LOG.log(WARNING, () -> "passes interrupted controller=" + name);
            }
            stop();
            if (!queue.awaitIdle(untilLeft)) {
                LOG.log(ERROR, () -> "passes go on, they ignore interrupts controller=" + name);
            }
        } catch (InterruptedException e) {
            stop();
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void stop() {
        starter.interrupt();
        threads.forEach(Thread::interrupt);
        feeds.forEach(Runnable::run);
        feeds.clear();
    }
}
