package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.bookmark;
import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.FakeServer.Reply;
import lvms.k8s.client.FakeServer.Request;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Whatever the server and the network do, the store ends up as the server's collection. */
@Timeout(60)
class InformerTests {
    private static final Timing FAST =
            new Timing(
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(150),
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(5),
                    Duration.ofMillis(40),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(30));

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private FakeServer server;

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private interface Watch {
        void answer(int number, Request request, Reply reply)
                throws IOException, InterruptedException;
    }

    private interface ListAnswer {
        void answer(int number, Reply reply) throws IOException, InterruptedException;
    }

    /** A server that refuses streaming lists; lists and watches are numbered from 1. */
    private Informer follow(Timing timing, ListAnswer lists, Watch watches) throws Exception {
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

    private Informer follow(Timing timing, FakeServer.Script script) throws Exception {
        server = FakeServer.start(script);
        opened.add(server);
        var client = server.client();
        opened.add(client);
        var informer = informer(client, timing);
        informer.start();
        return informer;
    }

    private Informer informer(KubeClient client, Timing timing) {
        var informer = Informer.of(client, Types.CONFIG_MAP).timing(timing).build();
        informer.addHandler(
                (before, after) ->
                        seen.add(
                                before.map(InformerTests::text).orElse("-")
                                        + ">"
                                        + after.map(InformerTests::text).orElse("-")));
        opened.add(informer);
        return informer;
    }

    private static String text(KubeObject object) {
        return object.name() + object.uid() + object.resourceVersion();
    }

    private static String contents(Informer informer) {
        var all = new TreeSet<String>();
        informer.list().forEach(o -> all.add(text(o)));
        return String.join(" ", all);
    }

    private static void awaitContents(String expected, Informer informer) {
        Await.until(
                "store holds [" + expected + "], it holds [" + contents(informer) + "]",
                () -> contents(informer).equals(expected));
    }

    @Test
    void syncsWithAnEmptyCollection() throws Exception {
        var informer =
                follow(FAST, (_, reply) -> reply.send(200, list(1)), (_, _, reply) -> reply.hold());
        informer.awaitSync(Duration.ofSeconds(10));
        assertEquals("", contents(informer));
        assertEquals("1", informer.resourceVersion());
    }

    @Test
    void isSyncedOnlyAfterTheLastObjectWasHandedOver() throws Exception {
        var handedOver = new CountDownLatch(1);
        server =
                FakeServer.start(
                        (request, reply) -> {
                            if (request.isWatch()) {
                                reply.send(422, status(422, "Invalid", "no"));
                            } else {
                                reply.send(
                                        200,
                                        list(3, configMap("a", "u", 2), configMap("b", "v", 3)));
                            }
                        });
        opened.add(server);
        var client = server.client();
        opened.add(client);
        var informer = Informer.of(client, Types.CONFIG_MAP).timing(FAST).build();
        opened.add(informer);
        var syncedAtHandler = new CopyOnWriteArrayList<Boolean>();
        informer.addHandler(
                (_, _) -> {
                    syncedAtHandler.add(informer.synced());
                    handedOver.countDown();
                });
        informer.start();
        informer.awaitSync(Duration.ofSeconds(10));
        assertEquals(List.of(false, false), syncedAtHandler);
    }

    @Test
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
        Await.until("all events", () -> informer.resourceVersion().equals("4"));
        assertEquals(List.of("->ä€😀u2", "->bv3", "bv3>-"), seen);
    }

