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
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    static String failed(int code) {
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

    private static String control(SocketServer.Heard heard) {
        return heard.payload()[0] + " " + text(heard);
    }

    @Test
    void aTerminalKnowsItsSizeAndLearnsOfANewOne() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, control(with.hear()) + "\n");
                            with.say(1, control(with.hear()) + "\n");
                            with.say(1, control(with.hear()) + "\n");
                            assertArrayEquals(END_OF_INPUT, with.hear().payload());
                            with.say(3, failed(130));
                            with.awaitEnd();
                        });
        var size = new TerminalSize(80, 24);
        try (var session = PodSession.terminal(kube, POD, "web", List.of("sh"), size)) {
            session.stdin().write("exit".getBytes(StandardCharsets.UTF_8));
            session.resize(new TerminalSize(132, 50));
            session.stdin().close();
            assertEquals(
                    List.of(
                            "4 {\"Width\":80,\"Height\":24}",
                            "0 exit",
                            "4 {\"Width\":132,\"Height\":50}"),
                    new String(session.stdout().readAllBytes()).lines().toList());
            assertEquals(-1, session.stderr().read());
            assertEquals(130, session.exitCode(LONG));
        }
        assertEquals(
                "GET /api/v1/namespaces/default/pods/web-0/exec?container=web&stdout=true"
                        + "&stdin=true&tty=true&command=sh HTTP/1.1",
                server.heads.take().getFirst());
    }

    @Test
    void joinsTheTerminalOfAContainer() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, control(with.hear()));
                            with.say(3, SUCCESS);
                            with.awaitEnd();
                        });
        var size = new TerminalSize(1, 65535);
        try (var session = PodSession.attachTerminal(kube, POD, "web", size)) {
            assertEquals(
                    "4 {\"Width\":1,\"Height\":65535}",
                    new String(session.stdout().readAllBytes()));
        }
        assertEquals(
                "GET /api/v1/namespaces/default/pods/web-0/attach?container=web&stdout=true"
                        + "&stdin=true&tty=true HTTP/1.1",
                server.heads.take().getFirst());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65536})
    void aTerminalHasASize(int size) {
        assertThrows(IllegalArgumentException.class, () -> new TerminalSize(size, 24));
        assertThrows(IllegalArgumentException.class, () -> new TerminalSize(80, size));
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
            assertThrows(IOException.class, () -> session.stdout().read(), "it is no end");
        }
    }

    @Test
    void aStreamThatWasClosedIsAFailureForWhoReadsItNevertheless() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, "unwanted");
                            with.say(2, "wanted");
                            with.say(3, SUCCESS);
                            with.awaitEnd();
                        });
        try (var session = PodSession.exec(kube, POD, "web", List.of("ls"), false)) {
            assertEquals("wanted", new String(session.stderr().readAllBytes()));
            session.stdout().close();
            assertThrows(IOException.class, () -> session.stdout().read());
            assertThrows(IOException.class, () -> session.stdout().read());
            assertEquals(0, session.exitCode(LONG));
        }
    }

    /** What runs in a pod runs in earnest. */
    @Test
    @Behaviour(83)
    void aDryRunStartsNothing() throws Exception {
        var kube = client(with -> with.accept("v5.channel.k8s.io")).dryRun();
        List<Executable> starts =
                List.of(
                        () -> PodSession.exec(kube, POD, "web", List.of("rm"), false),
                        () -> PodSession.attach(kube, POD, "web", true),
                        () -> new PodExec(kube, LONG, 1_000).run(POD, "web", List.of("rm")),
                        () ->
                                new PodFiles(kube, LONG)
                                        .read(POD, "web", "/f", new ByteArrayOutputStream()));
        for (var start : starts) {
            var failure = assertThrows(ApiException.Unsupported.class, start);
            assertTrue(failure.getMessage().contains("in a dry run"), failure.getMessage());
        }
        try (var forward = PortForward.open(kube, POD, 80, 0);
                var local = new Socket(InetAddress.getLoopbackAddress(), forward.localPort())) {
            assertEquals(-1, local.getInputStream().read());
            assertTrue(forward.problem(80).orElseThrow().contains("in a dry run"));
        }
        assertEquals(0, server.heads.size());
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

    /** Without an end of the session the command would wait for the rest of its input. */
    @Test
    void aSourceThatCannotBeReadEndsTheCopyAtOnce() throws Exception {
        var ended = new CountDownLatch(1);
        var kube =
                client(
                        with -> {
                            try {
                                with.accept("v5.channel.k8s.io");
                                with.awaitEnd();
                            } finally {
                                ended.countDown();
                            }
                        });
        var source =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("the disk is gone");
                    }
                };
        var files = new PodFiles(kube, Duration.ofDays(1));
        var failure =
                assertThrows(ExecException.class, () -> files.write(POD, "web", source, "/f"));
        assertEquals("copy by sh in pod default/web-0: the disk is gone", failure.getMessage());
        assertTrue(ended.await(30, TimeUnit.SECONDS));
    }

    /** What the command says counts, not that its input could not be sent any more. */
    @Test
    void aCommandThatTakesNoMoreInputSaysWhy() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.hear();
                            with.say(2, "sh: /f: No space left on device");
                            with.say(3, failed(1));
                        });
        var endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 0;
                    }
                };
        var files = new PodFiles(kube, LONG);
        var failure =
                assertThrows(ExecException.class, () -> files.write(POD, "web", endless, "/f"));
        assertTrue(failure.getMessage().endsWith("No space left on device"), failure.getMessage());
    }

    private PortForward forward(KubeClient kube) throws IOException {
        return closing(PortForward.open(kube, POD, 80, 0));
    }

    private Socket connect(PortForward forward) throws IOException {
        return connect(forward.localPort());
    }

    private Socket connect(int port) throws IOException {
        return closing(new Socket(InetAddress.getLoopbackAddress(), port));
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

    private static final SocketServer.Script ECHO_OR_NOBODY =
            with -> {
                if (with.head().getFirst().contains("ports=81")) {
                    with.accept("v4.channel.k8s.io");
                    with.say(0, "\u0051\u0000");
                    with.say(1, "\u0051\u0000");
                    with.say(1, "failed to connect to localhost:81:\n connection refused\n");
                    with.awaitEnd();
                } else {
                    ECHO.play(with);
                }
            };

    @Test
    void eachOfSeveralPortsHasItsOwnProblem() throws Exception {
        var kube = client(ECHO_OR_NOBODY);
        var forward = closing(PortForward.open(kube, POD, Map.of(80, 0, 81, 0)));
        assertThrows(IllegalStateException.class, forward::localPort);
        assertThrows(IllegalArgumentException.class, () -> forward.localPort(82));
        assertThrows(IllegalArgumentException.class, () -> forward.problem(82));
        assertEquals(Optional.empty(), forward.problem(81));
        assertEquals(-1, connect(forward.localPort(81)).getInputStream().read());
        assertEquals(
                Optional.of("failed to connect to localhost:81: connection refused"),
                forward.problem(81));
        assertEchoes(connect(forward.localPort(80)), "still there");
        assertEquals(Optional.empty(), forward.problem(80));
    }

    @Test
    void aProblemIsOverOnceThePodAnswers() throws Exception {
        var first = new AtomicBoolean(true);
        var kube =
                client(
                        with -> {
                            if (first.getAndSet(false)) {
                                with.refuse(500, "{}");
                            } else {
                                ECHO.play(with);
                            }
                        });
        var forward = forward(kube);
        assertEquals(-1, connect(forward).getInputStream().read());
        assertTrue(forward.problem(80).orElseThrow().contains("500"), "" + forward.problem(80));
        assertEchoes(connect(forward), "back");
        assertEquals(Optional.empty(), forward.problem(80));
    }

    @Test
    void manyConnectionsAtOnceDoNotMix() throws Exception {
        var forward = forward(client(ECHO));
        var connections = new ArrayList<Socket>();
        for (int i = 0; i < 40; i++) {
            connections.add(connect(forward));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < connections.size(); i++) {
                assertEchoes(connections.get(i), "round " + round + " of " + i);
            }
        }
    }

    @Test
    void severalPortsAreForwardedOrNone() throws Exception {
        var kube = client(ECHO);
        var taken = forward(kube).localPort();
        var ports = new LinkedHashMap<Integer, Integer>();
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ports.put(80, free.getLocalPort());
        }
        ports.put(81, taken);
        var failure = assertThrows(IOException.class, () -> PortForward.open(kube, POD, ports));
        assertTrue(failure.getMessage().contains("" + taken), failure.getMessage());
        ports.remove(81);
        closing(PortForward.open(kube, POD, ports)); // the first one was given back
        assertThrows(IllegalArgumentException.class, () -> PortForward.open(kube, POD, Map.of()));
    }

    private static void assertEchoes(Socket local, String word) throws IOException {
        local.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
        assertEquals(word, new String(local.getInputStream().readNBytes(word.length())));
    }

    @Test
    void anIdleForwardIsPinged() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v4.channel.k8s.io");
                            with.say(0, "\u0050\u0000");
                            var ping = with.hear();
                            assertTrue(ping.isPing());
                            with.pong(ping);
                            with.say(0, "pinged");
                            with.awaitEnd();
                        });
        var streams = new PodStreams(kube, Duration.ofSeconds(1));
        var forward = closing(PortForward.open(streams, POD, Map.of(80, 0)));
        var local = connect(forward);
        assertEquals("pinged", new String(local.getInputStream().readNBytes(6)));
    }

    @Test
    void aForwardWhosePeerDiedEndsAndSaysSo() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v4.channel.k8s.io");
                            with.awaitEnd(); // it answers no ping
                        });
        var streams = new PodStreams(kube, Duration.ofMillis(100));
        var forward = closing(PortForward.open(streams, POD, Map.of(80, 0)));
        assertEquals(-1, connect(forward).getInputStream().read());
        assertTrue(forward.problem(80).orElseThrow().contains("no sign of life"));
    }

    @Test
    void aSessionWhosePeerDiedBreaks() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.awaitEnd();
                        });
        var streams = new PodStreams(kube, Duration.ofMillis(100));
        try (var session = PodSession.exec(streams, POD, "web", List.of("top"), false)) {
            var failure = assertThrows(ExecException.class, () -> session.exitCode(LONG));
            assertTrue(failure.getMessage().contains("no sign of life"), failure.getMessage());
        }
    }

    /** A channel that no byte of a signed type has. */
    @Test
    void aChannelThatNobodyOpenedIsLeftOut() throws Exception {
        var kube =
                client(
                        with -> {
                            with.accept("v4.channel.k8s.io");
                            with.say(255, "x");
                            with.say(2, "x");
                            with.say(0, "\u0050\u0000");
                            with.say(0, "data");
                            with.awaitEnd();
                        });
        assertEquals("data", new String(connect(forward(kube)).getInputStream().readNBytes(4)));
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
