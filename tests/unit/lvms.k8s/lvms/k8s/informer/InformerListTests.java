package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.bookmark;
import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.FakeServer.Request;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The store is what the newest whole list of the server says, whatever led to that list. */
class InformerListTests extends InformerCase {
    @Test
    @Behaviour(50)
    void syncsWithAnEmptyCollection() throws Exception {
        var informer =
                follow(FAST, (_, reply) -> reply.send(200, list(1)), (_, _, reply) -> reply.hold());
        informer.awaitSync(Duration.ofSeconds(10));
        assertEquals("", contents(informer));
        assertEquals("1", informer.resourceVersion());
    }

    @Test
    @Behaviour(50)
    void isSyncedOnlyAfterTheLastObjectWasHandedOver() throws Exception {
        var handedOver = new CountDownLatch(1);
        var client =
                serve(
                        (request, reply) -> {
                            if (request.isWatch()) {
                                reply.send(422, status(422, "Invalid", "no"));
                            } else {
                                reply.send(
                                        200,
                                        list(3, configMap("a", "u", 2), configMap("b", "v", 3)));
                            }
                        });
        var informer = closing(Informer.of(client, Types.CONFIG_MAP).timing(FAST).build());
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
    void listsWithBackoffWhenWatchesEndAtOnceWithoutAnEvent() throws Exception {
        follow(FAST, (_, reply) -> reply.send(200, list(1)), (_, _, reply) -> reply.stream().end());
        Await.until("some rounds", () -> server().watches().size() >= 5);
        int lists = server().lists().size();
        assertTrue(lists >= 4, "each short watch leads to a list, lists=" + lists);
    }

    @Test
    @Behaviour(48)
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
        Await.until("request", () -> server().requests().size() == 1);
        assertFalse(informer.synced());
        assertEquals("", contents(informer));
        go.countDown();
        awaitContents("au4 cw7", informer);
        assertEquals(List.of("->au4", "->cw7"), seen);
        assertEquals(1, server().requests().size(), "one request is enough");
    }

