package lvms.k8s.websocket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tls.Authority;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Whatever a server does, each message that it sent is received, and each fault is named. */
@Timeout(60)
class WebSocketTests {
    private static final ObjectKey POD = ObjectKey.of("default", "web-0");
    private static final String PROTOCOL = "v5.channel.k8s.io";
    private static final int PONG = 0x8a;
    private static final int CLOSE = 0x88;

    private interface Use {
        void with(WebSocket socket) throws Exception;
    }

    private static KubeClient client(SocketServer server) throws Exception {
        var address = URI.create("http://127.0.0.1:" + server.port());
        return KubeClient.open(KubeConfig.ofServer(address), "socket/1");
    }

    private static void use(SocketServer server, Use use) throws Exception {
        try (var kube = client(server);
                var socket = kube.socket(POD, "exec?command=ls", List.of(PROTOCOL, "v4"))) {
            use.with(socket);
        }
    }

    private static String text(WebSocket socket) throws IOException {
        var message = (Received.Message) socket.receive();
        return new String(message.bytes(), 1, message.bytes().length - 1, StandardCharsets.UTF_8);
    }

    private static SocketServer.Heard heard(SocketServer server) throws InterruptedException {
        var heard = server.heard.poll(30, TimeUnit.SECONDS);
        assertTrue(heard != null, "the client said nothing");
        return heard;
    }

    private static SocketServer.Script bytes(String hex) {
        return with -> {
            with.accept(PROTOCOL);
            with.raw(HexFormat.of().parseHex(hex));
            with.awaitEnd();
        };
    }

    @Test
    void whatComesRightBehindTheHandshakeIsRead() throws Exception {
        SocketServer.Script all =
                with -> {
                    with.accept(PROTOCOL);
                    for (int i = 0; i < 100; i++) {
                        with.say(1, i + "x".repeat(9_000));
                    }
                    with.end(1000, "");
                };
        try (var server = SocketServer.start(with -> with.atOnce(all))) {
            use(
                    server,
                    socket -> {
                        assertEquals(PROTOCOL, socket.protocol());
                        for (int i = 0; i < 100; i++) {
                            assertEquals(i + "x".repeat(9_000), text(socket));
                        }
                        assertEquals(new Received.Closed(1000, ""), socket.receive());
                    });
        }
    }

    @Test
    void anEndWithoutACloseTakesNothingWithIt() throws Exception {
        SocketServer.Script last =
                with -> {
                    with.accept(PROTOCOL);
                    with.say(1, "last words");
                };
        try (var server = SocketServer.start(with -> with.atOnce(last))) {
            use(
                    server,
                    socket -> {
                        assertEquals("last words", text(socket));
                        var end = assertThrows(EOFException.class, socket::receive);
                        assertEquals("the connection ended without a close", end.getMessage());
                    });
        }
    }

    @Test
    void aMessageInPartsIsOneMessageAndAPingBetweenThemIsAnswered() throws Exception {
        SocketServer.Script script =
                with -> {
                    with.accept(PROTOCOL);
                    with.sayInParts(1, "abcdef", 3);
                    with.awaitEnd();
                };
        try (var server = SocketServer.start(script)) {
            use(server, socket -> assertEquals("abcdef", text(socket)));
            var pong = heard(server);
            assertEquals(PONG, pong.head());
            assertArrayEquals(new byte[] {1}, pong.payload());
        }
    }

    @Test
    void aCloseIsAnsweredWithItsCode() throws Exception {
        SocketServer.Script script =
                with -> {
                    with.accept(PROTOCOL);
                    with.end(1001, "restart");
                    with.awaitEnd();
                };
        try (var server = SocketServer.start(script)) {
            use(
                    server,
                    socket -> {
                        var closed = new Received.Closed(1001, "restart");
                        assertEquals(closed, socket.receive());
                        assertEquals(closed, socket.receive());
                    });
            var answer = heard(server);
            assertEquals(CLOSE, answer.head());
            assertEquals(1001, answer.code());
        }
    }

