package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.bookmark;
import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer.Request;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An informer asks no more often than it has to, and waits as long as it is asked to. */
class InformerPaceTests extends InformerCase {
    private static final long SECOND = 1_000_000_000L;

    @Test
    @Behaviour({16, 39, 103})
    void aStreamingListThatIsRefusedWithATimeWaitsThatLong() throws Exception {
        var asked = new CopyOnWriteArrayList<Long>();
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            asked.add(System.nanoTime());
                            assertTrue(request.isStreamingList());
                            if (asked.size() < 3) {
                                reply.send(
                                        429,
                                        status(429, "TooManyRequests", "storage is initializing"),
                                        "Retry-After: 1");
                            } else {
                                reply.stream().chunk(initialEnd(2)).hold();
                            }
                        });
        Await.until("synced", informer::synced);
        assertEquals(3, asked.size());
        assertTrue(asked.get(1) - asked.get(0) >= SECOND, "first pause");
        assertTrue(asked.get(2) - asked.get(1) >= SECOND, "second pause");
    }

    @Test
    @Behaviour(39)
    void aWatchThatIsRefusedWithATimeWaitsThatLongAndListsNothing() throws Exception {
        var asked = new CopyOnWriteArrayList<Long>();
        follow(
                FAST,
                (_, reply) -> reply.send(200, list(7)),
                (n, _, reply) -> {
                    asked.add(System.nanoTime());
                    if (n == 1) {
                        reply.send(429, "busy", "Retry-After: 1");
                    } else {
                        reply.stream().hold();
                    }
                });
        Await.until("another watch", () -> asked.size() == 2);
        assertTrue(asked.get(1) - asked.get(0) >= SECOND);
        assertEquals(1, server().lists().size());
    }

    @Test
    @Behaviour({32, 104})
    void halfALineAgainAndAgainIsPacedAndListsNowAndThen() throws Exception {
        long start = System.nanoTime();
        follow(
                FAST,
                (_, reply) -> reply.send(200, list(1)),
                (_, _, reply) -> reply.stream().chunk("{\"type\":\"ADD").end());
        Await.until("twelve watches", () -> server().watches().size() >= 12);
        assertTrue(System.nanoTime() - start >= 300_000_000L, "their pauses: 5, 10, 20, 40, 40...");
        assertTrue(server().lists().size() >= 4, "after three in vain");
    }

    @Test
    @Behaviour(104)
    void oneBookmarkInEachWatchIsPacedToo() throws Exception {
        long start = System.nanoTime();
        follow(
                FAST,
                (_, reply) -> reply.send(200, list(1)),
                (n, _, reply) -> reply.stream().chunk(bookmark(1 + n)).end());
        Await.until("twelve watches", () -> server().watches().size() >= 12);
        assertTrue(System.nanoTime() - start >= 300_000_000L, "their pauses: 5, 10, 20, 40, 40...");
    }

    @Test
    void aStreamingListThatBreaksIsFollowedByAPlainOneAtOnce() throws Exception {
        var rounds = new AtomicInteger();
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            if (request.isStreamingList()) {
                                reply.stream().chunk(event("ADDED", configMap("x", "u", 1)));
                                reply.end();
                            } else if (request.isWatch()) {
                                reply.send(410, status(410, "Expired", "old"));
                            } else {
                                int n = rounds.incrementAndGet();
                                reply.send(200, list(n, configMap("a", "u", n)));
                            }
                        });
        Await.until("some rounds", () -> rounds.get() >= 6);
        assertTrue(informer.synced());
        long streams = server().requests().stream().filter(Request::isStreamingList).count();
        assertEquals(3, streams, "none reached its end");
    }

    @Test
    @Behaviour(49)
    void aRefusalOfOneTypeKeepsStreamingListsForTheOthers() throws Exception {
        var client =
                serve(
                        (request, reply) -> {
                            boolean secrets = request.path().endsWith("/secrets");
                            if (request.isStreamingList() && secrets) {
                                reply.send(400, status(400, "BadRequest", "a bad selector"));
                            } else if (request.isWatch()) {
                                reply.stream();
                                if (!secrets) {
                                    reply.chunk(initialEnd(3));
                                }
                                reply.hold();
                            } else {
                                reply.send(200, list(3).replace("ConfigMapList", "SecretList"));
                            }
                        });
        var secrets = closing(Informer.of(client, Types.SECRET).timing(FAST).build());
        secrets.start();
        Await.until("the first is synced", secrets::synced);
        var configMaps = closing(Informer.of(client, Types.CONFIG_MAP).timing(FAST).build());
        configMaps.start();
        Await.until("the second is synced", configMaps::synced);
        assertEquals(1, server().lists().size(), "of secrets");
        assertTrue(server().lists().getFirst().path().endsWith("/secrets"));
    }

    @Test
    @Behaviour(107)
    void aWatchThatIsOpenedAgainCostsNoListOfTheCollection() throws Exception {
        var client =
                serve(
                        (request, reply) -> {
                            if (request.isStreamingList()) {
                                reply.stream().chunk(initialEnd(1) + bookmark(2)).end();
                            } else if (request.isWatch()) {
                                reply.stream().hold();
                            } else {
                                reply.send(200, list(1));
                            }
                        });
        closing(Informer.of(client, Types.CONFIG_MAP).labelSelector("a=b").timing(FAST).build())
                .start();
        Await.until("a probe", () -> server().requests().stream().anyMatch(r -> !r.isWatch()));
        var probe =
                server().requests().stream().filter(r -> !r.isWatch()).findFirst().orElseThrow();
        assertEquals("/api/v1/namespaces/-/configmaps", probe.path());
        assertEquals("a%3Db", probe.parameter("labelSelector").orElseThrow());
        assertEquals("1", probe.parameter("limit").orElseThrow());
    }

    /** Watches end when their time is over; nothing else happens here. */
    @Test
    @Behaviour(107)
    void anIdleInformerCostsAWatchAndAQuestionEachTime() throws Exception {
        int rounds = 6;
        var reached = new CountDownLatch(rounds);
        follow(
                nets(60_000, 60_000, 60_000),
                (request, reply) -> {
                    if (request.isStreamingList()) {
                        reply.stream().chunk(initialEnd(5));
                    } else if (request.isWatch()) {
                        reached.countDown();
                        reply.stream();
                    } else {
                        reply.send(200, list(5)); // the question
                        return;
                    }
                    if (reached.getCount() == 0) {
                        reply.hold();
                    }
                    Thread.sleep(200); // much longer than what counts as a short watch
                    reply.chunk(bookmark(5)).end();
                });
        assertTrue(reached.await(30, TimeUnit.SECONDS));
        Await.until("the last question", () -> questions() >= rounds);
        var all = server().requests();
        assertEquals(1, all.stream().filter(Request::isStreamingList).count(), "one list");
        assertEquals(rounds, all.stream().filter(r -> resumes(r)).count());
        assertEquals(rounds, questions());
        assertEquals(1 + 2 * rounds, all.size());
    }

    private static boolean resumes(Request request) {
        return request.isWatch() && !request.isStreamingList();
    }

    private long questions() {
        return server().requests().stream()
                .filter(request -> request.path().contains("/namespaces/-/"))
                .count();
    }

    @Test
    @Behaviour(107)
    void aProbeAsksWhereNothingIs() {
        var all = ListOptions.all();
        assertEquals("-", Probe.nowhere(Types.POD, all.fields("spec.nodeName=n")).namespace());
        assertEquals(
                "spec.nodeName=n",
                Probe.nowhere(Types.POD, all.fields("spec.nodeName=n")).fieldSelector());
        assertEquals(
                "spec.nodeName=n,metadata.name=-",
                Probe.nowhere(Types.POD, all.namespace("x").fields("spec.nodeName=n"))
                        .fieldSelector());
        assertEquals("metadata.name=-", Probe.nowhere(Types.NODE, all).fieldSelector());
        var one = all.fields("metadata.name=n1");
        assertEquals(one, Probe.nowhere(Types.NODE, one), "it reads one key as it is");
    }

    @Test
    void aServerThatRefusesThatIsAskedForTheCollection() throws Exception {
        var refused = new CountDownLatch(1);
        var informer =
                follow(
                        FAST,
                        (request, reply) -> {
                            if (request.isStreamingList()) {
                                reply.stream().chunk(initialEnd(100) + bookmark(101)).end();
                            } else if (request.isWatch()) {
                                reply.stream().hold();
                            } else if (request.path().contains("/namespaces/-/")) {
                                refused.countDown();
                                reply.send(403, status(403, "Forbidden", "no"));
                            } else {
                                reply.send(200, list(40)); // restored from a backup
                            }
                        });
        refused.await();
        Await.until(
                "it lists again",
                () -> server().requests().stream().filter(Request::isStreamingList).count() == 2);
        assertEquals(List.of(), informer.list());
    }

    @Test
    @Behaviour(46)
    void aWatchThatDiesInSilenceIsReplacedWhileOtherTypesGoOn() throws Exception {
        var go = new CountDownLatch(1);
        var client =
                serve(
                        (request, reply) -> {
                            boolean secrets = request.path().endsWith("/secrets");
                            if (request.isStreamingList()) {
                                reply.stream();
                                if (secrets) {
                                    reply.chunk(initialEnd(1).replace("ConfigMap", "Secret"));
                                    go.await();
                                    reply.chunk(
                                            event(
                                                    "ADDED",
                                                    configMap("s", "u", 2)
                                                            .replace("ConfigMap", "Secret")));
                                } else {
                                    reply.chunk(initialEnd(1) + bookmark(2));
                                }
                                reply.hold();
                            } else if (request.isWatch()) {
                                reply.stream().hold(); // not even a bookmark
                            } else {
                                reply.send(200, list(2));
                            }
                        });
        var dead =
                closing(
                        Informer.of(client, Types.CONFIG_MAP)
                                .timing(nets(600_000, 150, 600_000))
                                .build());
        var alive = closing(Informer.of(client, Types.SECRET).timing(FAST).build());
        dead.start();
        alive.start();
        Await.until("dead watches are replaced", () -> server().watches().size() >= 3);
        go.countDown();
        Await.until("the other type goes on", () -> alive.list().size() == 1);
        assertTrue(dead.synced());
    }
}
