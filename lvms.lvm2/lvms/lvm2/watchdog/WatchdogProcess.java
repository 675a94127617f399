package lvms.lvm2.watchdog;

import lvms.lvm2.engine.ChildJvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The watchdog as a process. It starts with the first change and ends when there was none for a
 * while. What it is told is in its pipe before a change begins; so a change that holds I/O alone
 * waits until it is up.
 *
 * @see WatchdogLoop
 */
public final class WatchdogProcess implements Watchdog {
    private static final System.Logger LOG = System.getLogger(WatchdogProcess.class.getName());
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** This process is the first to end what it holds. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final ChildJvm jvm;
    private final Duration idleAfter;
    private final HostCgroups cgroups;
    private final Map<Path, Optional<Duration>> running = new LinkedHashMap<>(); // guarded by this
    private Optional<Running> process = Optional.empty(); // guarded by this
    private Optional<String> obstacle = Optional.empty(); // guarded by this
    private long uses; // guarded by this

    /** A process that runs, and what it answers. */
    private record Running(Process process, BufferedReader answers) {
        void tell(String line) throws IOException {
            process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }

        /** It ends by itself when its input does, unless it hangs. */
        void end() {
            try {
                tell(WatchdogLoop.QUIT);
                process.getOutputStream().close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, () -> "the watchdog has ended already: " + e);
            }
        }
    }

    /**
     * Prepares it; nothing is started yet.
     *
     * @param jvm how it is started
     * @param idleAfter how long it stays without changes
     */
    public WatchdogProcess(ChildJvm jvm, Duration idleAfter) {
        this(jvm, idleAfter, HostCgroups.system());
    }

    WatchdogProcess(ChildJvm jvm, Duration idleAfter, HostCgroups cgroups) {
        this.jvm = jvm;
        this.idleAfter = idleAfter;
        this.cgroups = cgroups;
    }

    @Override
    public synchronized void begun(Path note, Optional<Duration> longest) {
        uses++;
        running.put(note, longest);
        try {
            if (!told(note, longest)) {
                start();
            }
        } catch (IOException e) {
            forsake(e);
        }
    }

    private boolean told(Path note, Optional<Duration> longest) {
        try {
            if (process.isPresent()) {
                tell(process.get(), note, longest);
                return true;
            }
        } catch (IOException e) {
            forsake(e); // it may have been killed
        }
        return false;
    }

    /** It gets all changes that run: the process before it may have died. */
    private void start() throws IOException {
        var started = jvm.builder().redirectError(ProcessBuilder.Redirect.DISCARD).start();
        var mine = new Running(started, started.inputReader(StandardCharsets.UTF_8));
        process = Optional.of(mine);
        leave(started.pid());
        Thread.ofVirtual().name("watchdog-idle").start(() -> endWhenIdle(mine));
        for (var change : running.entrySet()) {
            tell(mine, change.getKey(), change.getValue());
        }
    }

    private void leave(long pid) {
        var before = obstacle;
        try {
            cgroups.take(pid);
            obstacle = Optional.empty();
        } catch (IOException e) {
            obstacle = Optional.of(text(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!obstacle.equals(before)) {
            obstacle.ifPresent(WatchdogProcess::warn);
        }
    }

    /** Some of these have nothing but the file in their message. */
    private static String text(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "access denied: " + denied.getFile();
            case NoSuchFileException missing -> "no such file: " + missing.getFile();
            default -> e.getMessage();
        };
    }

    private static void warn(String why) {
        LOG.log(
                Level.WARNING,
                () ->
                        "devices that are suspended when this process is killed wait for the next"
                                + " one: the watchdog would be killed with it: "
                                + why);
    }

    private static void tell(Running process, Path note, Optional<Duration> longest)
            throws IOException {
        long millis = longest.map(time -> time.plus(GRACE).toMillis()).orElse(0L);
        process.tell(WatchdogLoop.BEGUN + ' ' + millis + ' ' + note);
        if (longest.isPresent()) {
            awaitAnswer(process);
        }
    }

    private static void awaitAnswer(Running process) throws IOException {
        var answer = new FutureTask<>(process.answers()::readLine);
        Thread.ofPlatform().daemon().name("watchdog-answer").start(answer);
        try {
            var line = answer.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            if (!WatchdogLoop.OK.equals(line)) {
                throw new IOException("it answered " + line);
            }
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + ANSWER, e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next change tries again. */
    private void forsake(IOException why) {
        LOG.log(Level.WARNING, () -> "there is no watchdog, the next process resumes: " + why);
        process.ifPresent(p -> p.process().destroyForcibly());
        process = Optional.empty();
    }

    @Override
    public synchronized void ended(Path note) {
        try {
            if (process.isPresent()) {
                process.get().tell(WatchdogLoop.ENDED + ' ' + note);
            }
        } catch (IOException e) {
            forsake(e);
        }
        left(note);
    }

    @Override
    public synchronized void left(Path note) {
        running.remove(note);
    }

    /** Ends a process once there was no change for a while. */
    private void endWhenIdle(Running mine) {
        long seen = -1;
        try {
            while (!endedIdle(mine, seen)) {
                seen = uses();
                Thread.sleep(idleAfter);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("no thread interrupts it", e);
        }
    }

    private synchronized long uses() {
        return uses;
    }

    private synchronized boolean endedIdle(Running mine, long seen) {
        boolean other = process.filter(mine::equals).isEmpty();
        if (!other && running.isEmpty() && uses == seen) {
            close();
        }
        return other || process.isEmpty();
    }

    @Override
    public synchronized Optional<String> obstacle() {
        if (process.filter(p -> p.process().isAlive()).isEmpty()) {
            try {
                start();
                close(); // a change starts it again
            } catch (IOException e) {
                forsake(e);
                return Optional.of(text(e));
            }
        }
        return obstacle;
    }

    /** While changes run it stays: if they do not end before this process does, it is needed. */
    @Override
    public synchronized void close() {
        if (running.isEmpty()) {
            process.ifPresent(Running::end);
            process = Optional.empty();
        }
    }
}
