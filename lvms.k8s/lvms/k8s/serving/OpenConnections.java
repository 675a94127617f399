package lvms.k8s.serving;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The connections of a listener, of which there are at most so many. One too many ends one that
 * waits for its next request, else the one that has been sending its request for longest; never one
 * that is being answered. Any thread may call.
 */
final class OpenConnections {
    private static final System.Logger LOG = System.getLogger(OpenConnections.class.getName());

    /** How long each may have for its handshake and request before another one takes its place. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private enum Use {
        IDLE,
        SENDING,
        ANSWERED
    }

    private record State(Use use, long sinceNanos) {}

    private final int most;
    private final long graceNanos;
    private final Map<Socket, State> open = new LinkedHashMap<>();
    private boolean ended;

    OpenConnections(Limits limits) {
        most = limits.connections();
        // a probe sends little, and must not wait behind others that send nothing
        graceNanos = limits.idle().isZero() ? 0 : GRACE.toNanos();
    }

    /**
     * Takes in a new connection. Waits while all others are being answered, which has a bound, or
     * have only just come.
     */
    void enter(Socket socket) throws InterruptedException {
        List<Socket> superfluous;
        synchronized (this) {
            superfluous = makeRoom();
            open.put(socket, new State(Use.SENDING, System.nanoTime()));
        }
        superfluous.forEach(OpenConnections::close);
    }

    private List<Socket> makeRoom() throws InterruptedException {
        var removed = new ArrayList<Socket>();
        while (open.size() >= most && !ended) {
            long now = System.nanoTime();
            var idle = oldest(Use.IDLE);
            var victim = idle.isPresent() ? idle : oldest(Use.SENDING);
            long left =
                    victim.isEmpty() || idle.isPresent()
                            ? 0
                            : graceNanos - (now - open.get(victim.get()).sinceNanos());
            if (victim.isPresent() && left <= 0) {
                open.remove(victim.get());
                removed.add(victim.get());
            } else {
                TimeUnit.NANOSECONDS.timedWait(this, left > 0 ? left : GRACE.toNanos());
            }
        }
        return removed;
    }

    private Optional<Socket> oldest(Use use) {
        return open.entrySet().stream()
                .filter(each -> each.getValue().use() == use)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Notes that the request is complete, and the connection safe until it is answered. */
    void answering(Socket socket) throws IOException {
        become(socket, Use.ANSWERED);
    }

    /** Notes that the request was answered, and another one may come. */
    void idle(Socket socket) throws IOException {
        become(socket, Use.IDLE);
    }

    /** Notes that the next request has begun to come. */
    void sending(Socket socket) throws IOException {
        become(socket, Use.SENDING);
    }

    private synchronized void become(Socket socket, Use use) throws IOException {
        if (open.remove(socket) == null) {
            throw new IOException("it was one connection too many");
        }
        open.put(socket, new State(use, System.nanoTime()));
        notifyAll();
    }

    synchronized void leave(Socket socket) {
        open.remove(socket);
        notifyAll();
    }

    synchronized int size() {
        return open.size();
    }

    /** Nobody waits any more. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    void closeAll() {
        List<Socket> left;
        synchronized (this) {
            left = List.copyOf(open.keySet());
        }
        left.forEach(OpenConnections::close);
    }

    static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            LOG.log(DEBUG, () -> "socket did not close error=" + e.getMessage());
        }
    }
}
