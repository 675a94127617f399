package lvms.k8s.testkit.http;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A small HTTP/1.1 server over TLS: one virtual thread per connection, keep-alive, chunked bodies.
 *
 * <p>Not {@code jdk.httpserver}: tests must cut, stall and reset single connections, and watches
 * must learn at once that their client is gone.
 */
public final class HttpServer implements AutoCloseable {
    /** Answers one request; an exception ends the connection. */
    @FunctionalInterface
    public interface Handler {
        /** Handles the request and sends exactly one answer. */
        void handle(HttpRequest request, Exchange exchange) throws IOException;
    }

    private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());
    private static final int BACKLOG = 512;

    private final ServerSocket listener;
    private final SSLContext tls;
    private final Handler handler;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Thread acceptor = Thread.ofVirtual().name("http-accept").unstarted(this::accept);
    private volatile boolean closed;

    private HttpServer(ServerSocket listener, SSLContext tls, Handler handler) {
        this.listener = listener;
        this.tls = tls;
        this.handler = handler;
    }

    /** Starts to listen; port 0 takes a free one. */
    public static HttpServer start(InetSocketAddress address, SSLContext tls, Handler handler)
            throws IOException {
        var listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(address, BACKLOG);
        var server = new HttpServer(listener, tls, handler);
        server.acceptor.start();
        return server;
    }

    /** The port it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    /** How many connections are open. */
    public int connections() {
        return connections.size();
    }

    /** Stops listening and closes every connection; the port is free when it returns. */
    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        try {
            acceptor.join(); // the system has the port until its accept has returned
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connections.forEach(HttpServer::closeQuietly);
    }

    private void accept() {
        while (!closed) {
            try {
                var socket = listener.accept();
                connections.add(socket);
                Thread.ofVirtual().name("http-connection").start(() -> serve(socket));
            } catch (IOException e) {
                LOG.log(DEBUG, () -> "accept ended: " + e.getMessage());
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                var secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, true)) {
            socket.setTcpNoDelay(true);
            if (closed) {
                return;
            }
            secure.setUseClientMode(false);
            var in = new BufferedInputStream(secure.getInputStream());
            boolean open = true;
            while (open && !closed) {
                var exchange = new Exchange(socket, in, secure.getOutputStream());
                var request = RequestReader.read(in, secure.getOutputStream());
                if (request.isEmpty()) {
                    return;
                }
                handler.handle(request.get(), exchange);
                open = exchange.reusable(request.get());
            }
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "connection ended: " + e.getMessage());
        } finally {
            connections.remove(socket);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "close failed: " + e.getMessage());
        }
    }
}