    @Test
    void ourOwnCloseIsNormal() throws Exception {
        SocketServer.Script script =
                with -> {
                    with.accept(PROTOCOL);
                    with.say(1, "");
                    with.awaitEnd();
                };
        try (var server = SocketServer.start(script)) {
            use(server, WebSocket::receive);
            assertEquals(1000, heard(server).code());
            assertTrue(server.heard.isEmpty(), "one close is enough");
        }
    }

    @Test
    void aCloseWithoutACodeIsAnsweredWithoutOne() throws Exception {
        try (var server = SocketServer.start(bytes("8800"))) {
            use(server, socket -> assertEquals(new Received.Closed(1005, ""), socket.receive()));
            assertEquals(0, heard(server).payload().length);
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "a frame of 4611686018427387904 bytes where 1048576 fit, 827f4000000000000000, 1009",
        "a frame of 1048577 bytes where 1048576 fit, 827f0000000000100001, 1009",
        "a frame with a negative length, 827fffffffffffffffff, 1002",
        "a frame with a mask which servers do not use, 828000000000, 1002",
        "a frame of an extension that nobody asked for, c20100, 1002",
        "text instead of bytes, 8102c328, 1003",
        "opcode 3, 830100, 1002",
        "opcode 11, 8b0100, 1002",
        "parts of messages out of order, 800100, 1002",
        "parts of messages out of order, 020100020100, 1002",
        "a control frame in parts or too long, 0900, 1002",
        "a control frame in parts or too long, 897e0080, 1002",
        "half a code at the close, 880103, 1002",
        "closed with the reserved code 1006, 880203ee, 1002",
        "closed with code 1000 and a reason that is not UTF-8, 880403e8c328, 1007",
    })
    void whatNoServerMaySendEndsTheConnectionAndBothKnowWhy(String why, String hex, int code)
            throws Exception {
        try (var server = SocketServer.start(bytes(hex))) {
            use(
                    server,
                    socket -> {
                        var failure = assertThrows(IOException.class, socket::receive);
                        assertEquals(
                                "the server sent " + why, failure.getMessage().replace(",", ""));
                    });
            assertEquals(code, heard(server).code());
        }
    }

    @Test
    void partsAreLimitedTogether() throws Exception {
        var part = "027f0000000000080000" + "00".repeat(1 << 19); // half of what fits
        var rest = "007f0000000000080001";
        try (var server = SocketServer.start(bytes(part + rest))) {
            use(
                    server,
                    socket ->
                            assertEquals(
                                    "the server sent a frame of 524289 bytes where 524288 fit",
                                    assertThrows(IOException.class, socket::receive).getMessage()));
        }
    }

    @Test
    void anotherThreadCanEndIt() throws Exception {
        var release = new CountDownLatch(1);
        SocketServer.Script script =
                with -> {
                    with.accept(PROTOCOL);
                    release.await();
                };
        try (var server = SocketServer.start(script)) {
            use(
                    server,
                    socket -> {
                        var receiving = new FutureTask<>(socket::receive);
                        var thread = Thread.ofPlatform().start(receiving);
                        socket.abort();
                        assertThrows(Exception.class, () -> receiving.get(30, TimeUnit.SECONDS));
                        thread.join();
                    });
        } finally {
            release.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n|: code 200",
                "SSH-2.0-OpenSSH_9.2\r\n|the server's answer is no HTTP/1.1",
                "HTTP/1.1 101 x\r\nnonsense\r\n\r\n|a line that is no header",
                "HTTP/1.1 101 x\r\nA: b\r\n|the server ended the connection before it answered",
                "HTTP/1.1 101 x\r\nConnection: upgrade\r\n\r\n|it does not upgrade the connection",
                "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                        + "Sec-WebSocket-Accept: c3VycHJpc2U=\r\n\r\n|the answer to another key",
                "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                        + "Sec-WebSocket-Accept: PROOF\r\n\r\n|its subprotocol is ''",
                "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                        + "Sec-WebSocket-Accept: PROOF\r\nSec-WebSocket-Protocol: v5.channel.k8s.io"
                        + "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
                        + "|an extension that nobody asked for",
            })
    void anAnswerThatOpensNothingSaysWhy(String answerAndWhy) throws Exception {
        var parts = answerAndWhy.split("\\|");
        SocketServer.Script script = with -> with.raw(parts[0].replace("PROOF", with.proof()));
        try (var server = SocketServer.start(script)) {
            var failure = assertThrows(ApiException.Unreachable.class, () -> use(server, _ -> {}));
            assertTrue(failure.getMessage().contains(parts[1]), failure.getMessage());
        }
    }

