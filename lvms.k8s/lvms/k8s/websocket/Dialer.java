package lvms.k8s.websocket;

import lvms.k8s.config.KubeConfig;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/**
 * Opens WebSockets to an API server, each on a connection of its own with the certificates of that
 * moment.
 */
record Dialer(KubeConfig config) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int OK = 200;
    private static final int FIRST_FAILURE = 300;
    private static final int PROXY_AUTHENTICATION = 407;

    /** Waits for a handshake; on a virtual thread an interrupt ends the connection. */
    WebSocket open(Handshake handshake) throws IOException, Refusal {
        var connection = new Socket(Proxy.NO_PROXY);
        try {
            return handshake.on(connect(connection), connection);
        } catch (IOException | Refusal | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private Proxy proxy() {
        return config.proxy().select(config.server()).getFirst();
    }

    /** Up to here nothing was asked of the server, and each failure says so by its type. */
    private Socket connect(Socket connection) throws IOException {
        var server = config.server();
        try {
            if (proxy().address() instanceof InetSocketAddress proxy) {
                dial(connection, proxy.getHostString(), proxy.getPort());
                tunnel(connection, server);
            } else {
                dial(connection, host(server), port(server));
            }
            return secured(connection, server);
        } catch (ConnectException | UnknownHostException | SSLHandshakeException e) {
            throw e;
        } catch (IOException e) {
            throw new ConnectException(e.getMessage()); // a cause would be taken for the failure
        }
    }

    private static void dial(Socket connection, String host, int port) throws IOException {
        connection.connect(new InetSocketAddress(host, port), (int) CONNECT_TIMEOUT.toMillis());
        connection.setTcpNoDelay(true);
    }

    /** The server's name is left to the proxy: it may know more names than we do. */
    private void tunnel(Socket connection, URI server) throws IOException {
        var target = server.getHost() + ":" + port(server);
        var request = new StringBuilder("CONNECT " + target + " HTTP/1.1\r\n");
        request.append("Host: ").append(target).append("\r\n");
        config.proxyAuthorization()
                .ifPresent(
                        value ->
                                request.append("Proxy-Authorization: ")
                                        .append(value)
                                        .append("\r\n"));
        connection.setSoTimeout((int) CONNECT_TIMEOUT.toMillis());
        var bytes = request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        connection.getOutputStream().write(bytes);
        int code = AnswerHead.read(connection.getInputStream()).code();
        if (code == PROXY_AUTHENTICATION) {
            throw new ConnectException(
                    "the proxy wants a user and a password, or others than those it got: code 407");
        }
        if (code < OK || code >= FIRST_FAILURE) {
            throw new ConnectException("the proxy does not connect to the server: code " + code);
        }
        connection.setSoTimeout(0);
    }

    private static String host(URI server) {
        var host = server.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(URI server) {
        if (server.getPort() >= 0) {
            return server.getPort();
        }
        return server.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT;
    }

    private Socket secured(Socket connection, URI server) throws IOException {
        try {
            var context = config.tlsContext();
            if (context.isEmpty()) {
                return connection;
            }
            var factory = context.get().getSocketFactory();
            var secured =
                    (SSLSocket) factory.createSocket(connection, host(server), port(server), true);
            secured.setSSLParameters(config.tlsParameters(context.get()));
            secured.startHandshake();
            return secured;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the check of the configuration made one of these", e);
        }
    }
}
