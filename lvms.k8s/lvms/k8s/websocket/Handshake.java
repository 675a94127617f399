package lvms.k8s.websocket;

import lvms.k8s.config.KubeConfig;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The request that turns a connection into a WebSocket (RFC 6455, section 4).
 *
 * @param target URL of scheme http or https
 * @param headers further headers of the request, such as {@code Authorization}
 * @param protocols subprotocols, the best one first; the server has to choose one of them
 */
public record Handshake(URI target, List<Header> headers, List<String> protocols) {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int FIRST_FAILURE = 300;

    /** A line of the request; a name may occur in several. */
    public record Header(String name, String value) {
        /**
         * @throws IllegalArgumentException if it would be more than one line
         */
        public Header {
            if ((name + value).chars().anyMatch(c -> c < ' ')) {
                throw new IllegalArgumentException(name + ": not a value of a header");
            }
        }
    }

    public Handshake {
        headers = List.copyOf(headers);
        protocols = List.copyOf(protocols);
    }

    /**
     * Begins it, on a connection of its own with the proxy, trust and identity of the
     * configuration. Cancelling ends the connection.
     *
     * <p>It fails with a {@link Refusal} if the server answers with a failure, and with an {@link
     * IOException} if the connection breaks or the answer is no handshake.
     */
    public Future<WebSocket> begin(KubeConfig config) {
        var opening = new FutureTask<>(() -> new Dialer(config).open(this));
        Thread.ofVirtual().name("kube-socket").start(opening);
        return opening;
    }

    /**
     * Makes it on a connection, which belongs to the WebSocket from then on.
     *
     * @param secured what the bytes go through: the connection itself, or TLS on top of it
     * @param connection what ends it, at once and from any thread
     */
    WebSocket on(Socket secured, Closeable connection) throws IOException, Refusal {
        var key = key();
        var out = secured.getOutputStream();
        out.write(request(key).getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        var in = new BufferedInputStream(secured.getInputStream());
        var head = AnswerHead.read(in);
        if (head.code() != SWITCHING_PROTOCOLS) {
            throw refused(head, in);
        }
        return new WebSocket(protocol(head, key), in, out, connection);
    }

    private static Refusal refused(AnswerHead head, BufferedInputStream in) throws IOException {
        if (head.code() < FIRST_FAILURE) {
            throw noHandshake("code " + head.code());
        }
        return new Refusal(head.code(), head.headers(), head.body(in));
    }

    private static String key() {
        var bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private String request(String key) {
        var text = new StringBuilder();
        var path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
        var query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
        var port = target.getPort() < 0 ? "" : ":" + target.getPort();
        text.append("GET ").append(path).append(query).append(" HTTP/1.1\r\n");
        header(text, "Host", target.getHost() + port);
        header(text, "Upgrade", "websocket");
        header(text, "Connection", "Upgrade");
        header(text, "Sec-WebSocket-Version", "13");
        header(text, "Sec-WebSocket-Key", key);
        header(text, "Sec-WebSocket-Protocol", String.join(", ", protocols));
        headers.forEach(one -> header(text, one.name(), one.value()));
        return text.append("\r\n").toString();
    }

    private static void header(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append("\r\n");
    }

    private String protocol(AnswerHead head, String key) throws IOException {
        if (!head.names("Upgrade", "websocket") || !head.names("Connection", "upgrade")) {
            throw noHandshake("it does not upgrade the connection");
        }
        if (!head.only("Sec-WebSocket-Accept").equals(accept(key))) {
            throw noHandshake("it is the answer to another key");
        }
        if (!head.only("Sec-WebSocket-Extensions").isEmpty()) {
            throw noHandshake("it has an extension that nobody asked for");
        }
        var chosen = head.only("Sec-WebSocket-Protocol");
        if (!protocols.contains(chosen)) {
            throw noHandshake("its subprotocol is '" + chosen + "', none of " + protocols);
        }
        return chosen;
    }

    private static IOException noHandshake(String why) {
        return new IOException("the server's answer opens no WebSocket: " + why);
    }

    private static String accept(String key) {
        try {
            var sha1 = MessageDigest.getInstance("SHA-1");
            var bytes = (key + GUID).getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder().encodeToString(sha1.digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has it", e);
        }
    }
}
