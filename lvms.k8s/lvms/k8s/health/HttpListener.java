package lvms.k8s.health;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Answers small requests over plain HTTP/1.1, one for each connection, to whoever can reach the
 * port. So nothing that a client does may cost much or last long: a request has a bounded size, a
 * connection a bounded time, and one connection too many ends the oldest, so that a probe gets its
 * answer while others hold connections open.
 */
final class HttpListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpListener.class.getName());
    private static final int BACKLOG = 128; // a full one makes a probe wait for seconds
    private static final int MOST_CONNECTIONS = 32;
    private static final Duration MOST_TIME = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ServerSocket listener = new ServerSocket();
    private final Thread acceptor = Thread.ofVirtual().name("http").unstarted(this::accept);
    private final Pages pages;
    private final Duration mostTime;
    private final SequencedSet<Socket> open = new LinkedHashSet<>();

    /** What is served. */
    interface Pages {
        /** Returns the answer to a GET of the path; must return at once. */
        HttpAnswer get(String path, String query);
    }

    private HttpListener(InetSocketAddress address, Pages pages, Duration mostTime)
            throws IOException {
        this.pages = pages;
        this.mostTime = mostTime;
        try {
            listener.bind(address, BACKLOG);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    /**
     * Starts listening.
     *
     * @throws IOException if the address cannot be bound
     */
    static HttpListener start(InetSocketAddress address, Pages pages) throws IOException {
        return start(address, pages, MOST_TIME);
    }

    static HttpListener start(InetSocketAddress address, Pages pages, Duration mostTime)
            throws IOException {
        var server = new HttpListener(address, pages, mostTime);
        server.acceptor.start();
        return server;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                serve(listener.accept());
            } catch (IOException | RuntimeException | Error e) {
                if (!listener.isClosed()) { // such as no file descriptors left: they come back
                    LOG.log(WARNING, () -> "connection not accepted error=" + e);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
        }
    }

    private void serve(Socket socket) {
        enter(socket);
        var server = Thread.ofVirtual().name("http-request").start(() -> answer(socket));
        Thread.ofVirtual().name("http-limit").start(() -> endAfter(server, socket));
    }

    private void enter(Socket socket) {
        Socket oldest = null;
        synchronized (open) {
            open.add(socket);
            if (open.size() > MOST_CONNECTIONS) {
                oldest = open.removeFirst();
            }
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var answer = HttpRequest.read(socket.getInputStream()).answer(pages);
            socket.getOutputStream().write(answer.bytes());
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "request not answered error=" + e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.log(WARNING, "request not answered", e);
        } finally {
            synchronized (open) {
                open.remove(socket);
            }
        }
    }

    private void endAfter(Thread server, Socket socket) {
        try {
            if (!server.join(mostTime)) {
                close(socket);
            }
        } catch (InterruptedException e) {
            close(socket);
        }
    }

    /** Returns how many connections are open. */
    int connections() {
        synchronized (open) {
            return open.size();
        }
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            LOG.log(DEBUG, () -> "socket did not close error=" + e.getMessage());
        }
    }

    @Override
    public void close() {
        close(listener);
        try {
            acceptor.join(); // until then the port still takes connections
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Socket[] left;
        synchronized (open) {
            left = open.toArray(Socket[]::new);
        }
        for (var socket : left) {
            close(socket);
        }
    }
}
