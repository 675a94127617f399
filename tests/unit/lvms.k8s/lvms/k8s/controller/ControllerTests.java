package lvms.k8s.controller;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A pass follows every change, failures are repeated, and nothing takes a worker along. */
@Timeout(60)
class ControllerTests {
    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final MetricsRegistry metrics = new MetricsRegistry();
    private final AtomicInteger passes = new AtomicInteger();

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private Controller<ObjectKey> start(Reconciler<ObjectKey> reconciler) {
        var controller = Controller.named("c", reconciler).metrics(metrics).build();
        opened.add(controller);
        controller.start();
        return controller;
    }

    private String metric(String line) {
        return metrics.text().lines().filter(l -> l.startsWith(line + " ")).findFirst().orElse("");
    }

    @Test
    @Safety(32)
    @Behaviour({66, 102})
    void repeatsAPassThatFailsInAnyWay() {
        var failures =
                List.of(
                        new Exception("plain"),
                        new IllegalStateException("a bug"),
                        new AssertionError("another"),
                        new IOError(new IOException("of a library")),
                        new InternalError("of the machine"),
                        new InterruptedException("of a library"));
        var controller =
                start(
                        _ -> {
                            int number = passes.getAndIncrement();
                            if (number < failures.size()) {
                                switch (failures.get(number)) {
                                    case Exception e -> throw e;
                                    case Error e -> throw e;
                                    default -> throw new AssertionError();
                                }
                            }
                            return Result.done();
                        });
        controller.enqueue(A);
        Await.until("the pass succeeds", () -> passes.get() == failures.size() + 1);
        Await.until(
                "it is counted",
                () ->
                        metric(
                                        "controller_runtime_reconcile_total{controller=\"c\",result=\"success\"}")
                                .endsWith(" 1"));
        assertTrue(
                metric("controller_runtime_reconcile_errors_total{controller=\"c\"}")
                        .endsWith(" 6"));
        assertTrue(
                metric("controller_runtime_reconcile_panics_total{controller=\"c\"}")
                        .endsWith(" 4"));
        assertTrue(metric("workqueue_retries_total{name=\"c\",controller=\"c\"}").endsWith(" 6"));
    }

    @Test
    void looksAgainAfterTheTimeAskedFor() {
        var controller =
                start(
                        _ ->
                                passes.incrementAndGet() < 3
                                        ? Result.requeueAfter(Duration.ofMillis(20))
                                        : Result.done());
        long start = System.nanoTime();
        controller.enqueue(A);
        Await.until("three passes", () -> passes.get() == 3);
        assertTrue(System.nanoTime() - start >= 40_000_000L);
    }

    @Test
    @Behaviour(65)
    void doesNotRepeatWhatCanNeverSucceedBeforeItChanges() {
        var controller =
                start(
                        _ -> {
                            passes.incrementAndGet();
                            return Result.terminal("no");
                        });
        controller.enqueue(A);
        Await.until(
                "it is counted",
                () ->
                        metric(
                                        "controller_runtime_terminal_reconcile_errors_total{controller=\"c\"}")
                                .endsWith(" 1"));
        controller.enqueue(A);
        Await.until("a new change gives a new pass", () -> passes.get() == 2);
    }

    @Test
    @Behaviour(94)
    void hasItsMetricsAtZeroFromTheStart() {
        start(_ -> Result.done());
        for (var result : List.of("success", "error", "requeue", "requeue_after")) {
            assertFalse(
                    metric(
                                    "controller_runtime_reconcile_total{controller=\"c\",result=\""
                                            + result
                                            + "\"}")
                            .isEmpty(),
                    result);
        }
        assertTrue(
                metric("controller_runtime_max_concurrent_reconciles{controller=\"c\"}")
                        .endsWith(" 1"));
    }

    @Test
    @Behaviour(69)
    void startsWhenTheCacheIsSyncedAndMapsTheOldAndTheNewObject() throws Exception {
        var go = new CountDownLatch(1);
        var server =
                FakeServer.start(
                        (_, reply) -> {
                            reply.stream();
                            reply.chunk(event("ADDED", configMap("a", "u", 1)));
                            go.await();
                            reply.chunk(initialEnd(1));
                            var moved =
                                    configMap("a", "u", 2)
                                            .replace("\"uid\"", "\"x\":\"2\",\"uid\"");
                            reply.chunk(event("MODIFIED", moved));
                            reply.hold();
                        });
        opened.add(server);
        var client = server.client();
        opened.add(client);
        var informer = Informer.of(client, Types.CONFIG_MAP).build();
        opened.add(informer);
        var keys = new CopyOnWriteArrayList<String>();
        var controller =
                Controller.named(
                                "c",
                                key -> {
                                    assertTrue(informer.synced());
                                    keys.add(key.name());
                                    return Result.done();
                                })
                        .watch(
                                informer,
                                o ->
                                        Set.of(
                                                ObjectKey.cluster(
                                                        "owner"
                                                                + o.text("metadata", "x")
                                                                        .orElse("1"))))
                        .build();
        opened.add(controller);
        controller.start();
        controller.enqueue(ObjectKey.cluster("early"));
        assertEquals(List.of(), keys);
        go.countDown();
        Await.until("both owners", () -> keys.containsAll(List.of("early", "owner1", "owner2")));
    }

    @Test
    @Behaviour(67)
    void letsTheRunningPassEndWhenClosed() throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var ended = new AtomicInteger();
        var controller =
                start(
                        _ -> {
                            entered.countDown();
                            release.await();
                            ended.incrementAndGet();
                            return Result.done();
                        });
        controller.enqueue(A);
        entered.await();
        controller.enqueue(ObjectKey.of("ns", "b"));
        var closer = Thread.ofVirtual().start(controller::close);
        assertFalse(closer.join(Duration.ofMillis(50)));
        release.countDown();
        assertTrue(closer.join(Duration.ofSeconds(10)));
        assertEquals(1, ended.get(), "what was queued is not begun");
    }
}
