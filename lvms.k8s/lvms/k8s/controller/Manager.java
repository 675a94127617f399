package lvms.k8s.controller;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.k8s.election.LeaderElector;
import lvms.k8s.health.Check;
import lvms.k8s.health.HealthServer;
import lvms.k8s.informer.Informer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.IntConsumer;

/**
 * A process that runs controllers until it is told to end. It starts its parts in this order:
 * health, informers, what needs no lease, the election, and when this process leads, the rest. It
 * ends them the other way round: {@code /readyz} fails first, then controllers take no more keys
 * and let their passes end, all side by side; then informers, and only then the lease is released;
 * health and what was given to {@link #closing} come last.
 *
 * <p>SIGTERM and SIGINT end it with code 0, and a second one at once with code 1. The loss of the
 * lease ends it with code 1, on the spot if it has not ended when another process may lead. There
 * is one term for each process, so a new process begins anew. Any thread may call.
 *
 * <p>No end takes longer than {@link #LONGEST_END}, unless {@link #grace} was set: a process whose
 * parts are still open then gives its lease away and is halted, with code 1 if it was to end with
 * 0.
 */
public final class Manager implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Manager.class.getName());

    /** How long an end takes at most unless {@link #grace} was set: less than a pod is given. */
    public static final Duration LONGEST_END = Grace.DEFAULT.longest();

    private final String name;
    private final Shutdown shutdown;
    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
    private final List<Informer> informers = new ArrayList<>();
    private final List<Part> always = new ArrayList<>();
    private final List<Part> leading = new ArrayList<>();
    private final List<Check> live = new ArrayList<>(List.of(Check.PING));
    private final List<Check> ready = new ArrayList<>();
    private Optional<InetSocketAddress> healthAddress = Optional.empty();
    private Optional<HealthServer> health = Optional.empty();
    private Optional<LeaderElector> elector = Optional.empty();
    private boolean closing;

    /** How a part begins its work. */
    @FunctionalInterface
    public interface Start {
        /** Begins, and returns at once; an exception ends the process with code 1. */
        void begin() throws Exception;
    }

    private record Part(AutoCloseable part, Start start) {}

    private Manager(String name, IntConsumer halt) {
        this.name = name;
        this.shutdown = new Shutdown(name, halt);
        ready.add(notEnding());
    }

    /** Returns the manager of this process, which listens for signals from now on. */
    public static Manager named(String name) {
        return named(name, Runtime.getRuntime()::halt);
    }

    /**
     * The same for a test.
     *
     * @param halt ends the process on the spot with an exit code
     */
    public static Manager named(String name, IntConsumer halt) {
        return new Manager(name, halt);
    }

    /**
     * Sets how long parts may take to close, 25 s unless set. Running passes are interrupted after
     * three fifths of it, or the grace of their controller if that is shorter. Give it at least a
     * tenth less than the pod's {@code terminationGracePeriodSeconds}: in this time a process that
     * is to be halted gives its lease away.
     */
    public Manager grace(Duration whole) {
        shutdown.grace(new Grace(whole));
        return this;
    }

    /** Serves {@code /healthz} and {@code /readyz} at the address; port 0 is any free one. */
    public synchronized Manager health(InetSocketAddress address) {
        healthAddress = Optional.of(address);
        return this;
    }

    /** Has {@code /healthz} make this check; it must not depend on the API server. */
    public synchronized Manager live(Check check) {
        live.add(check);
        return this;
    }

    /** Has {@code /readyz} make this check. */
    public synchronized Manager ready(Check check) {
        ready.add(check);
        return this;
    }

    /**
     * Runs informers, whether this process leads or not; it is ready when they have their first
     * lists. That a server is away later makes it neither unready nor dead, since a new process
     * would fare no better.
     */
    public synchronized Manager informers(Informer... more) {
        for (var informer : more) {
            informers.add(informer);
            ready.add(new Check("informer-" + informer.type(), informer::following));
        }
        return this;
    }

    /** Runs controllers while this process leads; without an elector it always does. */
    public synchronized Manager controllers(Controller<?>... more) {
        for (var controller : more) {
            live.add(new Check("controller-" + controller.name(), controller::alive));
            leading(() -> controller.close(shutdown.grace()), controller::start);
        }
        return this;
    }

    /** Runs a part while this process leads. */
    public synchronized Manager leading(AutoCloseable part, Start start) {
        leading.add(new Part(part, start));
        return this;
    }

    /** Runs a part whether this process leads or not. */
    public synchronized Manager always(AutoCloseable part, Start start) {
        always.add(new Part(part, start));
        return this;
    }

    /** Sets who says whether this process leads; it is closed with the manager. */
    public synchronized Manager elector(LeaderElector elector) {
        this.elector = Optional.of(elector);
        shutdown.lease(elector);
        return this;
    }

    /** Closes the part at the end, before those that were given earlier; returns it. */
    public <T extends AutoCloseable> T closing(T part) {
        opened.push(part);
        return part;
    }

    /**
     * The same for what holds a lease, such as an elector that is not the manager's: it is closed
     * as well before the process is halted because other parts are still open.
     */
    public <T extends AutoCloseable> T closingLease(T lease) {
        shutdown.lease(lease);
        return closing(lease);
    }

    /** Returns a check that fails from the moment when the process has to end. */
    public Check notEnding() {
        return new Check("shutdown", () -> !shutdown.began());
    }

    /**
     * Returns a listener for an elector that is not the manager's: the loss of the lease ends the
     * process, before another one can have it.
     *
     * @param margin how long nobody else can have the lease after it was lost
     */
    public LeaderElector.Listener whenLeading(Runnable work, Duration margin) {
        return new LeaderElector.Listener() {
            @Override
            public void onStartedLeading() {
                work.run();
            }

            @Override
            public void onStoppedLeading() {
                endWithin(1, margin);
            }
        };
    }

    /**
     * Runs until the process has to end, and closes all parts; returns the exit code.
     *
     * @throws IOException if the address of health cannot be bound
     */
    public int run() throws IOException, InterruptedException {
        try {
            start();
            return awaitEnd();
        } finally {
            close();
        }
    }

    /**
     * Starts the parts. Returns at once; who calls this calls {@link #awaitEnd} and {@link #close}.
     *
     * @throws IOException if the address of health cannot be bound
     */
    public void start() throws IOException {
        synchronized (this) {
            if (closing) {
                return;
            }
            if (healthAddress.isPresent()) {
                health = Optional.of(HealthServer.start(healthAddress.get(), live, ready));
            }
            informers.forEach(Informer::start);
            always.forEach(this::start);
        }
        if (elector.isPresent()) {
            elector.get().start(whenLeading(this::lead, elector.get().margin()));
        } else {
            lead();
        }
    }

    private synchronized void lead() {
        if (!closing) {
            leading.forEach(this::start);
        }
    }

    private void start(Part part) {
        try {
            part.start().begin();
        } catch (Exception e) {
            LOG.log(ERROR, () -> name + " ends, since a part cannot start", e);
            end(1);
        }
    }

    /** Returns where health is served, once the manager is started and if it was asked for. */
    public synchronized Optional<InetSocketAddress> healthAddress() {
        return health.map(HealthServer::address);
    }

    /**
     * Ends the process with this code, unless it ends already for another reason: on the spot if
     * parts are still open when the grace is over.
     */
    public void end(int code) {
        shutdown.end(code);
    }

    /** Ends the process with this code, on the spot if parts are still open after the limit. */
    public void endWithin(int code, Duration limit) {
        shutdown.endWithin(code, limit);
    }

    /** Waits this long, or until the process has to end; returns whether it has to. */
    public boolean endsWithin(Duration time) throws InterruptedException {
        return shutdown.beginsWithin(time);
    }

    /** Waits until the process has to end; returns the exit code. */
    public int awaitEnd() throws InterruptedException {
        int code = shutdown.await();
        LOG.log(INFO, () -> name + " ends");
        return code;
    }

    /** Ends all parts, in the order that the class describes; what does not close is logged. */
    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        shutdown.end(0);
        var running = new ArrayList<AutoCloseable>();
        leading.forEach(part -> running.add(part.part()));
        always.forEach(part -> running.add(part.part()));
        SideBySide.close(running);
        SideBySide.close(informers);
        elector.ifPresent(SideBySide::close);
        health.ifPresent(SideBySide::close);
        for (var part = opened.poll(); part != null; part = opened.poll()) {
            SideBySide.close(part);
        }
        shutdown.closed();
    }
}
