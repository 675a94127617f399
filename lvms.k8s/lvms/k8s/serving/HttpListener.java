package lvms.k8s.serving;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Answers requests over HTTP/1.1, plain or with TLS, to whoever can reach the port. So nothing that
 * a client does may cost much or last long: a request has a bounded size and a bounded time, and
 * one connection too many ends the one that has waited longest, so that a probe gets its answer
 * while others hold connections open.
 */
public final class HttpListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpListener.class.getName());
    private static final int BACKLOG = 128; // a full one makes a probe wait for seconds
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ServerSocket listener = new ServerSocket();
    private final Thread acceptor = Thread.ofVirtual().name("http").unstarted(this::accept);
    private final Limits limits;
    private final Optional<ServerTls> tls;
    private final HttpHandler handler;
    private final Semaphore bodies;
    private final SequencedSet<Socket> open = new LinkedHashSet<>();

    private HttpListener(
            InetSocketAddress address, Limits limits, Optional<ServerTls> tls, HttpHandler handler)
            throws IOException {
        this.limits = limits;
        this.tls = tls;
        this.handler = handler;
        bodies = new Semaphore(limits.allBodiesBytes());
        try {
            listener.bind(address, BACKLOG);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    /**
     * Starts listening, in plain text.
     *
     * @throws IOException if the address cannot be bound
     */
    public static HttpListener start(InetSocketAddress address, Limits limits, HttpHandler handler)
            throws IOException {
        return start(address, limits, Optional.empty(), handler);
    }

    /**
     * Starts listening.
     *
     * @param tls secures each connection; plain text if empty
     * @throws IOException if the address cannot be bound
     */
    public static HttpListener start(
            InetSocketAddress address, Limits limits, Optional<ServerTls> tls, HttpHandler handler)
            throws IOException {
        var server = new HttpListener(address, limits, tls, handler);
        server.acceptor.start();
        return server;
    }

    /** Returns where it listens; if port 0 was asked for, this has the real one. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var socket = listener.accept();
                enter(socket);
                Thread.ofVirtual().name("http-connection").start(() -> converse(socket));
            } catch (IOException | RuntimeException | Error e) {
                if (!listener.isClosed()) { // such as no file descriptors left: they come back
                    LOG.log(WARNING, () -> "connection not accepted error=" + e);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
        }
    }

    /** Notes that a connection is in use from now on, and ends the oldest if it is one too many. */
    private void enter(Socket socket) {
        Socket oldest = null;
        synchronized (open) {
            open.addLast(socket);
            if (open.size() > limits.connections()) {
                oldest = open.removeFirst();
            }
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    private void converse(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            answerAll(socket);
        } catch (SocketTimeoutException e) {
            LOG.log(DEBUG, "connection was idle");
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "request not answered error=" + e.getMessage());
        } catch (InterruptedException e) {
            LOG.log(DEBUG, "request took too long");
        } catch (RuntimeException | Error e) {
            LOG.log(WARNING, "request not answered", e);
        } finally {
            synchronized (open) {
                open.remove(socket);
            }
        }
    }

    private void answerAll(Socket plain) throws IOException, InterruptedException {
        var limit = limited(plain);
        var socket = tls.isPresent() ? tls.get().secure(plain) : plain;
        var reader =
                new RequestReader(
                        plain.getInetAddress().getHostAddress(),
                        socket.getInputStream(),
                        socket.getOutputStream(),
                        limits,
                        bodies);
        while (answer(reader, socket)) {
            limit.interrupt();
            socket.setSoTimeout(Math.toIntExact(limits.idle().toMillis()));
            if (!reader.awaitNext()) {
                return;
            }
            socket.setSoTimeout(0);
            enter(plain);
            limit = limited(plain);
        }
        limit.interrupt();
    }

    /** Answers one request; returns whether another may follow. */
    private boolean answer(RequestReader reader, Socket socket)
            throws IOException, InterruptedException {
        HttpRequest request;
        try {
            request = reader.read();
        } catch (RequestReader.Refused e) {
            e.answer().write(socket.getOutputStream(), true);
            socket.shutdownOutput();
            reader.drain();
            return false;
        }
        try {
            boolean last = request.last() || isLast(socket);
            handler.answer(request).write(socket.getOutputStream(), last);
            return !last;
        } finally {
            reader.release(request);
        }
    }

    /** A connection does not outlive the listener, nor what its TLS may be. */
    private boolean isLast(Socket socket) {
        return limits.idle().isZero()
                || listener.isClosed()
                || tls.filter(now -> !now.accepts(socket)).isPresent();
    }

    /** Ends the connection, and what answers on it, unless the returned thread is interrupted. */
    private Thread limited(Socket socket) {
        var answering = Thread.currentThread();
        return Thread.ofVirtual()
                .name("http-limit")
                .start(
                        () -> {
                            try {
                                Thread.sleep(limits.request());
                                close(socket);
                                answering.interrupt();
                            } catch (InterruptedException _) {
                                return; // it was answered in time
                            }
                        });
    }

    /** Returns how many connections are open. */
    public int connections() {
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
