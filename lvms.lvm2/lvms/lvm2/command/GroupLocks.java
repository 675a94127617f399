package lvms.lvm2.command;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * Turns within this process, so that our own commands never meet at LVM's locks, where they would
 * have to poll. Readers of a group run together; a change of the group runs alone; what reads or
 * changes all groups runs alone. Fair, so nobody starves. Calls may nest only from change to read.
 */
final class GroupLocks {
    /** One turn; closing it ends it. */
    interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    private final ReentrantReadWriteLock all = new ReentrantReadWriteLock(true);
    private final ConcurrentMap<String, ReentrantReadWriteLock> groups = new ConcurrentHashMap<>();

    /** Waits for the turn of a command that reads one group. */
    Turn read(String vg) throws InterruptedException {
        return turn(vg, ReentrantReadWriteLock::readLock);
    }

    /** Waits for the turn of a command that changes one group. */
    Turn change(String vg) throws InterruptedException {
        return turn(vg, ReentrantReadWriteLock::writeLock);
    }

    /** Waits for the turn of what reads many groups, or changes which devices belong to which. */
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
