package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.system.Program;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * An engine in which devices that give no answer cost the commands about them, and no others. Only
 * some reports run at once that see the same devices. If a command was killed and is still inside
 * the kernel, all others that see the same devices are refused until it has ended: they would hang
 * as well, and each would leave another process that nobody can end. Closing waits for changes.
 */
public final class Bulkheads implements Engine {
    private static final String DEVICES = "--devices";

    /** Most containers get 30 seconds to end. */
    private static final Duration LAST_CHANGES = Duration.ofSeconds(20);

    /** A report changes nothing, but LVM may still write to its folder. */
    private static final Duration LAST_REPORTS = Duration.ofSeconds(3);

    private final Engine engine;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition left = lock.newCondition();
    private final Map<String, Compartment> compartments = new HashMap<>();
    private int changes;
    private boolean closed;

    /** What is going on about the same devices. */
    private static final class Compartment {
        private int running;
        private int hanging;

        private boolean empty() {
            return running == 0 && hanging == 0;
        }
    }

    /**
     * @param engine runs the commands
     * @param most how many reports may run at once that see the same devices
     */
    public Bulkheads(Engine engine, int most) {
        this.engine = engine;
        this.most = most;
    }

    @Override
    public Reply run(Command command) throws LvmException, InterruptedException {
        var devices = devices(command);
        enter(devices, command);
        try {
            return engine.run(command);
        } catch (LvmException e) {
            lingering(e.getCause()).ifPresent(end -> await(devices, end));
            throw e;
        } finally {
            leave(devices, command);
        }
    }

    /** The words of a scope, or nothing if the command may see all devices. */
    private static String devices(Command command) {
        int at = command.words().indexOf(DEVICES) + 1;
        return at > 0 && at < command.words().size() ? command.words().get(at) : "";
    }

    private void enter(String devices, Command command) throws LvmException, InterruptedException {
        long nanos = command.deadline().toNanos();
        lock.lockInterruptibly();
        try {
            while (true) {
                var now = compartments.computeIfAbsent(devices, _ -> new Compartment());
                if (closed) {
                    tidy();
                    throw new LvmException.Unavailable("LVM is closed", null);
                }
                if (now.hanging > 0) {
                    throw unavailable(command, "a killed command still hangs in the kernel");
                }
                if (isChange(command) || now.running < most) {
                    now.running++;
                    changes += isChange(command) ? 1 : 0;
                    return;
                }
                nanos = left.awaitNanos(nanos);
                if (nanos <= 0) {
                    throw unavailable(command, "other reports give no answer");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static LvmException unavailable(Command command, String why) {
        return new LvmException.Unavailable(command + ": on these devices " + why, null);
    }

    private static boolean isChange(Command command) {
        return command.effect() != Command.Effect.READ;
    }

    private void leave(String devices, Command command) {
        lock.lock();
        try {
            compartments.get(devices).running--;
            changes -= isChange(command) ? 1 : 0;
            tidy();
        } finally {
            lock.unlock();
        }
    }

    private void await(String devices, CompletableFuture<?> end) {
        lock.lock();
        try {
            compartments.get(devices).hanging++;
        } finally {
            lock.unlock();
        }
        end.whenComplete((_, _) -> ended(devices));
    }

    private void ended(String devices) {
        lock.lock();
        try {
            compartments.get(devices).hanging--;
            tidy();
        } finally {
            lock.unlock();
        }
    }

    private void tidy() {
        compartments.values().removeIf(Compartment::empty);
        left.signalAll();
    }

    private static Optional<CompletableFuture<Process>> lingering(Throwable cause) {
        return switch (cause) {
            case WorkerProcess.Death death -> death.end();
            case Program.Late late -> late.end();
            case null, default -> Optional.empty();
        };
    }

    @Override
    public EngineStatus status() {
        return engine.status();
    }

    /**
     * Waits a while for running changes, since a container ends all that is in it, and a moment for
     * running reports.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            left.signalAll();
        } finally {
            lock.unlock();
        }
        engine.close();
        awaitEnd(() -> changes == 0, LAST_CHANGES);
        awaitEnd(() -> compartments.values().stream().allMatch(c -> c.running == 0), LAST_REPORTS);
    }

    private void awaitEnd(BooleanSupplier over, Duration most) {
        boolean interrupted = false;
        long nanos = most.toNanos();
        lock.lock();
        try {
            while (!over.getAsBoolean() && nanos > 0) {
                try {
                    nanos = left.awaitNanos(nanos);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
