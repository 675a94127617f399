package lvms.k8s.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.wire.Route;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy that does not lead to the server is named, in one line and without its password, and is
 * not asked without a pause.
 */
@Timeout(60)
class ProxyTests extends KubeClientCase {
    private static final URI SERVER = URI.create("https://kubernetes.test:6443");
    private static final URI PLAIN = URI.create("http://kubernetes.test:8080");

    private final AtomicInteger asked = new AtomicInteger();

    /** A proxy that gives each request this answer, or none. */
    private int proxy(String answer) throws IOException {
        var listener = closing(new ServerSocket(0, 64, InetAddress.ofLiteral("127.0.0.1")));
        Thread.ofVirtual().start(() -> accept(listener, answer));
        return listener.getLocalPort();
    }

    private void accept(ServerSocket listener, String answer) {
        while (!listener.isClosed()) {
            try {
                var connection = listener.accept();
                Thread.ofVirtual().start(() -> answer(connection, answer));
            } catch (IOException _) {
                return; // it was closed
            }
        }
    }

    private void answer(Socket connection, String answer) {
        try (connection) {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int c = connection.getInputStream().read();
                if (c < 0) {
                    return;
                }
                head.append((char) c);
            }
            asked.incrementAndGet();
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().flush();
            while (connection.getInputStream().read() >= 0) {
                continue; // until the client ends it
            }
        } catch (IOException _) {
            return; // the client has ended it
        }
    }

    private KubeClient client(URI server, String proxy) throws Exception {
        var config = KubeConfig.builder(server).proxy(URI.create(proxy)).build();
        var options = ClientOptions.of("t").callDeadline(Duration.ofSeconds(3));
        return closing(KubeClient.open(config, options));
    }

    private static void assertOneLine(ApiException failure, String expected) {
        var message = failure.getMessage();
        assertTrue(message.contains(expected), message);
        assertEquals(1, message.lines().count(), message);
        assertFalse(message.contains("hush"), message);
    }

    @Test
    void aProxyThatIsNotThereIsNamed() throws Exception {
        int port;
        try (var closed = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = closed.getLocalPort();
        }
        var client = client(SERVER, "http://127.0.0.1:" + port);
        var failure = assertThrows(ApiException.Unreachable.class, client::serverVersion);
        var way = "no connection to https://kubernetes.test:6443 through the proxy 127.0.0.1:";
        assertOneLine(failure, way + port + ": ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://kubernetes.test:6443", "http://kubernetes.test:8080"})
    void aProxyThatWantsAPasswordIsAskedOnceAndNamed(URI server) throws Exception {
        int port =
                proxy(
                        "HTTP/1.1 407 Proxy Authentication Required\r\n"
                                + "Proxy-Authenticate: Basic realm=\"hush\"\r\n"
                                + "Connection: close\r\n"
                                + "Content-Length: 0\r\n\r\n");
        var client = client(server, "http://127.0.0.1:" + port);
        var failure = assertThrows(ApiException.class, client::serverVersion);
        assertOneLine(failure, "the proxy wants a user and a password");
        assertOneLine(failure, "407");
        assertEquals(1, asked.get());
        var list =
                assertThrows(
                        ApiException.class, () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertOneLine(list, "the proxy wants a user and a password");
        assertEquals(2, asked.get());
    }

    @Test
    void thePasswordThatAProxyRefusesIsInNoMessage() throws Exception {
        int port =
                proxy(
                        "HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                                + "Content-Length: 9\r\n\r\nhush-hush");
        var client = client(PLAIN, "http://me:hush-hush@127.0.0.1:" + port);
        var failure = assertThrows(ApiException.class, client::serverVersion);
        assertOneLine(failure, "or others than proxy-url");
        assertFalse(failure.getMessage().contains("bWU6aHVzaC1odXNo"), failure.getMessage());
    }

    /** No write was sent where no tunnel was made. */
    @ParameterizedTest
    @ValueSource(ints = {403, 502, 503})
    void aProxyThatDoesNotConnectIsAskedWithPauses(int code) throws Exception {
        int port = proxy("HTTP/1.1 " + code + " x\r\nContent-Length: 0\r\n\r\n");
        var client = client(SERVER, "http://127.0.0.1:" + port);
        var failure =
                assertThrows(
                        ApiException.class,
                        () -> client.create(Types.CONFIG_MAP, Bodies.object("a", "u", 1)));
        assertOneLine(failure, "code " + code);
        assertOneLine(failure, "127.0.0.1:" + port);
        assertFalse(failure.outcomeUnknown());
        assertTrue(asked.get() <= RetryPolicy.MAX_ATTEMPTS, () -> "" + asked.get());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SSH-2.0-OpenSSH_9\r\n", "HTTP/1.1 200\r\n\r\nhush", "\r\n\r\n\r\n", ""})
    void whatIsNoProxyEndsTheCallInTimeWithOneLine(String answer) throws Exception {
        var client = client(SERVER, "http://127.0.0.1:" + proxy(answer));
        var failure = assertThrows(ApiException.Unreachable.class, client::serverVersion);
        assertOneLine(failure, "get /version: ");
        assertTrue(asked.get() <= RetryPolicy.MAX_ATTEMPTS, () -> "" + asked.get());
    }

    @ParameterizedTest
    @CsvSource({"407, wants a user and a password", "502, does not connect to the server"})
    void aStreamSaysTheSame(int code, String expected) throws Exception {
        int port = proxy("HTTP/1.1 " + code + " x\r\nContent-Length: 0\r\n\r\n");
        var client = client(SERVER, "http://127.0.0.1:" + port);
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.socket(A, "exec?command=ls", List.of("v5.channel.k8s.io")));
        assertOneLine(failure, expected);
        assertOneLine(failure, "through the proxy 127.0.0.1:" + port);
        assertFalse(failure.outcomeUnknown());
    }

    @Test
    void aConnectionThatDidNotComeAboutIsExplained() {
        var direct = new Route(SERVER, ProxySelector.of(null));
        var proxy = InetSocketAddress.createUnresolved("proxy", 3128);
        var unresolved = new ConnectException();
        unresolved.initCause(new UnresolvedAddressException());
        assertExplained(direct, new ConnectException(), "refused or not reachable");
        assertExplained(direct, unresolved, "the name of the host is unknown");
        assertExplained(direct, new UnknownHostException("x"), "the name of the host is unknown");
        assertExplained(direct, new HttpConnectTimeoutException("x"), "no answer in time");
        var led = new Route(SERVER, ProxySelector.of(proxy)).explained(new ConnectException());
        assertEquals(
                "no connection to https://kubernetes.test:6443 through the proxy proxy:3128:"
                        + " refused or not reachable",
                led.getMessage());
        assertFalse(Route.isMissing(new IOException("Connection reset")));
    }

    private static void assertExplained(Route route, IOException failure, String why) {
        assertTrue(Route.isMissing(failure));
        var told = assertInstanceOf(ConnectException.class, route.explained(failure));
        assertEquals("no connection to https://kubernetes.test:6443: " + why, told.getMessage());
    }
}
