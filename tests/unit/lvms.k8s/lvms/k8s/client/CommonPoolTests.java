package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import lvms.k8s.object.Types;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

/**
 * Answers arrive whatever the common pool does. It has one thread on two CPUs, so one blocked task
 * of somebody else would keep all of them.
 */
@Timeout(30)
class CommonPoolTests {
    private final CountDownLatch end = new CountDownLatch(1);

    @BeforeEach
    void block() throws InterruptedException {
        int threads = ForkJoinPool.getCommonPoolParallelism();
        var blocked = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            ForkJoinPool.commonPool()
                    .execute(
                            () -> {
                                blocked.countDown();
                                awaitEnd();
                            });
        }
        blocked.await();
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void release() {
        end.countDown();
    }

    @Test
    void ofACall() throws Exception {
        try (var server =
                        FakeServer.start(
                                (_, reply) -> reply.send(200, list(3, configMap("a", "u", 2))));
                var client = server.client()) {
            assertEquals("3", client.list(Types.CONFIG_MAP, ListOptions.all()).resourceVersion());
        }
    }

    @Test
    void ofAWatch() throws Exception {
        try (var server =
                        FakeServer.start(
                                (_, reply) -> {
                                    reply.stream().chunk(event("ADDED", configMap("a", "u", 2)));
                                    reply.chunk(initialEnd(2)).hold();
                                });
                var client = server.client();
                var watch =
                        client.watch(
                                Types.CONFIG_MAP,
                                ListOptions.all(),
                                WatchOptions.streamingList(Duration.ofMinutes(1)))) {
            assertInstanceOf(WatchSignal.Event.class, watch.next(Duration.ofSeconds(10)));
        }
    }
}
