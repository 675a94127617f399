package lvms.lvm2.device;

import lvms.lvm2.ffi.EventFd;

import java.io.IOException;
import java.lang.System.Logger.Level;

/** The thread of one watch, and how another thread ends it. */
final class Watcher implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Watcher.class.getName());
    private static final long END_MILLIS = 2000;

    /** What the thread does until it is asked to end. */
    interface Work {
        /** Returns soon after {@code end} becomes readable. */
        void run(EventFd end) throws IOException;
    }

    private final EventFd end;
    private final Work work;
    private final Thread thread;
    private volatile boolean ending;

    /** Owns {@code end} from now on; nothing runs before {@link #start}. */
    Watcher(String name, EventFd end, Work work) {
        this.end = end;
        this.work = work;
        // a platform thread: it blocks in the kernel, where a virtual one would hold its carrier
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean ending() {
        return ending;
    }

    private void run() {
        try {
            work.run(end);
        } catch (IOException e) {
            LOG.log(Level.ERROR, () -> thread.getName() + " ended: " + e.getMessage());
        } finally {
            closeEnd();
        }
    }

    private synchronized void closeEnd() {
        ending = true;
        end.close();
    }

    /** Waits for the thread, unless the caller is that thread, or it hangs in a listener. */
    @Override
    public void close() {
        signal();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void signal() {
        if (ending) {
            return;
        }
        ending = true;
        try {
            end.signal();
        } catch (IOException e) {
            throw new IllegalStateException("an eventfd that cannot be signalled", e);
        }
    }
}
