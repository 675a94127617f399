package lvms.lvm2.lock;

import lvms.lvm2.LvmException;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The turns of one thing that is read together and changed alone. */
final class Turns {
    private final String what;
    private final Duration patience;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    private final Set<Held> held = ConcurrentHashMap.newKeySet();

    Turns(String what, Duration patience) {
        this.what = what;
        this.patience = patience;
    }

    private final class Held implements GroupLocks.Turn {
        private final Lock taken;
        private final long since = System.nanoTime();

        Held(Lock taken) {
            this.taken = taken;
            held.add(this);
        }

        long lastsNanos() {
            return System.nanoTime() - since;
        }

        @Override
        public void close() {
            held.remove(this);
            taken.unlock();
        }
    }

    GroupLocks.Turn read() throws LvmException, InterruptedException {
        return turn(lock.readLock());
    }

    GroupLocks.Turn change() throws LvmException, InterruptedException {
        return turn(lock.writeLock());
    }

    private GroupLocks.Turn turn(Lock wanted) throws LvmException, InterruptedException {
        long wait = 0;
        while (!wanted.tryLock(wait, TimeUnit.NANOSECONDS)) {
            long longest = held.stream().mapToLong(Held::lastsNanos).max().orElse(0);
            wait = patience.toNanos() - longest;
            if (wait <= 0) {
                throw new LvmException.LockBusy(
                        "%s: a command has held it for %d s; is a device suspended, or slow?"
                                .formatted(what, TimeUnit.NANOSECONDS.toSeconds(longest)));
            }
        }
        return new Held(wanted);
    }
}
