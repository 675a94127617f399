package lvms.k8s.secret;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A value read from files, and read again once it is older than a period.
 *
 * <p>If it cannot be read again, the old value stays in use. Any thread may use it.
 *
 * @param <T> type of the value
 */
public final class Reloading<T> {
    private static final System.Logger LOG = System.getLogger(Reloading.class.getName());

    /** Reads and parses the value. */
    public interface Reader<T> {
        T read() throws IOException;
    }

    private final String what;
    private final Reader<T> reader;
    private final long periodNanos;
    private final LongSupplier nanoClock;
    private final AtomicLong failures = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private T value;
    private long readAtNanos;

    public Reloading(String what, Reader<T> reader, Duration period, LongSupplier nanoClock) {
        this.what = what;
        this.reader = reader;
        this.periodNanos = period.toNanos();
        this.nanoClock = nanoClock;
    }

    /** Returns the value, read again if it is old. */
    public T get() throws IOException {
        lock.lock();
        try {
            if (value == null || nanoClock.getAsLong() - readAtNanos >= periodNanos) {
                reload();
            }
            return value;
        } finally {
            lock.unlock();
        }
    }

    /** Reads the value again and returns it. */
    public T refresh() throws IOException {
        lock.lock();
        try {
            reload();
            return value;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often a later read failed. */
    public long failures() {
        return failures.get();
    }

    private void reload() throws IOException {
        try {
            value = reader.read();
        } catch (IOException | RuntimeException e) { // a parser may throw at half a file
            if (value == null) {
                throw e;
            }
            failures.incrementAndGet();
            LOG.log(
                    WARNING,
                    () ->
                            what
                                    + " cannot be read again; what was read before stays in force: "
                                    + e);
        }
        readAtNanos = nanoClock.getAsLong();
    }
}
