package lvms.lvm2.command;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Turns within this process, so that our own commands never meet at LVM's locks, where they would
 * have to poll. Readers of a group run together; a change of the group runs alone; what reads or
 * changes all groups runs alone. Fair, so nobody starves. Calls may nest only from change to read.
 */
final class GroupLocks {
    /** What a command touches. */
    enum Mode {
        /** Reads one group. */
        READ,
        /** Changes one group. */
        CHANGE,
        /** Reads or changes groups in general, or which devices belong to which. */
        ALL
    }

    /** One turn; closing it ends it. */
    interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    private final ReentrantReadWriteLock all = new ReentrantReadWriteLock(true);
    private final ConcurrentMap<String, ReentrantReadWriteLock> groups = new ConcurrentHashMap<>();

    /** Waits for a turn; {@link Mode#ALL} ignores the name of the group. */
    Turn take(Mode mode, String vg) throws InterruptedException {
        if (mode == Mode.ALL) {
            return locked(all.writeLock());
        }
        if (all.isWriteLockedByCurrentThread()) {
            return () -> {}; // within a turn of all groups
        }
        var group = groups.computeIfAbsent(vg, _ -> new ReentrantReadWriteLock(true));
        var outer = locked(all.readLock());
        try {
            var inner = locked(mode == Mode.CHANGE ? group.writeLock() : group.readLock());
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
