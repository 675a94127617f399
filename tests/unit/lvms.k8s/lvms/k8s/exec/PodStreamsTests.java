package lvms.k8s.exec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.websocket.SocketServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Streams of pods go both ways, end as they should, and break with a failure. */
@Timeout(60)
class PodStreamsTests {
    private static final ObjectKey POD = ObjectKey.of("default", "web-0");
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String SUCCESS = "{\"status\":\"Success\"}";
    private static final byte[] END_OF_INPUT = {(byte) 255, 0};

    private final List<AutoCloseable> opened = new ArrayList<>();
    private SocketServer server;

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private <T extends AutoCloseable> T closing(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    private KubeClient client(SocketServer.Script script) throws Exception {
        server = closing(SocketServer.start(script));
        var address = URI.create("http://127.0.0.1:" + server.port());
        return closing(KubeClient.open(KubeConfig.ofServer(address), "exec/1"));
    }

    private static String failed(int code) {
        return ("{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":"
                        + "[{\"reason\":\"ExitCode\",\"message\":\"%d\"}]}}")
                .formatted(code);
    }

    private static String text(SocketServer.Heard heard) {
        return new String(heard.payload(), 1, heard.payload().length - 1, StandardCharsets.UTF_8);
    }

    @Test
    void aCommandReadsAndWrites() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, text(with.hear()).toUpperCase(Locale.ROOT));
                            assertArrayEquals(END_OF_INPUT, with.hear().payload());
                            with.say(2, "bye");
                            with.say(3, failed(4));
                            with.awaitEnd();
                        });
        try (var session = PodSession.exec(kube, POD, "web", List.of("tr", "a b"), true)) {
            session.stdin().write("hello".getBytes(StandardCharsets.UTF_8));
            assertEquals("HELLO", new String(session.stdout().readNBytes(5)));
            session.stdin().close();
            session.stdin().close();
            assertEquals("bye", new String(session.stderr().readAllBytes()));
            assertEquals(-1, session.stdout().read());
            assertEquals(4, session.exitCode(LONG));
        }
        assertEquals(
                "GET /api/v1/namespaces/default/pods/web-0/exec?container=web&stdout=true"
                        + "&stderr=true&stdin=true&command=tr&command=a%20b HTTP/1.1",
                server.heads.take().getFirst());
    }

    @Test
    void joinsTheProcessOfAContainer() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, "running");
                            with.say(3, SUCCESS);
                            with.awaitEnd();
                        });
        try (var session = PodSession.attach(kube, POD, "web", false)) {
            assertEquals("running", new String(session.stdout().readAllBytes()));
            assertEquals(0, session.exitCode(LONG));
        }
        assertEquals(
                "GET /api/v1/namespaces/default/pods/web-0/attach?container=web&stdout=true"
                        + "&stderr=true HTTP/1.1",
                server.heads.take().getFirst());
    }

    @Test
    void aConnectionThatBreaksIsAFailureOfEachStream() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, "half");
                        });
        try (var session = PodSession.exec(kube, POD, "web", List.of("ls"), false)) {
            assertThrows(ExecException.class, () -> session.exitCode(LONG));
            assertThrows(IOException.class, () -> session.stdout().readAllBytes());
            assertThrows(IOException.class, () -> session.stderr().readAllBytes());
        }
    }

    @Test
    void closingASessionEndsWhoReadsIt() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.awaitEnd();
                        });
        var session = PodSession.exec(kube, POD, "web", List.of("sleep"), false);
        var failure = new AtomicReference<IOException>();
        var reader =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        session.stdout().read();
                                    } catch (IOException e) {
                                        failure.set(e);
                                    }
                                });
        session.close();
        assertTrue(reader.join(LONG));
        assertTrue(failure.get() != null, "the read failed");
    }

    @Test
    void anOlderServerCannotEndAnInput() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v4.channel.k8s.io");
                            with.awaitEnd();
                        });
        try (var session = PodSession.exec(kube, POD, "web", List.of("cat"), true)) {
            assertThrows(IOException.class, () -> session.stdin().close());
        }
        var files = new PodFiles(kube, LONG);
        assertThrows(
                ExecException.class,
                () -> files.write(POD, "web", new ByteArrayInputStream(new byte[9]), "/f"));
    }

    @Test
    void copiesALargeFileIntoAContainer() throws Exception {
        var sent = new byte[100_000];
        new Random(1).nextBytes(sent);
        var received = new ByteArrayOutputStream();
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            for (var next = with.hear();
                                    next.payload()[0] == 0;
                                    next = with.hear()) {
                                received.write(next.payload(), 1, next.payload().length - 1);
                            }
                            with.say(3, SUCCESS);
                            with.awaitEnd();
                        });
        new PodFiles(kube, LONG).write(POD, "web", new ByteArrayInputStream(sent), "/a $b");
        assertArrayEquals(sent, received.toByteArray());
        var line = server.heads.take().getFirst();
        assertTrue(
                line.contains("command=cat%20%3E%20%22%241%22&command=sh&command=%2Fa%20%24b"),
                line);
    }

    @Test
    void copiesAFileOutOfAContainer() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            for (int i = 0; i < 200; i++) {
                                with.say(1, "x".repeat(1000));
                            }
                            with.say(3, SUCCESS);
                            with.awaitEnd();
                        });
        var out = new ByteArrayOutputStream();
        new PodFiles(kube, LONG).read(POD, "web", "/f", out);
        assertEquals(200_000, out.size());
    }

    @Test
    void aCopyThatFailsTellsTheWordsOfItsCommand() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(2, "cat: /f: No such\n file\n");
                            with.say(3, failed(1));
                            with.awaitEnd();
                        });
        var failure =
                assertThrows(
                        ExecException.class,
                        () ->
                                new PodFiles(kube, LONG)
                                        .read(POD, "web", "/f", new ByteArrayOutputStream()));
        assertEquals(
                "copy by cat in pod default/web-0: exit code 1: cat: /f: No such file",
                failure.getMessage());
    }

    @Test
    void aCopyThatHangsEndsAtItsDeadline() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.awaitEnd();
                        });
        var files = new PodFiles(kube, Duration.ofMillis(300));
        var failure =
                assertThrows(
                        ExecException.class,
                        () -> files.readFolder(POD, "web", "/d", new ByteArrayOutputStream()));
        assertTrue(failure.getMessage().contains("did not end within"), failure.getMessage());
    }

    private static final SocketServer.Script ECHO =
            with -> {
                with.accept("v4.channel.k8s.io");
                with.say(0, "\u0050\u0000");
                with.say(1, "\u0050\u0000");
                while (true) {
                    with.say(0, text(with.hear()));
                }
            };

    private PortForward forward(KubeClient kube) throws IOException {
        return closing(PortForward.open(kube, POD, 80, 0));
    }

    private Socket connect(PortForward forward) throws IOException {
        return closing(new Socket(InetAddress.getLoopbackAddress(), forward.localPort()));
    }

    @Test
    void aPortOfAPodIsReachedThroughAPortOfOurs() throws Exception {
        var forward = forward(client(ECHO));
        for (var word : List.of("first", "second")) {
            var local = connect(forward);
            local.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
            assertEquals(word, new String(local.getInputStream().readNBytes(word.length())));
        }
        assertEquals(
                "GET /api/v1/namespaces/default/pods/web-0/portforward?ports=80 HTTP/1.1",
                server.heads.take().getFirst());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatThePodDoesNotTakeIsClosed(boolean refused) throws Exception {
        var kube =
                client(
                        with -> {
                            if (refused) {
                                with.refuse(403, "");
                                return;
                            }
                            with.accept("v4.channel.k8s.io");
                            with.say(0, "\u0050\u0000");
                            with.say(1, "\u0050\u0000");
                            with.say(1, "connection refused");
                            with.awaitEnd();
                        });
        assertEquals(-1, connect(forward(kube)).getInputStream().read());
    }

    @Test
    void closingAForwardEndsItsConnections() throws Exception {
        var forward = forward(client(ECHO));
        var local = connect(forward);
        local.getOutputStream().write('x');
        assertEquals('x', local.getInputStream().read());
        forward.close();
        assertEquals(-1, local.getInputStream().read());
        assertThrows(IOException.class, () -> connect(forward));
    }

    @Test
    void aForwardOfNoPortOrATakenOneIsRefused() throws Exception {
        var kube = client(ECHO);
        assertThrows(IllegalArgumentException.class, () -> PortForward.open(kube, POD, 0, 0));
        var first = forward(kube);
        assertThrows(IOException.class, () -> PortForward.open(kube, POD, 80, first.localPort()));
    }

    @Test
    void whatTheServerRefusesIsAnApiException() throws Exception {
        var kube = client(with -> with.refuse(403, ""));
        assertThrows(
                ApiException.Forbidden.class, () -> PodSession.attach(kube, POD, "web", false));
    }
}
