package lvms.operator.volume;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** One lock for each key, kept only while somebody wants it. */
final class KeyedLocks {
    private final Map<String, Entry> entries = new HashMap<>();

    private static final class Entry {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    /** A lock that is held until it is closed, by the thread that took it. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Takes the lock of a key; an interrupt ends the wait. */
    Held take(String key) throws InterruptedException {
        var entry = enter(key);
        try {
            entry.lock.lockInterruptibly();
        } catch (InterruptedException e) {
            leave(key, entry);
            throw e;
        }
        return () -> {
            entry.lock.unlock();
            leave(key, entry);
        };
    }

    private synchronized Entry enter(String key) {
        var entry = entries.computeIfAbsent(key, _ -> new Entry());
        entry.users++;
        return entry;
    }

    private synchronized void leave(String key, Entry entry) {
        if (--entry.users == 0) {
            entries.remove(key);
        }
    }

    synchronized int size() {
        return entries.size();
    }
}
