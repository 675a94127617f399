package lvms.node.lvmd;

import io.grpc.stub.ServerCallStreamObserver;

import lvms.api.VolumeException;
import lvms.csi.Calls;
import lvms.proto.lvmd.WatchResponse;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The open Watch streams. Each gets the whole state at once, after each change, and every ten
 * minutes. Changes that come while a message is being made lead to one more message. A slow reader
 * costs no memory: when it reads again, it gets the state of that moment.
 */
public final class Watchers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Watchers.class.getName());

    /** Others change groups and pools without telling us. */
    private static final Duration TICK = Duration.ofMinutes(10);

    private final Calls calls;
    private final Source source;
    private final Set<Watcher> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Where the state comes from. */
    public interface Source {
        WatchResponse state() throws VolumeException, InterruptedException;
    }

    public Watchers(Calls calls, Source source) {
        this.calls = calls;
        this.source = source;
    }

    void add(ServerCallStreamObserver<WatchResponse> stream) {
        var watcher = new Watcher(stream);
        open.add(watcher);
        watcher.start();
        if (closed) {
            watcher.end();
        }
    }

    /** Sends the state to all; returns at once. Any thread may call. */
    public void changed() {
        open.forEach(Watcher::changed);
    }

    /** Returns how many streams are open. */
    int readers() {
        return open.size();
    }

    /** Ends all streams: a server with open streams would not end. */
    @Override
    public void close() {
        closed = true;
        open.forEach(Watcher::end);
    }

    private final class Watcher {
        private final ServerCallStreamObserver<WatchResponse> stream;
        private final Semaphore wake = new Semaphore(0);
        private final AtomicBoolean owed = new AtomicBoolean(true);
        private final Thread thread = Thread.ofVirtual().name("watch").unstarted(this::run);

        Watcher(ServerCallStreamObserver<WatchResponse> stream) {
            this.stream = stream;
        }

        void start() {
            stream.setOnCancelHandler(thread::interrupt);
            stream.setOnReadyHandler(wake::release);
            thread.start();
        }

        void changed() {
            owed.set(true);
            wake.release();
        }

        void end() {
            thread.interrupt();
        }

        private void run() {
            try {
                while (true) {
                    if (stream.isReady() && owed.getAndSet(false)) {
                        stream.onNext(source.state());
                    }
                    if (!wake.tryAcquire(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                        owed.set(true);
                    }
                    wake.drainPermits();
                }
            } catch (Exception | Error e) {
                end(e);
            } finally {
                open.remove(this);
            }
        }

        private void end(Throwable why) {
            if (why instanceof InterruptedException && stream.isCancelled()) {
                return; // its reader left
            }
            var status = calls.failure("Watch", why);
            if (!stream.isCancelled()) {
                stream.onError(status);
            }
        }
    }
}
