package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.status;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.FakeServer.Reply;
import lvms.k8s.client.FakeServer.Request;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An informer and a server that says exactly what a test wants. An object is written as its name,
 * UID and resource version, such as {@code au2}; a change as {@code before>after}.
 *
 * <p>A store shows a change before the handlers are told of it. So {@link #awaitContents} and
 * {@link #awaitVersion} return only when the handlers were told, too.
 */
@Timeout(60)
abstract class InformerCase {
    static final Timing FAST =
            new Timing(
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(150),
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(5),
                    Duration.ofMillis(40),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(30),
                    Duration.ofMillis(50));

    /** Times in which each of the three nets below a silent watch can be met. */
    static Timing nets(long deadlineMillis, long silenceMillis, long probeMillis) {
        return new Timing(
                Duration.ofSeconds(1),
                Duration.ofMillis(deadlineMillis).minusSeconds(1),
                Duration.ofMillis(silenceMillis),
                Duration.ofMillis(probeMillis),
                Duration.ofMillis(10),
                Duration.ofMillis(5),
                Duration.ofMillis(40),
                Duration.ofMinutes(2),
                Duration.ofMillis(200),
                Duration.ofMillis(50));
    }

    /** What the handler of the informer was told. */
    final List<String> seen = new CopyOnWriteArrayList<>();

    private final List<AutoCloseable> opened = new ArrayList<>();
    private FakeServer server;

    @AfterEach
    final void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    interface WatchAnswer {
        void answer(int number, Request request, Reply reply)
                throws IOException, InterruptedException;
    }

    interface ListAnswer {
        void answer(int number, Reply reply) throws IOException, InterruptedException;
    }

    /** A server that refuses streaming lists; lists and watches are numbered from 1. */
    final Informer follow(Timing timing, ListAnswer lists, WatchAnswer watches) throws Exception {
        var listNumber = new AtomicInteger();
        var watchNumber = new AtomicInteger();
        return follow(
                timing,
                (request, reply) -> {
                    if (request.isStreamingList()) {
                        reply.send(422, status(422, "Invalid", "sendInitialEvents is forbidden"));
                    } else if (request.isWatch()) {
                        watches.answer(watchNumber.incrementAndGet(), request, reply);
                    } else if (request.parameter("limit").isPresent()) {
                        reply.send(200, list(1_000)); // the probe
                    } else {
                        lists.answer(listNumber.incrementAndGet(), reply);
                    }
                });
    }

    final Informer follow(Timing timing, FakeServer.Script script) throws Exception {
        var informer = Informer.of(serve(script), Types.CONFIG_MAP).timing(timing).build();
        informer.addHandler((before, after) -> seen.add(text(before) + ">" + text(after)));
        opened.add(informer);
        informer.start();
        return informer;
    }

    /** Starts the server; it and what is opened later are closed after the test, the last first. */
    final KubeClient serve(FakeServer.Script script) throws Exception {
        server = FakeServer.start(script);
        opened.add(server);
        var client = server.client();
        opened.add(client);
        return client;
    }

    /** Starts a server in the place of one that was closed. */
    final void serveAt(int port, FakeServer.Script script) throws IOException {
        opened.add(FakeServer.startAt(port, script));
    }

    /** Closes it after the test, the last first. */
    final <T extends AutoCloseable> T closing(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    final FakeServer server() {
        return server;
    }

    private static String text(Optional<KubeObject> object) {
        return object.map(InformerCase::text).orElse("-");
    }

    private static String text(KubeObject object) {
        return object.name() + object.uid() + object.resourceVersion();
    }

    static String contents(Informer informer) {
        var all = new TreeSet<String>();
        informer.list().forEach(o -> all.add(text(o)));
        return String.join(" ", all);
    }

    /** Waits until the store holds exactly this and the handlers know. */
    static void awaitContents(String expected, Informer informer) {
        Await.until(
                () ->
                        "the store holds [%s], it holds [%s], problem %s"
                                .formatted(expected, contents(informer), informer.problem()),
                () -> contents(informer).equals(expected));
        awaitDelivery(informer);
    }

    /** Waits until the store has seen everything up to a version and the handlers know. */
    static void awaitVersion(String expected, Informer informer) {
        Await.until(
                () -> "version " + expected + ", it is " + informer.resourceVersion(),
                () -> informer.resourceVersion().equals(expected));
        awaitDelivery(informer);
    }

    /** A handler is added between two deliveries, so the one that was under way is over then. */
    private static void awaitDelivery(Informer informer) {
        informer.addHandler((_, _) -> {});
    }

    /** Waits as a handler may that cannot throw. */
    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