    @Test
    @Behaviour(48)
    void throwsAwayAStreamingListThatIsCutOff() throws Exception {
        var number = new AtomicInteger();
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            if (!request.isWatch()) {
                                reply.send(200, list(4, configMap("c", "w", 4)));
                                return;
                            }
                            reply.stream();
                            switch (number.incrementAndGet()) {
                                case 1 -> {
                                    reply.chunk(event("ADDED", configMap("a", "u", 2)));
                                    reply.chunk(initialEnd(2));
                                    reply.chunk(event("ERROR", status(410, "Expired", "old")))
                                            .end();
                                }
                                case 2 -> reply.chunk(event("ADDED", configMap("b", "v", 3))).end();
                                default -> reply.hold();
                            }
                        });
        awaitContents("cw4", informer);
        assertEquals(List.of("->au2", "au2>-", "->cw4"), seen);
    }

    @Test
    @Behaviour(49)
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
        assertEquals(1, server().requests().stream().filter(Request::isStreamingList).count());
    }

    @Test
    void asksForPlainListsAtOnceWhereItIsTold() throws Exception {
        var client =
                serve(
                        (request, reply) -> {
                            if (request.isWatch()) {
                                reply.stream().hold();
                            } else {
                                reply.send(200, list(3, configMap("a", "u", 3)));
                            }
                        });
        var informer = closing(Informer.of(client, Types.CONFIG_MAP).plainLists().build());
        informer.start();
        awaitContents("au3", informer);
        Await.until(
                "it watches from the list",
                () -> server().requests().stream().anyMatch(Request::isWatch));
        assertEquals(0, server().requests().stream().filter(Request::isStreamingList).count());
        assertEquals("3", server().requests().getLast().parameter("resourceVersion").orElseThrow());
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

    /** So no server can find the version of a list too large, or answer with an older state. */
    @Test
    @Behaviour(27)
    void asksForTheNewestStateWheneverItLists() throws Exception {
        var informer =
                follow(
                        FAST,
                        (n, reply) -> reply.send(200, list(10 * n, configMap("a", "u", n))),
                        (n, _, reply) -> {
                            if (n < 3) {
                                reply.send(410, status(410, "Expired", "old"));
                            } else {
                                reply.stream().hold();
                            }
                        });
        awaitContents("au3", informer);
        for (var list : server().lists()) {
            assertTrue(list.parameter("resourceVersion").isEmpty(), list.target());
            assertTrue(list.parameter("resourceVersionMatch").isEmpty(), list.target());
        }
    }

    /** The server counted up again after a restore, and the object was made once more. */
    @Test
    @Behaviour({51, 108})
    void takesOtherContentAtAnEqualVersion() throws Exception {
        var other = configMap("a", "u", 5).replace("\"uid\"", "\"labels\":{\"x\":\"y\"},\"uid\"");
        var informer =
                follow(
                        FAST,
                        (n, reply) ->
                                reply.send(200, list(7, n == 1 ? configMap("a", "u", 5) : other)),
                        (n, _, reply) -> {
                            if (n == 1) {
                                reply.send(410, status(410, "Expired", "old"));
                            } else {
                                reply.stream().hold();
                            }
                        });
        Await.until(
                "the label is there",
                () -> informer.list().stream().anyMatch(o -> o.label("x").isPresent()));
        awaitContents("au5", informer);
        assertEquals(List.of("->au5", "au5>au5"), seen);
    }

    @Test
    @Behaviour(58)
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
    @Behaviour(59)
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
    @Behaviour(29)
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
        Await.until("third list", () -> server().lists().size() == 3);
        assertEquals("au5", contents(informer));
        go.countDown();
        awaitContents("bv8 cw9", informer);
    }

    @Test
    @Behaviour(36)
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
    @Behaviour(37)
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
    @Behaviour(38)
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
    @Behaviour(31)
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
    @Behaviour(60)
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
    @Behaviour(51)
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

    /** A gateway may answer 200 with a list of its own, or with one that has no version. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"SecretList\",\"apiVersion\":\"v1\"}",
                "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"}}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[]}",
            })
    @Safety(30)
    void keepsItsObjectsWhenAForeignListCame(String foreign) throws Exception {
        var go = new CountDownLatch(1);
        var informer =
                follow(
                        FAST,
                        (n, reply) -> {
                            if (n <= 1) {
                                reply.send(200, list(5, configMap("a", "u", 5)));
                            } else if (go.getCount() > 0) {
                                reply.send(200, foreign);
                            } else {
                                reply.send(200, list(9, configMap("a", "u", 8)));
                            }
                        },
                        (n, _, reply) -> {
                            if (n == 1) {
                                reply.send(410, status(410, "Expired", "too old"));
                            } else {
                                reply.stream().hold();
                            }
                        });
        Await.until("the foreign list came twice", () -> server().lists().size() >= 3);
        assertEquals("au5", contents(informer));
        assertEquals("5", informer.resourceVersion());
        Await.until("it is told", () -> informer.problem().isPresent());
        go.countDown();
        awaitContents("au8", informer);
        assertEquals(List.of("->au5", "au5>au8"), seen);
    }

    /** It may have been the network: only three in a row are a habit. */
    @Test
    void asksForStreamingListsAgainAfterOneFellSilent() throws Exception {
        var streams = new AtomicInteger();
        var informer =
                follow(
                        nets(60_000, 60_000, 60_000),
                        (request, reply) -> {
                            if (request.isStreamingList()) {
                                reply.stream();
                                if (streams.incrementAndGet() == 3) {
                                    reply.chunk(event("ADDED", configMap("a", "u", 7)));
                                    reply.chunk(initialEnd(7));
                                }
                                reply.hold();
                            } else if (request.isWatch()) {
                                reply.send(410, status(410, "Expired", "too old"));
                            } else {
                                reply.send(200, list(3, configMap("a", "u", 3)));
                            }
                        });
        awaitContents("au7", informer);
    }

    /**
     * An aggregated server that knows neither sendInitialEvents nor timeoutSeconds, and whose
     * collection never rests.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fallsBackWhenAStreamingListGoesOnAndOn(boolean bookmarks) throws Exception {
        var informer =
                follow(
                        bookmarks ? nets(600_000, 600_000, 600_000) : nets(1_500, 60_000, 60_000),
                        (request, reply) -> {
                            if (request.isStreamingList()) {
                                reply.stream();
                                for (int n = 10; ; n++) {
                                    reply.chunk(event("MODIFIED", configMap("a", "u", n)));
                                    if (bookmarks) {
                                        reply.chunk(bookmark(n));
                                    }
                                    Thread.sleep(20);
                                }
                            } else if (request.isWatch()) {
                                reply.stream().hold();
                            } else {
                                reply.send(200, list(3, configMap("a", "u", 3)));
                            }
                        });
        awaitContents("au3", informer);
        assertEquals(List.of("->au3"), seen);
    }

    @Test
    void tellsThatAStreamingListDoesNotEnd() throws Exception {
        var go = new CountDownLatch(1);
        var informer =
                follow(
                        nets(60_000, 60_000, 60_000),
                        (request, reply) -> {
                            if (request.isWatch()) {
                                reply.stream().hold();
                            } else {
                                go.await();
                                reply.send(200, list(3, configMap("a", "u", 3)));
                            }
                        });
        Await.until(
                () -> "the problem, it is " + informer.problem(),
                () -> informer.problem().orElse("").contains("streaming list"));
        go.countDown();
        awaitContents("au3", informer);
        Await.until(
                () -> "no problem, it is " + informer.problem(),
                () -> informer.problem().isEmpty());
    }

    @Test
    void tellsThatAStreamingListTakesLong() throws Exception {
        var end = new AtomicBoolean();
        var informer =
                follow(
                        nets(600_000, 600_000, 600_000),
                        (_, reply) -> {
                            reply.stream();
                            for (int n = 10; !end.get(); n++) {
                                reply.chunk(event("MODIFIED", configMap("a", "u", n)));
                                Thread.sleep(20);
                            }
                            reply.chunk(initialEnd(1_000_000)).hold();
                        });
        Await.until(
                () -> "the problem, it is " + informer.problem(),
                () -> informer.problem().orElse("").contains("streaming list"));
        assertFalse(informer.synced());
        end.set(true);
        awaitVersion("1000000", informer);
        Await.until(
                () -> "no problem, it is " + informer.problem(),
                () -> informer.problem().isEmpty());
        assertEquals(1, server().requests().size(), "it is still the first one");
    }

    /** A large collection over a slow line takes longer than an attempt, and flows all the same. */
    @Test
    void readsAPlainListForAsLongAsItFlows() throws Exception {
        var attempt = Duration.ofSeconds(2);
        serve(
                (request, reply) -> {
                    if (request.isStreamingList()) {
                        reply.send(422, status(422, "Invalid", "no"));
                    } else if (request.isWatch()) {
                        reply.stream().hold();
                    } else {
                        var body = list(5, configMap("a", "u", 5), configMap("b", "v", 4));
                        int piece = body.length() / 20;
                        reply.stream();
                        for (int from = 0; from < body.length(); from += piece) {
                            Thread.sleep(attempt.dividedBy(15)); // so that it takes longer
                            int to = Math.min(body.length(), from + piece);
                            reply.chunk(body.substring(from, to));
                        }
                        reply.end();
                    }
                });
        var options = ClientOptions.of("t").attemptDeadline(attempt).callDeadline(attempt);
        try (var client = KubeClient.open(KubeConfig.ofServer(server().url()), options);
                var informer = Informer.of(client, Types.CONFIG_MAP).timing(FAST).build()) {
            informer.start();
            awaitContents("au5 bv4", informer);
        }
    }
}
