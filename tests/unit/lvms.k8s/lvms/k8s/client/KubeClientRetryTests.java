package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Calls end in time, and are repeated only where that is safe. */
class KubeClientRetryTests extends KubeClientCase {
    @Test
    @Behaviour(9)
    void endsAtTheDeadlineWhenHeadersAreLate() throws Exception {
        var client = hurried((_, reply) -> reply.hold(), Duration.ofMillis(200));
        assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        Await.until("the connection is not kept", () -> server().connections() == 0);
    }

    @Test
    @Behaviour(9)
    void endsAtTheDeadlineWhenABodyStops() throws Exception {
        var client =
                hurried(
                        (_, reply) -> {
                            reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\"");
                            reply.hold();
                        },
                        Duration.ofMillis(200));
        assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        Await.until("the connection is not kept", () -> server().connections() == 0);
    }

    @Test
    @Behaviour(10)
    void endsACallAtOnceWhenInterrupted() throws Exception {
        var client = client((_, reply) -> reply.hold());
        var caller = new Caller(client);
        Await.until("request", () -> !server().requests().isEmpty());
        caller.endByInterrupt();
        Await.until("the server sees it", () -> server().connections() == 0);
    }

    @Test
    @Behaviour(16)
    void waitsAsLongAsTheServerAsks() throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    if (n == 1) {
                                        reply.send(429, "busy", "Retry-After: 1");
                                    } else {
                                        reply.send(200, configMap("a", "u", 1));
                                    }
                                }));
        long start = System.nanoTime();
        client.create(Types.CONFIG_MAP, object("a", "u", 1));
        assertTrue(System.nanoTime() - start >= 1_000_000_000L, "waited a second");
        assertEquals(2, server().requests().size());
    }

    @Test
    @Behaviour(16)
    void leaves429WithoutAWaitToTheCaller() throws Exception {
        var client = client((_, reply) -> reply.send(429, "busy"));
        var failure =
                assertThrows(
                        ApiException.TooManyRequests.class, () -> client.get(Types.CONFIG_MAP, A));
        assertEquals("TooManyRequests", failure.reason());
        assertEquals(1, server().requests().size());
    }

    @Test
    void doesNotWaitBeyondItsDeadline() throws Exception {
        var client =
                hurried(
                        (_, reply) -> reply.send(503, "", "Retry-After: 30"),
                        Duration.ofMillis(500));
        var failure =
                assertThrows(ApiException.ServerError.class, () -> client.get(Types.CONFIG_MAP, A));
        assertEquals(Duration.ofSeconds(30), failure.retryAfter().orElseThrow());
        assertEquals(1, server().requests().size());
    }

    @Test
    void repeatsAReadThatGets503() throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    if (n <= 3) {
                                        reply.send(503, "away");
                                    } else {
                                        reply.send(200, configMap("a", "u", 1));
                                    }
                                }));
        client.get(Types.CONFIG_MAP, A);
        assertEquals(4, server().requests().size());
    }

    @Test
    void repeatsAReadWhileTheServerRestarts() throws Exception {
        var first = FakeServer.start((_, reply) -> reply.send(200, configMap("a", "u", 1)));
        int port = first.port();
        var client = closing(first.client());
        client.get(Types.CONFIG_MAP, A);
        first.close();
        var result = new AtomicReference<KubeObject>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        result.set(client.get(Types.CONFIG_MAP, A));
                                    } catch (ApiException | InterruptedException e) {
                                        throw new AssertionError(e);
                                    }
                                });
        closing(FakeServer.startAt(port, (_, reply) -> reply.send(200, configMap("a", "u", 2))));
        assertTrue(caller.join(Duration.ofSeconds(10)));
        assertEquals("2", result.get().resourceVersion());
    }

    @Test
    @Behaviour(11)
    void neverRepeatsAReplaceWhoseOutcomeIsUnknown() throws Exception {
        var client = client((_, reply) -> reply.reset());
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.replace(Types.CONFIG_MAP, object("a", "u", 1)));
        assertTrue(failure.outcomeUnknown());
        assertEquals(1, server().requests().size());
    }

    @Test
    @Behaviour(20)
    void findsItsOwnObjectAfterACreateWasCutOff() throws Exception {
        var stored = object("a", "u", 1).with("x", "metadata", "labels", "mine");
        var client =
                client(
                        numbered(
                                (n, request, reply) -> {
                                    if (n == 1) {
                                        reply.reset(); // after the server acted
                                    } else if (request.method().equals("POST")) {
                                        reply.send(409, status(409, "AlreadyExists", "there"));
                                    } else {
                                        reply.send(200, stored.toJson());
                                    }
                                }));
        var wanted = KubeObject.create(Types.CONFIG_MAP, A).with("x", "metadata", "labels", "mine");
        assertEquals("u", client.create(Types.CONFIG_MAP, wanted).uid());
        assertThrows(
                ApiException.AlreadyExists.class,
                () -> client.create(Types.CONFIG_MAP, wanted),
                "without a broken connection the name is simply taken");
    }

    @Test
    @Behaviour(22)
    void repeatsAnApplyWhoseOutcomeIsUnknown() throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    if (n == 1) {
                                        reply.reset();
                                    } else {
                                        reply.send(200, configMap("a", "u", 2));
                                    }
                                }));
        client.withFieldManager("m")
                .apply(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, A));
        assertEquals(2, server().requests().size());
    }

    @Test
    void tellsThatAnAttemptBeforeTheLastMayHaveWritten() throws Exception {
        var client =
                client(
                        (_, reply) -> {
                            if (server().requests().size() % 2 == 1) {
                                reply.reset(); // perhaps after the server acted
                            } else {
                                reply.send(403, status(403, "Forbidden", "no longer"));
                            }
                        });
        var failure =
                assertThrows(
                        ApiException.Forbidden.class,
                        () -> client.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY));
        assertTrue(failure.outcomeUnknown());
        failure =
                assertThrows(
                        ApiException.Forbidden.class,
                        () -> client.create(Types.CONFIG_MAP, object("a", "u", 1)));
        assertTrue(failure.outcomeUnknown());
        failure = assertThrows(ApiException.Forbidden.class, () -> client.get(Types.CONFIG_MAP, A));
        assertFalse(failure.outcomeUnknown(), "a read");
        assertEquals(6, server().requests().size());
    }

    @Test
    void knowsTheOutcomeOfAWriteThatWasRefusedAtOnce() throws Exception {
        var client = client((_, reply) -> reply.send(403, status(403, "Forbidden", "no")));
        var failure =
                assertThrows(
                        ApiException.Forbidden.class,
                        () -> client.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY));
        assertFalse(failure.outcomeUnknown());
    }

    @Test
    @Behaviour(11)
    void survivesAConnectionThatTheServerCloses() throws Exception {
        var client =
                client(
                        (_, reply) -> {
                            reply.raw(
                                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                                            + configMap("a", "u", 1).length()
                                            + "\r\n\r\n"
                                            + configMap("a", "u", 1));
                        });
        for (int i = 0; i < 5; i++) {
            client.get(Types.CONFIG_MAP, A);
            client.create(Types.CONFIG_MAP, object("a", "u", 1));
        }
        assertEquals(10, server().requests().size(), "nothing was sent twice");
    }

    @Test
    void closesWhatRunsWhenItIsClosed() throws Exception {
        var entered = new CountDownLatch(1);
        var client =
                client(
                        (_, reply) -> {
                            entered.countDown();
                            reply.stream().hold();
                        });
        var watch =
                client.watch(
                        Types.CONFIG_MAP,
                        ListOptions.all(),
                        WatchOptions.from("1", Duration.ofMinutes(5)));
        entered.await();
        client.close();
        assertThrows(IOException.class, () -> watch.next(Duration.ofSeconds(10)));
    }
}