    @Test
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
    void listsAgainAfterALineAboveTheCap() throws Exception {
        var informer =
                follow(
                        FAST,
                        (n, reply) -> reply.send(200, list(n, configMap("a", "u", n))),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n == 1) {
                                var part = "x".repeat(1 << 20);
                                for (int i = 0; i < 18; i++) {
                                    reply.chunk(part);
                                }
                            }
                            reply.hold();
                        });
        awaitContents("au2", informer);
    }

    @Test
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
        assertEquals(1, server.lists().size());
        assertEquals("2", server.watches().get(1).parameter("resourceVersion").orElseThrow());
        assertEquals(List.of("->au2", "->bv3"), seen);
    }

    @Test
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
        assertEquals("2", server.watches().get(1).parameter("resourceVersion").orElseThrow());
        assertEquals(1, server.lists().size());
    }

    @Test
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
        assertEquals(1, server.lists().size());
        assertEquals("4", server.watches().get(3).parameter("resourceVersion").orElseThrow());
    }

    @Test
    void listsWithBackoffWhenWatchesEndAtOnceWithoutAnEvent() throws Exception {
        follow(FAST, (_, reply) -> reply.send(200, list(1)), (_, _, reply) -> reply.stream().end());
        Await.until("some rounds", () -> server.watches().size() >= 5);
        int lists = server.lists().size();
        assertTrue(lists >= 4, "each short watch leads to a list, lists=" + lists);
    }

    @Test
    void listsAgainAfter410AtTheOpeningOfAWatch() throws Exception {
        var informer =
                follow(
                        FAST,
                        (n, reply) ->
                                reply.send(
                                        200,
                                        n == 1
                                                ? list(
                                                        5,
                                                        configMap("a", "u", 2),
                                                        configMap("b", "v", 3))
                                                : list(9, configMap("b", "v", 8))),
                        (n, _, reply) -> {
                            if (n == 1) {
                                reply.send(410, status(410, "Expired", "too old resource version"));
                            } else {
                                reply.stream().hold();
                            }
                        });
        awaitContents("bv8", informer);
        assertEquals(List.of("->au2", "->bv3", "au2>-", "bv3>bv8"), seen);
    }

    @Test
    void listsAgainAfter410AsAnEvent() throws Exception {
        var informer =
                follow(
                        FAST,
                        (n, reply) ->
                                reply.send(
                                        200,
                                        n == 1
                                                ? list(5, configMap("a", "u", 2))
                                                : list(9, configMap("a", "w", 8))),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n == 1) {
                                reply.chunk(event("ERROR", status(410, "Expired", "too old")));
                            }
                            reply.hold();
                        });
        awaitContents("aw8", informer);
        assertEquals(List.of("->au2", "au2>-", "->aw8"), seen, "another UID is delete and add");
    }

    @Test
    void listsAgainAfterAnyOtherErrorEvent() throws Exception {
        var informer =
                follow(
                        FAST,
                        (n, reply) -> reply.send(200, list(n, configMap("a", "u", n))),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n == 1) {
                                reply.chunk(event("ERROR", status(500, "Whatever", "broken")));
                            }
                            reply.hold();
                        });
        awaitContents("au2", informer);
    }

    @Test
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
        assertEquals(1, server.lists().size());
        for (var watch : server.watches()) {
            assertEquals("7", watch.parameter("resourceVersion").orElseThrow());
        }
    }

    @Test
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
        Await.until("second watch", () -> server.watches().size() == 2);
        assertEquals("50", server.watches().get(1).parameter("resourceVersion").orElseThrow());
        assertEquals("50", informer.resourceVersion());
        assertEquals(List.of(), seen);
    }

    @Test
    void ignoresDuplicatesAndOlderEvents() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(5, configMap("a", "u", 5))),
                        (_, _, reply) -> {
                            reply.stream();
                            reply.chunk(event("MODIFIED", configMap("a", "u", 5)));
                            reply.chunk(event("MODIFIED", configMap("a", "u", 3)));
                            reply.chunk(event("DELETED", configMap("a", "u", 4)));
                            reply.chunk(event("DELETED", configMap("a", "old", 4)));
                            reply.chunk(event("ADDED", configMap("b", "v", 6)));
                            reply.hold();
                        });
        awaitContents("au5 bv6", informer);
        assertEquals(List.of("->au5", "->bv6"), seen);
    }

    @Test
    void keepsTheNewObjectWhenTheDeletionOfItsFormerUidComesLate() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1, configMap("a", "u", 1))),
                        (_, _, reply) -> {
                            reply.stream();
                            reply.chunk(event("ADDED", configMap("a", "w", 4)));
                            reply.chunk(event("DELETED", configMap("a", "u", 3)));
                            reply.chunk(bookmark(9));
                            reply.hold();
                        });
        Await.until("bookmark", () -> informer.resourceVersion().equals("9"));
        assertEquals("aw4", contents(informer));
        assertEquals(List.of("->au1", "au1>-", "->aw4"), seen);
    }

    @Test
    void listsAgainAfterWhatItDoesNotUnderstand() throws Exception {
        var nonsense =
                List.of(
                        event("MOVED", configMap("a", "u", 2)),
                        event("ADDED", configMap("a", "u", 2).replace("ConfigMap", "Secret")),
                        "{\"type\":\"ADDED\"}\n",
                        "garbage\n",
                        "{\"type\":\"ADDED\",\"object\":{}}\n");
        var informer =
                follow(
                        FAST,
                        (n, reply) -> reply.send(200, list(n, configMap("a", "u", n))),
                        (n, _, reply) -> {
                            reply.stream();
                            if (n <= nonsense.size()) {
                                reply.chunk(nonsense.get(n - 1));
                            }
                            reply.hold();
                        });
        awaitContents("au" + (nonsense.size() + 1), informer);
    }

    @Test
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
        Await.until("watches", () -> server.watches().size() == 8);
        var times = new TreeSet<Integer>();
        for (var watch : server.watches()) {
            assertEquals("true", watch.parameter("allowWatchBookmarks").orElseThrow());
            times.add(Integer.parseInt(watch.parameter("timeoutSeconds").orElseThrow()));
        }
        assertTrue(times.first() >= 300 && times.last() < 600, "times " + times);
        assertTrue(times.size() > 1, "times " + times);
    }

    private static Timing nets(long deadlineMillis, long silenceMillis, long probeMillis) {
        return new Timing(
                Duration.ofSeconds(1),
                Duration.ofMillis(deadlineMillis).minusSeconds(1),
                Duration.ofMillis(silenceMillis),
                Duration.ofMillis(probeMillis),
                Duration.ofMillis(10),
                Duration.ofMillis(5),
                Duration.ofMillis(40),
                Duration.ofMinutes(2),
                Duration.ofMillis(200));
    }

    @Test
    void replacesAWatchThatOutlivesItsTime() throws Exception {
        follow(
                nets(50, 60_000, 60_000),
                (_, reply) -> reply.send(200, list(1)),
                (_, _, reply) -> reply.stream().hold());
        Await.until("more watches", () -> server.watches().size() >= 3);
        assertEquals(1, server.lists().size());
        Await.until("dead watches are hung up", () -> server.connections() <= 3);
    }

    @Test
    void replacesAWatchThatFallsSilentAfterABookmark() throws Exception {
        follow(
                nets(60_000, 50, 60_000),
                (_, reply) -> reply.send(200, list(1)),
                (_, _, reply) -> reply.stream().chunk(bookmark(2)).hold());
        Await.until("more watches", () -> server.watches().size() >= 3);
        assertEquals(1, server.lists().size());
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
        assertEquals(1, server.lists().size());
    }

    @Test
    void listsAgainWhenTheHistoryOfTheServerWentBack() throws Exception {
        var lists = new AtomicInteger();
        var watches = new AtomicInteger();
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            if (request.isStreamingList()) {
                                reply.send(400, status(400, "BadRequest", "no"));
                            } else if (request.isWatch()) {
                                reply.stream();
                                if (watches.incrementAndGet() == 1) {
                                    reply.chunk(bookmark(101)).end();
                                } else {
                                    reply.hold();
                                }
                            } else if (request.parameter("limit").isPresent()) {
                                reply.send(200, list(40)); // restored from a backup
                            } else if (lists.incrementAndGet() == 1) {
                                reply.send(200, list(100, configMap("a", "u", 90)));
                            } else {
                                reply.send(200, list(40, configMap("a", "u", 30)));
                            }
                        });
        awaitContents("au30", informer);
        assertEquals("40", informer.resourceVersion());
    }

    @Test
    void keepsItsStoreWhileTheServerIsAwayAndGoesOnAfterwards() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1, configMap("a", "u", 1))),
                        (_, _, reply) -> reply.stream().hold());
        awaitContents("au1", informer);
        int port = server.port();
        server.close();
        Await.until("a problem is told", () -> informer.problem().isPresent());
        assertEquals("au1", contents(informer));
        var again =
                FakeServer.startAt(
                        port,
                        (request, reply) -> {
                            if (request.isWatch()) {
                                reply.stream().chunk(event("ADDED", configMap("b", "v", 2)));
                                reply.hold();
                            } else {
                                reply.send(
                                        200,
                                        list(2, configMap("a", "u", 1), configMap("b", "v", 2)));
                            }
                        });
        opened.add(again);
        awaitContents("au1 bv2", informer);
        assertTrue(informer.problem().isEmpty());
        assertEquals(List.of("->au1", "->bv2"), seen);
    }

    @Test
    void showsAStreamingListOnlyAfterItsMarkedBookmark() throws Exception {
        var go = new CountDownLatch(1);
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            assertTrue(request.isStreamingList());
                            reply.stream();
                            reply.chunk(event("ADDED", configMap("a", "u", 2)));
                            reply.chunk(event("ADDED", configMap("b", "v", 3)));
                            reply.chunk(event("MODIFIED", configMap("a", "u", 4)));
                            reply.chunk(event("DELETED", configMap("b", "v", 5)));
                            reply.chunk(bookmark(5));
                            go.await();
                            reply.chunk(initialEnd(6));
                            reply.chunk(event("ADDED", configMap("c", "w", 7)));
                            reply.hold();
                        });
        Await.until("request", () -> server.requests().size() == 1);
        assertFalse(informer.synced());
        assertEquals("", contents(informer));
        go.countDown();
        awaitContents("au4 cw7", informer);
        assertEquals(List.of("->au4", "->cw7"), seen);
        assertEquals(1, server.requests().size(), "one request is enough");
    }

    @Test
    void throwsAwayAStreamingListThatIsCutOff() throws Exception {
        var number = new AtomicInteger();
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            reply.stream();
                            switch (number.incrementAndGet()) {
                                case 1 -> {
                                    reply.chunk(event("ADDED", configMap("a", "u", 2)));
                                    reply.chunk(initialEnd(2));
                                    reply.chunk(event("ERROR", status(410, "Expired", "old")));
                                }
                                case 2 -> reply.chunk(event("ADDED", configMap("b", "v", 3))).end();
                                default -> {
                                    reply.chunk(event("ADDED", configMap("c", "w", 4)));
                                    reply.chunk(initialEnd(4));
                                    reply.hold();
                                }
                            }
                        });
        awaitContents("cw4", informer);
        assertEquals(List.of("->au2", "au2>-", "->cw4"), seen);
    }

    @Test
    void remembersThatTheServerRefusesStreamingLists() throws Exception {
        var informer =
                follow(
                        FAST,
                        (n, reply) -> reply.send(200, list(n, configMap("a", "u", n))),
                        (n, _, reply) -> {
                            if (n < 3) {
                                reply.send(410, status(410, "Expired", "old"));
                            } else {
                                reply.stream().hold();
                            }
                        });
        awaitContents("au3", informer);
        assertEquals(1, server.requests().stream().filter(Request::isStreamingList).count());
    }

    @Test
    void fallsBackWhenAStreamingListNeverEnds() throws Exception {
        var informer =
                follow(
                        nets(60_000, 60_000, 60_000),
                        (request, reply) -> {
                            if (request.isWatch()) {
                                reply.stream().hold();
                            } else {
                                reply.send(200, list(3, configMap("a", "u", 3)));
                            }
                        });
        awaitContents("au3", informer);
    }

    @Test
    void waitsForATypeThatIsNotServedYet() throws Exception {
        var installed = new CountDownLatch(1);
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            if (installed.getCount() > 0) {
                                reply.send(404, "404 page not found");
                            } else if (request.isStreamingList()) {
                                reply.stream().chunk(initialEnd(2)).hold();
                            } else {
                                reply.send(500, "");
                            }
                        });
        Await.until("a problem is told", () -> informer.problem().isPresent());
        assertFalse(informer.synced());
        installed.countDown();
        informer.awaitSync(Duration.ofSeconds(10));
    }

    @Test
    void recoversWhenAccessIsGranted() throws Exception {
        var granted = new CountDownLatch(1);
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            if (granted.getCount() > 0) {
                                reply.send(403, status(403, "Forbidden", "not yours"));
                            } else if (request.isStreamingList()) {
                                reply.stream().chunk(initialEnd(2)).hold();
                            } else {
                                reply.send(500, "");
                            }
                        });
        Await.until("a problem is told", () -> informer.problem().orElse("").contains("not yours"));
        granted.countDown();
        informer.awaitSync(Duration.ofSeconds(10));
    }

    @Test
    void leavesTheStoreAloneWhenAListIsCutOff() throws Exception {
        var go = new CountDownLatch(1);
        var whole = list(9, configMap("b", "v", 8), configMap("c", "w", 9));
        var informer =
                follow(
                        FAST,
                        (n, reply) -> {
                            if (n == 1) {
                                reply.send(200, list(5, configMap("a", "u", 5)));
                            } else if (n == 2) {
                                reply.raw(
                                        "HTTP/1.1 200 OK\r\nContent-Length: "
                                                + whole.length()
                                                + "\r\n\r\n");
                                reply.raw(whole.substring(0, whole.length() / 2));
                            } else {
                                go.await();
                                reply.send(200, whole);
                            }
                        },
                        (n, _, reply) -> {
                            if (n == 1) {
                                reply.send(410, status(410, "Expired", "old"));
                            } else {
                                reply.stream().hold();
                            }
                        });
        Await.until("third list", () -> server.lists().size() == 3);
        assertEquals("au5", contents(informer));
        go.countDown();
        awaitContents("bv8 cw9", informer);
    }

    @Test
    void stopsWhereverItIs() throws Exception {
        List<FakeServer.Script> places =
                List.of(
                        (_, reply) -> reply.hold(),
                        (_, reply) -> reply.stream().hold(),
                        (_, reply) -> reply.stream().chunk(initialEnd(1)).hold(),
                        (_, reply) -> reply.send(403, status(403, "Forbidden", "no")));
        for (var place : places) {
            var informer = follow(Timing.DEFAULT, place);
            Await.until("request", () -> !server.requests().isEmpty());
            long start = System.nanoTime();
            informer.close();
            assertTrue(System.nanoTime() - start < 1_000_000_000L, "stopped within a second");
            int before = seen.size();
            informer.observed(object("z", "z", 99));
            assertEquals(before, seen.size(), "no handler call after stop");
        }
    }

    @Test
    void goesOnWhenAHandlerThrows() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1, configMap("a", "u", 1))),
                        (_, _, reply) -> {
                            reply.stream().chunk(event("ADDED", configMap("b", "v", 2)));
                            reply.hold();
                        });
        informer.addHandler(
                (_, _) -> {
                    throw new AssertionError("thrown on purpose");
                });
        awaitContents("au1 bv2", informer);
        Await.until("both were counted", () -> informer.handlerFailures() == 2);
        assertEquals(List.of("->au1", "->bv2"), seen);
    }

    @Test
    void showsAnOwnWriteBeforeTheWatchDoes() throws Exception {
        var go = new CountDownLatch(1);
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(5, configMap("a", "u", 5))),
                        (_, _, reply) -> {
                            reply.stream();
                            go.await();
                            reply.chunk(event("ADDED", configMap("b", "v", 7)));
                            reply.chunk(event("MODIFIED", configMap("a", "u", 8)));
                            reply.hold();
                        });
        awaitContents("au5", informer);
        informer.observed(object("b", "v", 7));
        informer.observed(object("a", "u", 4));
        assertEquals("au5 bv7", contents(informer));
        go.countDown();
        awaitContents("au8 bv7", informer);
        assertEquals(List.of("->au5", "->bv7", "au5>au8"), seen, "told once");
    }

    @Test
    void doesNotResurrectWhatTheWatchHasPassed() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(5)),
                        (_, _, reply) -> {
                            reply.stream();
                            reply.chunk(event("ADDED", configMap("a", "u", 6)));
                            reply.chunk(event("DELETED", configMap("a", "u", 7)));
                            reply.hold();
                        });
        Await.until("deleted", () -> informer.resourceVersion().equals("7"));
        informer.observed(object("a", "u", 6));
        assertEquals("", contents(informer));
    }

    @Test
    void doesNotTakeInOwnWritesOutsideOfItsSelection() throws Exception {
        server = FakeServer.start((request, reply) -> reply.stream().chunk(initialEnd(1)).hold());
        opened.add(server);
        var client = server.client();
        opened.add(client);
        var informer =
                Informer.of(client, Types.CONFIG_MAP)
                        .namespace("ns")
                        .fieldSelector("metadata.name=a")
                        .labelSelector("!x")
                        .build();
        opened.add(informer);
        informer.start();
        informer.awaitSync(Duration.ofSeconds(10));
        informer.observed(object("b", "u", 6));
        informer.observed(object("a", "u", 6).with("other", "metadata", "namespace"));
        informer.observed(object("a", "u", 6).with("1", "metadata", "labels", "x"));
        assertEquals("", contents(informer));
        informer.observed(object("a", "u", 6));
        assertEquals("au6", contents(informer));
        var request = server.requests().getFirst();
        assertEquals("/api/v1/namespaces/ns/configmaps", request.path());
        assertEquals("metadata.name%3Da", request.parameter("fieldSelector").orElseThrow());
        assertEquals("%21x", request.parameter("labelSelector").orElseThrow());
    }

    @Test
    void keepsNoManagedFieldsAndTransformsFromEverySource() throws Exception {
        var managed =
                "\"metadata\":{\"managedFields\":[{\"manager\":\"m\"}],\"labels\":{\"big\":\"x\"},";
        server =
                FakeServer.start(
                        (request, reply) -> {
                            reply.stream();
                            reply.chunk(
                                    event(
                                            "ADDED",
                                            configMap("a", "u", 1)
                                                    .replace("\"metadata\":{", managed)));
                            reply.chunk(initialEnd(1));
                            reply.chunk(
                                    event(
                                            "ADDED",
                                            configMap("b", "v", 2)
                                                    .replace("\"metadata\":{", managed)));
                            reply.hold();
                        });
        opened.add(server);
        var client = server.client();
        opened.add(client);
        var informer =
                Informer.of(client, Types.CONFIG_MAP)
                        .transform(o -> o.without("metadata", "labels", "big"))
                        .build();
        opened.add(informer);
        informer.start();
        awaitContents("au1 bv2", informer);
        for (var name : Arrays.asList("a", "b")) {
            var json = informer.get(ObjectKey.of("ns", name)).orElseThrow().toJson();
            assertFalse(json.contains("managedFields") || json.contains("big"), json);
        }
    }

    @Test
    void keepsTheLastStateOfEachKeyForASlowHandler() throws Exception {
        int events = 2_000;
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1)),
                        (_, _, reply) -> {
                            reply.stream();
                            for (int i = 0; i < events; i++) {
                                reply.chunk(event("MODIFIED", configMap("k" + i % 10, "u", 2 + i)));
                            }
                            reply.hold();
                        });
        Await.until("all taken", () -> informer.resourceVersion().equals("" + (events + 1)));
        assertEquals(10, informer.list().size());
        assertEquals(
                "" + (events + 1),
                informer.get(ObjectKey.of("ns", "k9")).orElseThrow().resourceVersion());
    }
}
