package lvms.k8s.controller;

import static lvms.k8s.client.Bodies.bookmark;
import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** No pass decides by a cache that does not show what the last pass wrote. */
@Timeout(120)
@Behaviour(70)
class ExpectationsTests {
    private static final ObjectKey OWNER = ObjectKey.of("ns", "owner");
    private static final ObjectKey CHILD = ObjectKey.of("ns", "child");
    private static final KubeObject MADE = object("child", "u", 5);

    private final AtomicLong nanos = new AtomicLong();
    private final Expectations<ObjectKey> expectations = new Expectations<>(nanos::get);
    private final LinkedBlockingQueue<String> watch = new LinkedBlockingQueue<>();
    private FakeServer server;
    private KubeClient client;
    private Informer informer;

    @BeforeEach
    void follow() throws Exception {
        server = FakeServer.start(this::answer);
        client = server.client();
        informer = Informer.of(client, Types.CONFIG_MAP).build();
        informer.start();
        informer.awaitSync(Duration.ofSeconds(30));
    }

    @AfterEach
    void close() throws Exception {
        informer.close();
        client.close();
        server.close();
    }

    /** A watch that shows what a test tells it, and when. */
    private void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException, InterruptedException {
        reply.stream();
        reply.chunk(event("ADDED", configMap("present", "p", 1)));
        reply.chunk(initialEnd(2));
        while (true) {
            reply.chunk(watch.take());
        }
    }

    private void awaitVersion(String version) {
        Await.until("version " + version, () -> informer.resourceVersion().equals(version));
    }

    @Test
    void aPassWaitsUntilItsCreationIsShownThoughTheCacheLags() {
        var metrics = new MetricsRegistry();
        var creations = new AtomicInteger();
        var passes = new AtomicInteger();
        try (var controller =
                Controller.named(
                                "c",
                                key -> {
                                    passes.incrementAndGet();
                                    if (informer.get(CHILD).isEmpty()) {
                                        creations.incrementAndGet();
                                        expectations.written(key, informer, MADE);
                                    }
                                    return Result.done();
                                })
                        .expectations(expectations)
                        .metrics(metrics)
                        .build()) {
            controller.start();
            controller.enqueue(OWNER);
            Await.until("the creation", () -> creations.get() == 1);
            controller.enqueue(OWNER);
            Await.until("it looked several times", () -> adds(metrics) >= 5);
            assertEquals(1, passes.get());
            watch.add(event("ADDED", configMap("child", "u", 5)));
            Await.until("the next pass", () -> passes.get() == 2);
            assertEquals(1, creations.get());
        }
    }

    private static double adds(MetricsRegistry metrics) {
        var series = "workqueue_adds_total{name=\"c\",controller=\"c\"} ";
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                .sum();
    }

    @Test
    void aBookmarkAloneIsEnough() {
        expectations.written(OWNER, informer, MADE);
        watch.add(bookmark(4));
        awaitVersion("4");
        assertTrue(expectations.hold(OWNER));
        watch.add(bookmark(6));
        awaitVersion("6");
        assertFalse(expectations.hold(OWNER));
    }

    @Test
    void aWriteThatTheStoreHasAlreadyIsNotWaitedFor() {
        informer.observed(MADE);
        expectations.written(OWNER, informer, MADE);
        assertFalse(expectations.hold(OWNER));
    }

    @Test
    void aDeletionIsWaitedForUntilTheObjectIsGoneOrGoing() {
        var present = informer.get(ObjectKey.of("ns", "present")).orElseThrow();
        expectations.deleted(OWNER, informer, present);
        assertTrue(expectations.hold(OWNER));
        watch.add(event("DELETED", configMap("present", "p", 7)));
        awaitVersion("7");
        assertFalse(expectations.hold(OWNER));
    }

    @Test
    void anotherKeyDoesNotWait() {
        expectations.written(OWNER, informer, MADE);
        assertFalse(expectations.hold(CHILD));
        assertTrue(expectations.hold(OWNER));
    }

    @Test
    void afterThirtySecondsAPassRunsNevertheless() {
        expectations.written(OWNER, informer, MADE);
        nanos.addAndGet(Duration.ofSeconds(30).toNanos() - 1);
        assertTrue(expectations.hold(OWNER));
        nanos.incrementAndGet();
        assertFalse(expectations.hold(OWNER));
    }

    /** Such as those of objects that are gone, whose keys nobody adds any more. */
    @Test
    void whatNoPassWaitsForAnyMoreIsForgotten() {
        for (int i = 0; i < 100; i++) {
            expectations.written(ObjectKey.of("ns", "gone" + i), informer, MADE);
        }
        assertEquals(100, expectations.size());
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        expectations.written(OWNER, informer, MADE);
        assertEquals(1, expectations.size());
        assertTrue(expectations.hold(OWNER));
    }
}
