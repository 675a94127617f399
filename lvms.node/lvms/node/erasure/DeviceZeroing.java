package lvms.node.erasure;

import static java.lang.System.Logger.Level.INFO;

import lvms.lvm2.content.DeviceErasure;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Overwrites whole devices with zeros in the background, a piece of each in turn, at one rate for
 * all. Nothing runs, and no thread exists, until the first. Any thread may call.
 */
public final class DeviceZeroing implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeviceZeroing.class.getName());

    private final long rateBytes;
    private final Runnable onEnd;
    private final Pace pace = new Pace();
    private final Semaphore turn = new Semaphore(1, true);
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param rateBytes most bytes in a second
     * @param onEnd called when one has ended; returns at once
     */
    public DeviceZeroing(long rateBytes, Runnable onEnd) {
        this.rateBytes = rateBytes;
        this.onEnd = onEnd;
    }

    /** Opens a device, which must be the right one. */
    @FunctionalInterface
    public interface Claim {
        DeviceErasure open() throws IOException;
    }

    /** How far one device is. */
    public final class Run implements Work {
        private volatile long durableBytes;
        private volatile boolean ended;
        private volatile boolean stopped;
        private volatile Optional<String> failure = Optional.empty();

        private Run(long durableBytes) {
            this.durableBytes = durableBytes;
        }

        /** Returns how many bytes from the start are zeros after a power cut, too. */
        public long durableBytes() {
            return durableBytes;
        }

        public boolean ended() {
            return ended;
        }

        /** Returns why it ended too early; empty if all of the device is zeros. */
        public Optional<String> failure() {
            return failure;
        }

        @Override
        public boolean stopped() {
            return closed || stopped;
        }

        @Override
        public void progress(long done, long total) {}

        @Override
        public void durable(long done) {
            durableBytes = done;
        }
    }

    public Optional<Run> find(String key) {
        return Optional.ofNullable(runs.get(key));
    }

    /** Forgets one that has ended; it may begin again. */
    public void forget(String key) {
        runs.remove(key);
    }

    /** Ends one after what the kernel is doing now, if it runs. */
    public void stop(String key) {
        var run = runs.remove(key);
        if (run != null) {
            run.stopped = true;
        }
    }

    /**
     * Begins, unless it has begun.
     *
     * @param key of the device, for {@link #find}
     * @param name for people
     * @param from how many bytes are zeros already
     * @param claim opens the device, which must be the right one
     */
    public void start(String key, String name, long from, Claim claim) {
        var run = new Run(from);
        if (runs.putIfAbsent(key, run) != null) {
            return;
        }
        LOG.log(INFO, () -> "erasing a device name=" + name + " fromBytes=" + from);
        var erasure = new ContentErasure(claim, from, new Pieces(name, rateBytes, pace, turn));
        Thread.ofVirtual()
                .name("erasure-" + name)
                .start(
                        () -> {
                            try {
                                erasure.zero(run);
                            } catch (Exception e) { // whatever it is, it is shown and tried again
                                run.failure = Optional.of(String.valueOf(e.getMessage()));
                            } finally {
                                run.ended = true;
                                onEnd.run();
                            }
                        });
    }

    /** Ends all after what the kernel is doing now. */
    @Override
    public void close() {
        closed = true;
    }
}
