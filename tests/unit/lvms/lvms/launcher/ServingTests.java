package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.controller.Manager;
import lvms.k8s.health.Check;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** A process closes what it opened in reverse order, whatever happens, and ends as it is told. */
@Timeout(30)
@LinuxOnly
class ServingTests {
    private final List<String> closed = new ArrayList<>();
    private final CompletableFuture<Integer> halted = new CompletableFuture<>();
    private final Serving serving = new Serving("test", halted::complete);

    /** Its shutdown hook waits for this. */
    @AfterEach
    void close() {
        serving.close();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static int status(int port, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    private void open(String part) {
        serving.closing(() -> closed.add(part));
    }

    @Test
    void closesInReverseOrder() {
        open("first");
        open("second");
        open("third");
        serving.close();
        assertEquals(List.of("third", "second", "first"), closed);
    }

    @Test
    void aPartThatDoesNotCloseKeepsNoOtherOpen() {
        open("first");
        serving.closing(
                () -> {
                    throw new IOException("stuck");
                });
        open("third");
        serving.close();
        assertEquals(List.of("third", "first"), closed);
    }

    @Test
    void closingTwiceClosesOnce() {
        open("only");
        serving.close();
        serving.close();
        assertEquals(List.of("only"), closed);
    }

    @Test
    void theFirstReasonToEndGivesTheExitCode() throws Exception {
        serving.end(1);
        serving.end(3);
        assertEquals(1, serving.awaitEnd());
    }

    @Test
    void waitsUntilAnotherThreadEndsIt() throws Exception {
        Thread.ofVirtual().start(() -> serving.end(0));
        assertEquals(0, serving.awaitEnd());
    }

    @Test
    @Safety(29)
    void isHaltedIfAPartDoesNotCloseInTime() throws Exception {
        var stuck = new CountDownLatch(1);
        serving.closing(stuck::await);
        serving.endWithin(3, Duration.ofMillis(50));
        assertEquals(3, serving.awaitEnd());
        var closing = Thread.ofVirtual().start(serving::close);
        assertEquals(3, halted.get());
        stuck.countDown();
        closing.join();
    }

    @Test
    void isNotHaltedIfAllIsClosed() throws Exception {
        serving.endWithin(1, Duration.ofMinutes(1));
        serving.close();
        var waiting = Thread.getAllStackTraces().keySet().stream();
        for (var thread : waiting.filter(t -> t.getName().equals("end")).toList()) {
            thread.join();
        }
        assertFalse(halted.isDone());
    }

    /** A process whose only part closes at once, or never. */
    static final class Program {
        public static void main(String[] arguments) throws InterruptedException {
            try (var serving = new Serving("test")) {
                serving.closing(
                        () -> {
                            System.out.println("closing");
                            if (arguments[0].equals("stuck")) {
                                new CountDownLatch(1).await();
                            }
                        });
                System.out.println("serving");
                serving.awaitEnd();
            }
        }
    }

    private static Process program(String argument) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var path = System.getProperty("java.class.path");
        return new ProcessBuilder(java, "-cp", path, Program.class.getName(), argument)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Test
    @Behaviour(93)
    void oneSignalEndsAProcessWithCodeZero() throws Exception {
        var process = program("quick");
        assertEquals("serving", process.inputReader().readLine());
        process.toHandle().destroy(); // which keeps its output open
        assertEquals(0, process.waitFor());
    }

    /** As in controller-runtime: whoever waits for a part that hangs may say so once more. */
    @Test
    void aSecondSignalEndsAProcessAtOnceWithCodeOne() throws Exception {
        var process = program("stuck");
        assertEquals("serving", process.inputReader().readLine());
        process.toHandle().destroy();
        assertEquals("closing", process.inputReader().readLine());
        process.toHandle().destroy();
        assertEquals(1, process.waitFor());
    }

    /** Else the kernel ends a process that has not given its lease away. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "deploy/base/operator.yaml",
                "lvms.operator/lvms/operator/unit/AgentDaemonSet.java"
            })
    void aPodHasMoreTimeThanAnEndTakes(Path file) throws IOException {
        var given =
                Pattern.compile("terminationGracePeriodSeconds\"?: (\\d+)")
                        .matcher(Files.readString(file));
        assertTrue(given.find());
        var seconds = Duration.ofSeconds(Long.parseLong(given.group(1)));
        assertTrue(seconds.compareTo(Manager.LONGEST_END) > 0, seconds::toString);
    }

    @Test
    void saysWhetherItIsReady() throws Exception {
        var ready = new AtomicBoolean();
        int port = freePort();
        var flags =
                Flags.parse(
                        List.of(Serving.HEALTH),
                        List.of("--health-probe-bind-address=127.0.0.1:" + port));
        serving.health(flags, new Check("part", ready::get));
        assertEquals(200, status(port, "/healthz"));
        assertEquals(500, status(port, "/readyz"));
        ready.set(true);
        assertEquals(200, status(port, "/readyz"));
        serving.end(0);
        assertEquals(500, status(port, "/readyz"), "nobody is sent here any more");
        assertEquals(200, status(port, "/healthz"));
        serving.close();
        assertThrows(IOException.class, () -> status(port, "/healthz"));
    }

    private int profiling(String host) throws Exception {
        int port = freePort();
        var argument = "--profiling-bind-address=" + host + ":" + port;
        serving.profiling(Flags.parse(List.of(TopolvmFlags.PROFILING), List.of(argument)));
        return port;
    }

    @Test
    void tellsOfItselfWhereItIsTold() throws Exception {
        serving.profiling(Flags.parse(List.of(TopolvmFlags.PROFILING), List.of()));
        assertEquals(200, status(profiling("127.0.0.1"), "/debug/pprof/"));
    }

    /** Without a cluster nobody can say who may read it. */
    @Test
    void tellsOthersNothingOfItself() throws Exception {
        int port = profiling("0.0.0.0");
        assertThrows(IOException.class, () -> status(port, "/debug/pprof/"));
    }

    @Test
    void servesMetricsOnlyWhereItIsTold() throws Exception {
        serving.metrics(Optional.empty(), new MetricsRegistry());
        int port = freePort();
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        serving.metrics(Optional.of(address), new MetricsRegistry());
        assertEquals(200, status(port, "/metrics"));
    }
}
