package lvms.node.erasure;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Runs erasures and copies in the background: in one group all that somebody waits for, and one
 * volume at a time of those that were removed; they share the group's rate. Nothing runs, and no
 * thread exists, until the first erasure. Any thread may call.
 */
public final class Erasures implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Erasures.class.getName());

    private static final Duration MOMENT = Duration.ofSeconds(3);

    private final Map<String, Erasure> running = new ConcurrentHashMap<>();
    private final Map<String, Semaphore> turns = new ConcurrentHashMap<>();
    private final Map<String, Semaphore> removals = new ConcurrentHashMap<>();
    private final Map<String, Pace> paces = new ConcurrentHashMap<>();
    private final List<Consumer<LvName>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** Whether somebody waits for the volume. */
    public enum Urgency {
        AWAITED,
        REMOVED
    }

    /** What one erasure or copy does. */
    @FunctionalInterface
    public interface Work {
        void run(Erasure progress) throws LvmException, IOException, InterruptedException;
    }

    /**
     * Has the listener told of each volume whose erasure ended, well or not; it returns at once.
     */
    public void onEnd(Consumer<LvName> listener) {
        listeners.add(listener);
    }

    /**
     * Starts the work, or finds it running.
     *
     * @param content the volume that is erased
     * @param waiting the volume that waits for it, which may not have its name yet
     * @throws LvmException if the last try failed; the next call tries again
     */
    Erasure start(LogicalVolume content, LvName waiting, Urgency urgency, Work work)
            throws LvmException {
        var fresh =
                new Erasure(
                        Erasure.Kind.ERASURE,
                        Marks.finished(waiting),
                        content.uuid(),
                        content.sizeBytes());
        return start(fresh, content, urgency, work);
    }

    /**
     * Starts to fill a volume that somebody waits for, or finds that running.
     *
     * @throws LvmException if the last try failed; the next call tries again
     */
    public Erasure copy(LogicalVolume target, Work work) throws LvmException {
        var fresh =
                new Erasure(
                        Erasure.Kind.COPY,
                        Marks.finished(target.name()),
                        target.uuid(),
                        target.sizeBytes());
        return start(fresh, target, Urgency.AWAITED, work);
    }

    private Erasure start(Erasure fresh, LogicalVolume content, Urgency urgency, Work work)
            throws LvmException {
        var key = content.uuid();
        var now = running.get(key);
        if (now != null && now.hasEnded()) {
            running.remove(key, now);
            if (now.failure().isPresent()) {
                throw failure(now);
            }
        }
        var other = running.putIfAbsent(key, fresh);
        if (other != null) {
            return other;
        }
        Thread.ofVirtual()
                .name("erasure-" + content.name())
                .start(
                        () -> {
                            if (urgency == Urgency.AWAITED) {
                                run(key, content, fresh, work);
                            } else {
                                runInTurn(key, content, fresh, work);
                            }
                        });
        return fresh;
    }

    private static LvmException failure(Erasure ended) {
        var why = ended.failure().orElseThrow(); // whatever it is, the next try may go well
        return new LvmException.Unavailable(
                (ended.kind() == Erasure.Kind.COPY ? "filling " : "erasing ")
                        + ended.volume()
                        + ": "
                        + why.getMessage(),
                why);
    }

    private void runInTurn(String key, LogicalVolume content, Erasure erasure, Work work) {
        var turn = removals.computeIfAbsent(content.name().vg(), _ -> new Semaphore(1, true));
        turn.acquireUninterruptibly();
        try {
            run(key, content, erasure, work);
        } finally {
            turn.release();
        }
    }

    private void run(String key, LogicalVolume content, Erasure erasure, Work work) {
        Optional<Exception> failure = Optional.empty();
        try {
            if (!erasure.stopped() && !closed) {
                LOG.log(INFO, () -> text(erasure, "begins", content));
                work.run(erasure);
                LOG.log(INFO, () -> text(erasure, "ended", content));
            }
        } catch (LvmException | IOException | InterruptedException | RuntimeException e) {
            failure = Optional.of(e);
            boolean wanted = erasure.stopped(); // its volume is to be removed
            LOG.log(
                    wanted ? INFO : WARNING,
                    () ->
                            text(erasure, wanted ? "stopped" : "failed", content)
                                    + ": "
                                    + e.getMessage());
        } finally {
            if (failure.isEmpty() || erasure.stopped()) {
                running.remove(key, erasure);
            }
            erasure.end(failure);
            listeners.forEach(listener -> listener.accept(erasure.volume()));
        }
    }

    private static String text(Erasure work, String what, LogicalVolume volume) {
        return (work.kind() == Erasure.Kind.COPY ? "copy " : "erasure ")
                + what
                + " lv="
                + volume.name()
                + " sizeBytes="
                + volume.sizeBytes();
    }

    /**
     * Ends the work on a volume that nobody needs any more. It may go on for a moment more, if its
     * disk is slow.
     */
    public void stop(Identity<LvName> content) throws InterruptedException {
        var erasure = running.remove(content.uuid());
        if (erasure != null) {
            erasure.stop();
            boolean _ = erasure.await(MOMENT); // else the volume is still open
        }
    }

    /** Returns what keeps the work on a volume to the pace of its group. */
    public Pieces pieces(LvName volume, long rateBytes, Urgency urgency) {
        return new Pieces(
                volume.toString(), rateBytes, pace(volume.vg()), turn(volume.vg(), urgency));
    }

    Pace pace(String vg) {
        return paces.computeIfAbsent(vg, _ -> new Pace());
    }

    /** Has those that run side by side write in turn, a piece each: a small one ends early. */
    Semaphore turn(String vg, Urgency urgency) {
        return turns.computeIfAbsent(vg + '/' + urgency, _ -> new Semaphore(1, true));
    }

    /** Ends all erasures after what the kernel is doing now; the next process begins them anew. */
    @Override
    public void close() {
        closed = true;
        running.values().forEach(Erasure::stop);
    }
}