    @Test
    void anEndlessHeadIsRefused() throws Exception {
        var line = "X-Padding: " + "x".repeat(1 << 17) + "\r\n";
        SocketServer.Script script = with -> with.raw("HTTP/1.1 101 x\r\n" + line);
        try (var server = SocketServer.start(script)) {
            var failure = assertThrows(ApiException.Unreachable.class, () -> use(server, _ -> {}));
            assertTrue(failure.getMessage().contains("too long"), failure.getMessage());
        }
    }

    /** Servers of Go send what has no known length in chunks, and proxies send hints first. */
    @Test
    void aRefusalIsReadHoweverItIsSent() throws Exception {
        var status =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":403,"
                        + "\"reason\":\"Forbidden\",\"message\":\"not you\"}";
        var first = status.substring(0, 20);
        var rest = status.substring(20);
        SocketServer.Script script =
                with -> {
                    with.raw("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
                    with.raw("HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n");
                    with.raw("14;ext=1\r\n" + first + "\r\n");
                    with.raw(Integer.toHexString(rest.length()) + "\r\n" + rest + "\r\n0\r\n\r\n");
                    with.awaitEnd();
                };
        try (var server = SocketServer.start(script)) {
            var failure = assertThrows(ApiException.Forbidden.class, () -> use(server, _ -> {}));
            assertEquals("exec pods default/web-0: not you (403 Forbidden)", failure.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void aHandshakeHasADeadline(String scheme) throws Exception {
        var gone = new CountDownLatch(1);
        try (var server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> swallow(server, gone));
            var address = URI.create(scheme + "://127.0.0.1:" + server.getLocalPort());
            var authority = Authority.make("tests", Duration.ofHours(1)).pem();
            var pem = authority.getBytes(StandardCharsets.US_ASCII);
            var config = KubeConfig.ofServer(address, pem, "token");
            try (var kube = KubeClient.open(config, "socket/1");
                    var hasty = kube.dedicated("hasty", Duration.ofMillis(200))) {
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> hasty.socket(POD, "exec?command=ls", List.of(PROTOCOL)));
                assertTrue(gone.await(30, TimeUnit.SECONDS), "the connection stays");
            }
        }
    }

    /** Reads what a client says, and answers nothing. */
    private static void swallow(ServerSocket server, CountDownLatch gone) {
        try (var client = server.accept()) {
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
            gone.countDown();
        } catch (IOException _) {
            gone.countDown(); // it was reset
        }
    }

    @Test
    void aServerThatDiesWithoutAWordEndsAConnectionThatIsKeptAlive() throws Exception {
        SocketServer.Script script =
                with -> {
                    with.accept(PROTOCOL);
                    with.awaitEnd(); // it reads, and answers no ping
                };
        try (var server = SocketServer.start(script)) {
            use(
                    server,
                    socket -> {
                        socket.keepAlive(Duration.ofMillis(100));
                        var failure = assertThrows(IOException.class, socket::receive);
                        assertTrue(
                                failure.getMessage().contains("no sign of life"),
                                failure.getMessage());
                        assertFalse(socket.aborted());
                    });
            assertTrue(heard(server).isPing());
        }
    }
}
