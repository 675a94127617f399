package lvms.lvm2.command;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * Turns within this process, so that our own commands never compete for LVM's locks, where they
 * would have to poll. Reads of one group run together. A change of a group excludes all else in
 * that group; a read or change of all groups excludes everything. The turns are fair, so nobody
 * starves. Only a read may nest in a change.
 */
final class GroupLocks {
    /** One turn; closing it ends it. */
    interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    private final ReentrantReadWriteLock all = new ReentrantReadWriteLock(true);
    private final ConcurrentMap<String, ReentrantReadWriteLock> groups = new ConcurrentHashMap<>();

    /** Waits for the turn to read one group. */
    Turn read(String vg) throws InterruptedException {
        return turn(vg, ReentrantReadWriteLock::readLock);
    }

    /** Waits for the turn to change one group. */
    Turn change(String vg) throws InterruptedException {
        return turn(vg, ReentrantReadWriteLock::writeLock);
    }

    /** Waits for the turn to read many groups, or to change which group a device belongs to. */
    Turn all() throws InterruptedException {
        return locked(all.writeLock());
    }

    private Turn turn(String vg, Function<ReentrantReadWriteLock, Lock> kind)
            throws InterruptedException {
        if (all.isWriteLockedByCurrentThread()) {
            return () -> {}; // within a turn of all groups
        }
        var group = groups.computeIfAbsent(vg, _ -> new ReentrantReadWriteLock(true));
        var outer = locked(all.readLock());
        try {
            var inner = locked(kind.apply(group));
            return () -> {
                inner.close();
                outer.close();
            };
        } catch (InterruptedException e) {
            outer.close();
            throw e;
        }
    }

    private static Turn locked(Lock lock) throws InterruptedException {
        lock.lockInterruptibly();
        return lock::unlock;
    }
}
