package lvms.k8s.serving;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Answers requests over HTTP/1.1, plain or with TLS, to whoever can reach the port. So nothing that
 * a client does may cost much or last long: a request has a bounded size and a bounded time, and
 * one connection too many ends one that is not being answered, so that a probe gets its answer
 * while others hold connections open.
 */
public final class HttpListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpListener.class.getName());
    private static final int BACKLOG = 128; // a full one makes a probe wait for seconds
    private static final Duration PAUSE = Duration.ofMillis(100);

    /**
     * A line about what was refused comes once in so many nanoseconds: anyone may send anything.
     */
    private static final long COMPLAINTS = Duration.ofMinutes(1).toNanos();

    /** How long a client that was refused may send nothing before it hangs up, in milliseconds. */
    private static final int LINGERING = 5_000;

    private final AtomicLong nextComplaint = new AtomicLong(System.nanoTime());
    private final ServerSocket listener = new ServerSocket();
    private final Thread acceptor = Thread.ofVirtual().name("http").unstarted(this::accept);
    private final Limits limits;
    private final Optional<ServerTls> tls;
    private final HttpHandler handler;
    private final Semaphore bodies;
    private final OpenConnections open;

    private HttpListener(
            InetSocketAddress address, Limits limits, Optional<ServerTls> tls, HttpHandler handler)
            throws IOException {
        this.limits = limits;
        this.tls = tls;
        this.handler = handler;
        bodies = new Semaphore(limits.allBodiesBytes());
        open = new OpenConnections(limits);
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
                open.enter(socket);
                Thread.ofVirtual().name("http-connection").start(() -> converse(socket));
            } catch (InterruptedException e) {
                return; // nobody interrupts it
            } catch (IOException | RuntimeException | Error e) {
                if (!listener.isClosed()) { // such as no file descriptors left: they come back
                    LOG.log(WARNING, () -> "connection not accepted error=" + e);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
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
            open.leave(socket);
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
        while (answer(reader, plain, socket)) {
            limit.interrupt();
            open.idle(plain);
            socket.setSoTimeout(Math.toIntExact(limits.idle().toMillis()));
            if (!reader.awaitNext()) {
                return;
            }
            socket.setSoTimeout(0);
            open.sending(plain);
            limit = limited(plain);
        }
        limit.interrupt();
    }

    /** Answers one request; returns whether another may follow. */
    private boolean answer(RequestReader reader, Socket plain, Socket socket)
            throws IOException, InterruptedException {
        HttpRequest request;
        try {
            request = reader.read();
        } catch (RequestReader.Refused e) {
            tell(plain, e);
            e.answer().write(socket.getOutputStream(), true);
            socket.shutdownOutput();
            socket.setSoTimeout(LINGERING);
            reader.drain();
            return false;
        }
        try {
            open.answering(plain);
            boolean last = request.last() || isLast(socket);
            var answer = handler.answer(request);
            if (request.method().equals("HEAD")) {
                answer.writeHead(socket.getOutputStream(), last);
            } else {
                answer.write(socket.getOutputStream(), last);
            }
            return !last;
        } finally {
            reader.release(request);
        }
    }

    /** A client that is refused may drop the answer unread, as kube-scheduler does. */
    private void tell(Socket client, RequestReader.Refused refused) {
        long now = System.nanoTime();
        long next = nextComplaint.get();
        boolean due = now - next >= 0 && nextComplaint.compareAndSet(next, now + COMPLAINTS);
        LOG.log(
                due ? WARNING : DEBUG,
                () ->
                        "request refused client="
                                + client.getInetAddress().getHostAddress()
                                + " code="
                                + refused.answer().code()
                                + " reason="
                                + refused.getMessage());
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
                                OpenConnections.close(socket);
                                answering.interrupt();
                            } catch (InterruptedException _) {
                                return; // it was answered in time
                            }
                        });
    }

    /** Returns how many connections are open. */
    public int connections() {
        return open.size();
    }

    @Override
    public void close() {
        OpenConnections.close(listener);
        open.end();
        try {
            acceptor.join(); // until then the port still takes connections
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        open.closeAll();
    }
}
