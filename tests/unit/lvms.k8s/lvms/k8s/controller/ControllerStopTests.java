package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What is closed has stopped, what takes too long is interrupted, and nothing else stops. */
@Timeout(120)
class ControllerStopTests {
    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");

    private final AtomicInteger passes = new AtomicInteger();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    /** As a call into native code, or a loop that swallows interrupts. */
    private void holdUninterruptibly() {
        boolean held = true;
        while (held) {
            try {
                release.await();
                held = false;
            } catch (InterruptedException _) {
                entered.countDown();
            }
        }
    }

    /** One that has been started and does not wait for long when it is closed. */
    private static Controller<ObjectKey> brief(Reconciler<ObjectKey> reconciler) {
        var controller = Controller.named("c", reconciler).grace(Duration.ofMillis(20)).build();
        controller.start();
        return controller;
    }

    @Test
    @Behaviour(67)
    void aPassThatOutlivesTheGraceIsInterruptedAndHasEndedWhenCloseReturns() throws Exception {
        var ended = new AtomicBoolean();
        var controller =
                brief(
                        _ -> {
                            passes.incrementAndGet();
                            entered.countDown();
                            try {
                                release.await();
                            } finally {
                                ended.set(true);
                            }
                            return Result.done();
                        });
        controller.enqueue(A);
        entered.await();
        controller.enqueue(B);
        controller.close();
        assertTrue(ended.get());
        assertEquals(1, passes.get(), "what was queued is not begun");
    }

    @Test
    @Behaviour(67)
    void aPassThatIgnoresItsInterruptDoesNotKeepCloseForEver() throws Exception {
        var controller =
                brief(
                        _ -> {
                            passes.incrementAndGet();
                            entered.countDown();
                            holdUninterruptibly();
                            return Result.done();
                        });
        controller.enqueue(A);
        entered.await();
        controller.close();
        controller.enqueue(B);
        release.countDown();
        assertEquals(1, passes.get());
    }

    @Test
    @Behaviour({66, 102})
    void anInterruptThatAPassLeftBehindEndsNoWorker() {
        try (var controller =
                Controller.named(
                                "c",
                                _ -> {
                                    passes.incrementAndGet();
                                    Thread.currentThread().interrupt();
                                    return Result.done();
                                })
                        .build()) {
            controller.start();
            controller.enqueue(A);
            Await.until("a pass", () -> passes.get() == 1);
            controller.enqueue(B);
            Await.until("the next pass", () -> passes.get() == 2);
            assertTrue(controller.alive());
        }
    }

    @Test
    @Behaviour({66, 94})
    void aPassThatTakesTooLongFailsAndItsKeyIsFreeWhenItHasEnded() throws Exception {
        var metrics = new MetricsRegistry();
        var atOnce = new AtomicInteger();
        var most = new AtomicInteger();
        try (var controller =
                Controller.named(
                                "c",
                                _ -> {
                                    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                                    if (passes.incrementAndGet() == 1) {
                                        holdUninterruptibly();
                                    }
                                    atOnce.decrementAndGet();
                                    return Result.done();
                                })
                        .workers(4)
                        .passTimeout(Duration.ofMillis(20))
                        .metrics(metrics)
                        .build()) {
            controller.start();
            controller.enqueue(A);
            entered.await(); // it was interrupted
            controller.enqueue(A);
            assertEquals(1, passes.get());
            release.countDown();
            Await.until("the next pass", () -> passes.get() >= 2);
            assertEquals(1, most.get(), "never twice at once");
            var text = metrics.text();
            assertTrue(
                    text.contains(
                            "controller_runtime_reconcile_timeouts_total{controller=\"c\"} 1\n"),
                    text);
        }
    }

    /** A server whose first list is empty. */
    private static void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException, InterruptedException {
        reply.stream();
        reply.chunk(Bodies.initialEnd(1));
        reply.hold();
    }

    @Test
    void aClosedControllerHearsOfNoChange() throws Exception {
        var mapped = new AtomicInteger();
        try (var server = FakeServer.start(ControllerStopTests::answer);
                var client = server.client();
                var informer = Informer.of(client, Types.CONFIG_MAP).build()) {
            var closed = watching(informer, mapped);
            closed.start();
            informer.awaitSync(Duration.ofSeconds(30));
            informer.observed(Bodies.object("a", "u", 2));
            assertEquals(1, mapped.get());
            closed.close();
            informer.observed(Bodies.object("a", "u", 3));
            assertEquals(1, mapped.get());
            var never = watching(informer, mapped);
            never.close();
            never.start();
            informer.observed(Bodies.object("a", "u", 4));
            assertEquals(1, mapped.get());
        }
    }

    private static Controller<ObjectKey> watching(Informer informer, AtomicInteger mapped) {
        return Controller.named("c", _ -> Result.done())
                .watch(
                        informer,
                        _ -> {
                            mapped.incrementAndGet();
                            return List.of();
                        })
                .build();
    }

    @Test
    void itIsAliveWhileItsCacheIsFilledAndAfterItWasClosed() throws Exception {
        try (var server = FakeServer.start((_, reply) -> reply.hold());
                var client = server.client();
                var informer = Informer.of(client, Types.CONFIG_MAP).build()) {
            var controller = watching(informer, new AtomicInteger());
            assertTrue(controller.alive());
            controller.start();
            assertTrue(controller.alive());
            assertFalse(informer.synced());
            controller.close();
            assertTrue(controller.alive());
        }
    }
}
