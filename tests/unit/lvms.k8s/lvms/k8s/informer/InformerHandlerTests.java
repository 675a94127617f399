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
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Handlers see each change once and in order, and readers see own writes at once. */
class InformerHandlerTests extends InformerCase {
    @Test
    @Behaviour(42)
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
    @Behaviour(43)
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
        awaitVersion("9", informer);
        assertEquals("aw4", contents(informer));
        assertEquals(List.of("->au1", "au1>-", "->aw4"), seen);
    }

    @Test
    @Behaviour(41)
    void tellsWhatVanishedFromWhatWasSeenToGo() throws Exception {
        var changes = new CopyOnWriteArrayList<String>();
        var informer =
                closing(
                        Informer.of(
                                        serve(
                                                (request, reply) -> {
                                                    if (request.isStreamingList()) {
                                                        reply.send(422, "");
                                                    } else if (request.isWatch()) {
                                                        changesOf(request, reply);
                                                    } else if (server().lists().size() == 1) {
                                                        reply.send(200, list(5, FIRST));
                                                    } else {
                                                        reply.send(200, list(9, SECOND));
                                                    }
                                                }),
                                        Types.CONFIG_MAP)
                                .timing(FAST)
                                .build());
        informer.addHandler(
                Handler.of(
                        change ->
                                changes.add(
                                        (change.after().isPresent() ? "+" : "-")
                                                + change.object().name()
                                                + change.object().uid()
                                                + (change.initial() ? " initial" : "")
                                                + (change.finalStateUnknown() ? " lost" : ""))));
        informer.start();
        awaitContents("bx8 dz9", informer);
        assertEquals(List.of("+a1 initial", "+b2 initial", "+c3 initial"), sorted(changes, 0, 3));
        assertEquals("-c3", changes.get(3), "the watch told it");
        assertEquals("-a1 lost", changes.get(4));
        assertEquals(List.of("-b2 lost", "+bx", "+dz"), changes.subList(5, 8), "in this order");
        assertEquals(8, changes.size());
        var later = new CopyOnWriteArrayList<Boolean>();
        informer.addHandler(Handler.of(change -> later.add(change.initial())));
        assertEquals(List.of(true, true), later);
    }

    private static final String[] FIRST = {
        configMap("a", "1", 1), configMap("b", "2", 2), configMap("c", "3", 3)
    };
    private static final String[] SECOND = {configMap("b", "x", 8), configMap("d", "z", 9)};

    private static void changesOf(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException, InterruptedException {
        reply.stream();
        if (request.parameter("resourceVersion").orElseThrow().equals("5")) {
            reply.chunk(event("DELETED", configMap("c", "3", 6)));
            reply.chunk(event("ERROR", status(410, "Expired", "too old")));
        }
        reply.hold();
    }

    private static List<String> sorted(List<String> all, int from, int to) {
        return all.subList(from, to).stream().sorted().toList();
    }

    /** Nothing is kept for it but what fits into buffers, and the server has to wait. */
    @Test
    @Behaviour(56)
    void aHandlerThatTakesItsTimeHoldsTheServerBack() throws Exception {
        int events = 1_000;
        var padding = "\"data\":{\"x\":\"" + "y".repeat(1 << 16) + "\"},\"metadata\"";
        var sent = new AtomicInteger();
        var go = new CountDownLatch(1);
        var client =
                serve(
                        (request, reply) -> {
                            reply.stream().chunk(initialEnd(1));
                            for (int i = 0; i < events; i++) {
                                var object = configMap("k" + i % 10, "u", 2 + i);
                                reply.chunk(
                                        event("MODIFIED", object.replace("\"metadata\"", padding)));
                                sent.incrementAndGet();
                            }
                            reply.hold();
                        });
        var informer = closing(Informer.of(client, Types.CONFIG_MAP).timing(FAST).build());
        var last = new ConcurrentHashMap<String, String>();
        informer.addHandler(
                (_, after) -> {
                    await(go);
                    after.ifPresent(o -> last.put(o.name(), o.resourceVersion()));
                });
        informer.start();
        var before = new AtomicInteger(-1);
        var same = new AtomicInteger();
        Await.until(
                "the server waits",
                () -> {
                    same.set(before.getAndSet(sent.get()) == sent.get() ? same.get() + 1 : 0);
                    return sent.get() > 0 && same.get() > 100;
                });
        assertTrue(sent.get() < events, "all was read and kept");
        go.countDown();
        Await.until("the last state of each", () -> ("" + (events + 1)).equals(last.get("k9")));
        assertEquals(10, last.size());
        assertEquals("" + (events - 8), last.get("k0"));
    }

    @Test
    @Behaviour(47)
    void stopsWhereverItIs() throws Exception {
        List<FakeServer.Script> places =
                List.of(
                        (_, reply) -> reply.hold(),
                        (_, reply) -> reply.stream().hold(),
                        (_, reply) -> reply.stream().chunk(initialEnd(1)).hold(),
                        (_, reply) -> reply.send(403, status(403, "Forbidden", "no")));
        for (var place : places) {
            var informer = follow(Timing.DEFAULT, place);
            Await.until("request", () -> !server().requests().isEmpty());
            long start = System.nanoTime();
            informer.close();
            assertTrue(System.nanoTime() - start < 1_000_000_000L, "stopped within a second");
            int before = seen.size();
            informer.observed(object("z", "z", 99));
            assertEquals(before, seen.size(), "no handler call after stop");
        }
    }

    /** A server whose port is open and that says nothing, not even in the TLS handshake. */
    @Test
    @Behaviour(47)
    void stopsWhileItConnects() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var server = URI.create("https://127.0.0.1:" + silent.getLocalPort());
            var config = KubeConfig.builder(server).insecureSkipTlsVerify().build();
            var informer =
                    closing(
                            Informer.of(closing(KubeClient.open(config, "t")), Types.CONFIG_MAP)
                                    .build());
            informer.start();
            try (var _ = silent.accept()) {
                long start = System.nanoTime();
                informer.close();
                assertTrue(System.nanoTime() - start < 1_000_000_000L, "within a second");
                assertFalse(informer.following());
            }
        }
    }

    @Test
    void aHandlerThatWasTakenOutHearsNoMore() throws Exception {
        var informer =
                follow(
                        FAST,
                        (_, reply) -> reply.send(200, list(1, configMap("a", "u", 1))),
                        (_, _, reply) -> reply.stream().hold());
        awaitContents("au1", informer);
        var heard = new ArrayList<String>();
        Handler other = (_, after) -> heard.add(after.orElseThrow().name());
        informer.addHandler(other);
        informer.removeHandler(other);
        informer.observed(object("z", "z", 99));
        assertEquals(List.of("a"), heard);
        assertEquals(List.of("->au1", "->zz99"), seen);
    }

    @Test
    @Behaviour(55)
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
        Await.until("both were counted", () -> informer.handlerFailures() >= 2); // and repeats
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
        awaitVersion("7", informer);
        informer.observed(object("a", "u", 6));
        assertEquals("", contents(informer));
    }

    @Test
    void doesNotTakeInOwnWritesOutsideOfItsSelection() throws Exception {
        var client = serve((request, reply) -> reply.stream().chunk(initialEnd(1)).hold());
        var informer =
                closing(
                        Informer.of(client, Types.CONFIG_MAP)
                                .namespace("ns")
                                .fieldSelector("metadata.name=a")
                                .labelSelector("!x")
                                .build());
        informer.start();
        informer.awaitSync(Duration.ofSeconds(10));
        informer.observed(object("b", "u", 6));
        informer.observed(object("a", "u", 6).with("other", "metadata", "namespace"));
        informer.observed(object("a", "u", 6).with("1", "metadata", "labels", "x"));
        assertEquals("", contents(informer));
        informer.observed(object("a", "u", 6));
        assertEquals("au6", contents(informer));
        var request = server().requests().getFirst();
        assertEquals("/api/v1/namespaces/ns/configmaps", request.path());
        assertEquals("metadata.name%3Da", request.parameter("fieldSelector").orElseThrow());
        assertEquals("%21x", request.parameter("labelSelector").orElseThrow());
    }

    @Test
    @Behaviour(54)
    void keepsNoManagedFieldsAndTransformsFromEverySource() throws Exception {
        var managed =
                "\"metadata\":{\"managedFields\":[{\"manager\":\"m\"}],\"labels\":{\"big\":\"x\"},";
        var client =
                serve(
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
        var informer =
                closing(
                        Informer.of(client, Types.CONFIG_MAP)
                                .transform(o -> o.without("metadata", "labels", "big"))
                                .build());
        informer.start();
        awaitContents("au1 bv2", informer);
        for (var name : Arrays.asList("a", "b")) {
            var json = informer.get(ObjectKey.of("ns", name)).orElseThrow().toJson();
            assertFalse(json.contains("managedFields") || json.contains("big"), json);
        }
    }

    @Test
    void keepsTheLastStateOfEachKeyOfManyEvents() throws Exception {
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
        awaitVersion("" + (events + 1), informer);
        assertEquals(10, informer.list().size());
        assertEquals(
                "" + (events + 1),
                informer.get(ObjectKey.of("ns", "k9")).orElseThrow().resourceVersion());
    }
}
