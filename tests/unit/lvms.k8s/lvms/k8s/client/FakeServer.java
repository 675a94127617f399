package lvms.k8s.client;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import javax.net.ServerSocketFactory;

/**
 * A server that says exactly the bytes a test wants, at the level of the socket: half lines, resets
 * and silence are not to be had from a well-behaved HTTP server.
 */
public final class FakeServer implements AutoCloseable {
    /** Answers one request. */
    @FunctionalInterface
    public interface Script {
        /** Answers; returning without an answer closes the connection. */
        void answer(Request request, Reply reply) throws IOException, InterruptedException;
    }

    /** One request as it came. */
    public record Request(String method, String target, Map<String, String> headers, String body) {
        /** Returns the path without the query. */
        public String path() {
            int mark = target.indexOf('?');
            return mark < 0 ? target : target.substring(0, mark);
        }

        /** Returns a query parameter, still encoded. */
        public Optional<String> parameter(String name) {
            int mark = target.indexOf('?');
            for (var pair : (mark < 0 ? "" : target.substring(mark + 1)).split("&")) {
                if (pair.startsWith(name + "=")) {
                    return Optional.of(pair.substring(name.length() + 1));
                }
            }
            return Optional.empty();
        }

        /** Returns whether this opens a watch. */
        public boolean isWatch() {
            return parameter("watch").isPresent();
        }

        /** Returns whether this asks for a streaming list. */
        public boolean isStreamingList() {
            return parameter("sendInitialEvents").isPresent();
        }

        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    /** The way back to the client. */
    public static final class Reply {
        private final Socket socket;
        private final OutputStream out;
        private final CountDownLatch serverClosed;
        private boolean keepAlive;

        Reply(Socket socket, CountDownLatch serverClosed) throws IOException {
            this.socket = socket;
            this.out = socket.getOutputStream();
            this.serverClosed = serverClosed;
        }

        /** Answers with a whole body; headers are {@code Name: value}. */
        public void send(int code, String body, String... headers) throws IOException {
            send(code, body.getBytes(StandardCharsets.UTF_8), headers);
        }

        /** Answers with a whole body. */
        public void send(int code, byte[] body, String... headers) throws IOException {
            var head = new StringBuilder("HTTP/1.1 " + code + " X\r\n");
            head.append("Content-Length: ").append(body.length).append("\r\n");
            for (var header : headers) {
                head.append(header).append("\r\n");
            }
            raw(head + "\r\n");
            out.write(body);
            out.flush();
            keepAlive = true;
        }

        /** Begins a stream of unknown length. */
        public Reply stream() throws IOException {
            raw(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n");
            return this;
        }

        /** Sends one chunk of a stream. */
        public Reply chunk(String text) throws IOException {
            return chunk(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Sends one chunk of a stream. */
        public Reply chunk(byte[] bytes) throws IOException {
            out.write(
                    (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            raw("\r\n");
            return this;
        }

        /** Ends a stream as it should end. */
        public void end() throws IOException {
            raw("0\r\n\r\n");
            keepAlive = true;
        }

        /** Says nothing until the client hangs up or the server is closed. */
        public void hold() throws InterruptedException {
            try {
                while (serverClosed.getCount() > 0 && socket.getInputStream().read() >= 0) {
                    continue;
                }
            } catch (IOException e) {
                return; // hung up
            }
        }

        /** Cuts the connection with a reset. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /** Sends bytes as they are. */
        public void raw(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    private final ServerSocket listener;
    private final Thread acceptor;
    private final Script script;
    private final boolean secure;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    private FakeServer(ServerSocketFactory factory, int port, boolean secure, Script script)
            throws IOException {
        this.listener = factory.createServerSocket(port, 50, InetAddress.getLoopbackAddress());
        this.secure = secure;
        this.script = script;
        this.acceptor = Thread.ofVirtual().start(this::accept);
    }

    /** Starts a server on a free port of loopback. */
    public static FakeServer start(Script script) throws IOException {
        return new FakeServer(ServerSocketFactory.getDefault(), 0, false, script);
    }

    /** Starts a server on a port that another one had. */
    public static FakeServer startAt(int port, Script script) throws IOException {
        return new FakeServer(ServerSocketFactory.getDefault(), port, false, script);
    }

    /** Starts a server on sockets that are made elsewhere, such as TLS ones. */
    public static FakeServer start(ServerSocketFactory factory, Script script) throws IOException {
        return new FakeServer(factory, 0, true, script);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns its base URL. */
    public URI url() {
        return URI.create((secure ? "https" : "http") + "://127.0.0.1:" + port());
    }

    /** Returns a client of it without credentials. */
    public KubeClient client() throws KubeConfigException {
        return KubeClient.open(KubeConfig.ofServer(url()), "test/1");
    }

    /** Returns what was asked so far. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Forgets what was asked so far. */
    public void forget() {
        requests.clear();
    }

    /** Returns the watches that were opened so far. */
    public List<Request> watches() {
        return requests.stream().filter(r -> r.isWatch() && !r.isStreamingList()).toList();
    }

    /** Returns the plain lists that were asked for so far, without probes. */
    public List<Request> lists() {
        return requests.stream()
                .filter(r -> !r.isWatch() && r.parameter("limit").isEmpty())
                .toList();
    }

    /** Returns how many connections are open. */
    public int connections() {
        return open.size();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            boolean more = true;
            while (more) {
                var request = read(in);
                if (request.isEmpty()) {
                    return;
                }
                requests.add(request.get());
                var reply = new Reply(socket, closed);
                script.answer(request.get(), reply);
                more = reply.keepAlive;
            }
        } catch (IOException e) {
            return; // the client went away
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private static Optional<Request> read(InputStream in) throws IOException {
        var first = line(in);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        var headers = new TreeMap<String, String>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        var body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        var words = first.split(" ");
        return Optional.of(new Request(words[0], words[1], headers, body));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
        for (var socket : open) {
            socket.close();
        }
        try {
            acceptor.join(); // the port is free only when the accept has ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
