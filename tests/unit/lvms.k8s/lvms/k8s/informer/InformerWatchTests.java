package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.bookmark;
import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** A watch that ends, breaks or falls silent is followed by one that misses nothing. */
class InformerWatchTests extends InformerCase {
    @Test
    @Behaviour(30)
    void appliesEventsThatAreSplitAtEveryByte() throws Exception {
        var events =
                (event("ADDED", configMap("ä€😀", "u", 2))
                                + "\n\n"
                                + event("ADDED", configMap("b", "v", 3))
                                + event("DELETED", configMap("b", "v", 4)))
                        .getBytes(StandardCharsets.UTF_8);
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1)),
                        (_, _, reply) -> {
                            reply.stream();
                            for (byte b : events) {
                                reply.chunk(new byte[] {b});
                            }
                            reply.hold();
                        });
        awaitVersion("4", informer);
        assertEquals(List.of("->ä€😀u2", "->bv3", "bv3>-"), seen);
    }

    @Test
    @Behaviour(31)
    void appliesSeveralEventsInOneReadAndOneOfFiveMebibytes() throws Exception {
        var big =
                configMap("big", "u", 3)
                        .replace("}}", "},\"data\":{\"x\":\"" + "y".repeat(5 << 20) + "\"}}");
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1)),
                        (_, _, reply) -> {
                            reply.stream()
                                    .chunk(
                                            event("ADDED", configMap("a", "t", 2))
                                                    + event("ADDED", big));
                            reply.hold();
                        });
        awaitContents("at2 bigu3", informer);
    }

    @Test
    @Behaviour(32)
    void dropsAHalfLineAndGetsTheEventFromTheNextWatch() throws Exception {
        var second = event("ADDED", configMap("b", "v", 3));
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1)),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n == 1) {
                                reply.chunk(event("ADDED", configMap("a", "u", 2)));
                                reply.chunk(second.substring(0, 40)).end();
                            } else {
                                reply.chunk(second);
                                reply.hold();
                            }
                        });
        awaitContents("au2 bv3", informer);
        assertEquals(1, server().lists().size());
        assertEquals("2", server().watches().get(1).parameter("resourceVersion").orElseThrow());
        assertEquals(List.of("->au2", "->bv3"), seen);
    }

    @Test
    @Behaviour(35)
    void resumesAfterAResetInTheMiddleOfAnEvent() throws Exception {
        var first = new CountDownLatch(1);
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1)),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n == 1) {
                                reply.chunk(event("ADDED", configMap("a", "u", 2)));
                                reply.chunk("{\"type\":\"ADD");
                                first.await();
                                reply.reset();
                            } else {
                                reply.chunk(event("ADDED", configMap("b", "v", 3)));
                                reply.hold();
                            }
                        });
        awaitContents("au2", informer);
        first.countDown();
        awaitContents("au2 bv3", informer);
        assertEquals("2", server().watches().get(1).parameter("resourceVersion").orElseThrow());
        assertEquals(1, server().lists().size());
    }

    @Test
    @Behaviour(33)
    void watchesOnAfterACleanEndWithoutListing() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1)),
                        (n, _, reply) -> {
                            reply.stream().chunk(event("ADDED", configMap("a" + n, "u", 1 + n)));
                            if (n < 4) {
                                reply.end();
                            } else {
                                reply.hold();
                            }
                        });
        awaitContents("a1u2 a2u3 a3u4 a4u5", informer);
        assertEquals(1, server().lists().size());
        assertEquals("4", server().watches().get(3).parameter("resourceVersion").orElseThrow());
    }

    @Test
    @Behaviour(39)
    void waitsAndWatchesFromTheSameVersionAfter429() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(7)),
                        (n, _, reply) -> {
                            if (n < 4) {
                                reply.send(429, "Too many requests, please try again later.");
                            } else {
                                reply.stream().chunk(event("ADDED", configMap("a", "u", 8)));
                                reply.hold();
                            }
                        });
        awaitContents("au8", informer);
        assertEquals(1, server().lists().size());
        for (var watch : server().watches()) {
            assertEquals("7", watch.parameter("resourceVersion").orElseThrow());
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {401, 500, 502, 503, 504})
    void watchesFromTheSameVersionAfterAFailureOfTheServer(int code) throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(7)),
                        (n, _, reply) -> {
                            if (n < 5) {
                                reply.send(code, "not now");
                            } else {
                                reply.stream().chunk(event("ADDED", configMap("a", "u", 8)));
                                reply.hold();
                            }
                        });
        awaitContents("au8", informer);
        assertEquals(1, server().lists().size());
        for (var watch : server().watches()) {
            assertEquals("7", watch.parameter("resourceVersion").orElseThrow());
        }
    }

    @Test
    void listsNowAndThenWhereNoWatchIsServed() throws Exception {
        follow(
                FAST,
                (_, reply) -> reply.send(200, list(7)),
                (_, _, reply) -> reply.send(500, "not now"));
        Await.until("a third list", () -> server().lists().size() >= 3);
        int watches = server().watches().size();
        assertTrue(watches >= 10, () -> "five watches for each list: " + watches);
    }

    @Test
    @Behaviour(40)
    void resumesFromABookmarkWhichNoHandlerSees() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1)),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n == 1) {
                                reply.chunk(bookmark(50)).end();
                            } else {
                                reply.hold();
                            }
                        });
        Await.until("second watch", () -> server().watches().size() == 2);
        assertEquals("50", server().watches().get(1).parameter("resourceVersion").orElseThrow());
        assertEquals("50", informer.resourceVersion());
        assertEquals(List.of(), seen);
    }

    @Test
    @Behaviour(44)
    void asksForBookmarksAndSpreadsTheTimesOfItsWatches() throws Exception {
        follow(
                FAST,
                (_, reply) -> reply.send(200, list(1)),
                (n, _, reply) -> {
                    reply.stream().chunk(bookmark(1 + n));
                    if (n < 8) {
                        reply.end();
                    } else {
                        reply.hold();
                    }
                });
        Await.until("watches", () -> server().watches().size() == 8);
        var times = new TreeSet<Integer>();
        for (var watch : server().watches()) {
            assertEquals("true", watch.parameter("allowWatchBookmarks").orElseThrow());
            times.add(Integer.parseInt(watch.parameter("timeoutSeconds").orElseThrow()));
        }
        assertTrue(times.first() >= 300 && times.last() < 600, "times " + times);
        assertTrue(times.size() > 1, "times " + times);
    }

    @Test
    @Behaviour(45)
    void replacesAWatchThatOutlivesItsTime() throws Exception {
        follow(
                nets(50, 60_000, 60_000),
                (_, reply) -> reply.send(200, list(1)),
                (_, _, reply) -> reply.stream().hold());
        Await.until("more watches", () -> server().watches().size() >= 3);
        assertEquals(1, server().lists().size());
        Await.until("dead watches are hung up", () -> server().connections() <= 3);
    }

    @Test
    void replacesAWatchThatFallsSilentAfterABookmark() throws Exception {
        follow(
                nets(60_000, 50, 60_000),
                (_, reply) -> reply.send(200, list(1)),
                (_, _, reply) -> reply.stream().chunk(bookmark(2)).hold());
        Await.until("more watches", () -> server().watches().size() >= 3);
        assertEquals(1, server().lists().size());
    }

    @Test
    void replacesASilentWatchWhenTheServerIsAhead() throws Exception {
        var informer =
                follow(
                        nets(60_000, 60_000, 50),
                        (_, reply) -> reply.send(200, list(1)),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n == 2) {
                                reply.chunk(event("ADDED", configMap("a", "u", 1000)));
                            }
                            reply.hold();
                        });
        awaitContents("au1000", informer);
        assertEquals(1, server().lists().size());
    }

    @Test
    void keepsItsStoreWhileTheServerIsAwayAndGoesOnAfterwards() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1, configMap("a", "u", 1))),
                        (_, _, reply) -> reply.stream().hold());
        awaitContents("au1", informer);
        int port = server().port();
        server().close();
        Await.until("a problem is told", () -> informer.problem().isPresent());
        assertEquals("au1", contents(informer));
        serveAt(
                port,
                (request, reply) -> {
                    if (request.isWatch()) {
                        reply.stream().chunk(event("ADDED", configMap("b", "v", 2)));
                        reply.hold();
                    } else {
                        reply.send(200, list(2, configMap("a", "u", 1), configMap("b", "v", 2)));
                    }
                });
        awaitContents("au1 bv2", informer);
        Await.until("the problem is over", () -> informer.problem().isEmpty());
        assertEquals(List.of("->au1", "->bv2"), seen);
    }
}
