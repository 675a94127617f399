package lvms.k8s.controller;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Changes of objects become keys of the right work, and what is news goes first. */
@Timeout(120)
class ControllerWatchTests {
    private static final String OWNED =
            "\"ownerReferences\":[{\"apiVersion\":\"apps/v1beta2\",\"kind\":\"DaemonSet\","
                    + "\"name\":\"%s\",\"uid\":\"x\",\"controller\":true}],\"uid\"";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private Informer informer(FakeServer.Script script) throws Exception {
        var server = FakeServer.start(script);
        opened.add(server);
        KubeClient client = server.client();
        opened.add(client);
        var informer = Informer.of(client, Types.CONFIG_MAP).build();
        opened.add(informer);
        return informer;
    }

    private <K> void start(Controller<K> controller) {
        opened.add(controller);
        controller.start();
    }

    private static String ownedBy(String owner, long version) {
        return configMap("a", "u", version).replace("\"uid\"", OWNED.formatted(owner));
    }

    @Test
    @Behaviour({68, 69})
    void aDependentThatMovesLeadsToBothOwners() throws Exception {
        var informer =
                informer(
                        (_, reply) -> {
                            reply.stream();
                            reply.chunk(event("ADDED", ownedBy("first", 1)));
                            reply.chunk(initialEnd(1));
                            Await.until("the first owner", () -> keys.contains("ns/first"));
                            keys.clear();
                            reply.chunk(event("MODIFIED", ownedBy("second", 2)));
                            reply.hold();
                        });
        start(
                Controller.named(
                                "sets",
                                key -> {
                                    keys.add(key.toString());
                                    return Result.done();
                                })
                        .owns(informer, Types.DAEMON_SET)
                        .build());
        Await.until("both owners", () -> keys.containsAll(List.of("ns/first", "ns/second")));
    }

    @Test
    void theFirstPassWaitsForTheCachesThatItReads() throws Exception {
        var release = new CountDownLatch(1);
        var watched =
                informer(
                        (_, reply) -> {
                            reply.stream();
                            reply.chunk(event("ADDED", configMap("a", "u", 1)));
                            reply.chunk(initialEnd(1));
                            reply.hold();
                        });
        var read =
                informer(
                        (_, reply) -> {
                            reply.stream();
                            reply.chunk(event("ADDED", configMap("b", "v", 1)));
                            release.await();
                            reply.chunk(initialEnd(1));
                            reply.hold();
                        });
        start(
                Controller.named(
                                "readers",
                                key -> {
                                    keys.add(key.name() + " " + read.list().size());
                                    return Result.done();
                                })
                        .watch(watched)
                        .after(List.of(read))
                        .build());
        watched.awaitSync(Duration.ofSeconds(30));
        Thread.sleep(100); // a pass too early would come at once
        assertEquals(List.of(), keys);
        release.countDown();
        Await.until("a pass", () -> !keys.isEmpty());
        assertEquals(List.of("a 1"), keys);
    }

    @Test
    void allObjectsOfANamespaceMayBeOnePieceOfWork() throws Exception {
        var informer =
                informer(
                        (_, reply) -> {
                            reply.stream();
                            reply.chunk(event("ADDED", configMap("a", "u", 1)));
                            reply.chunk(event("ADDED", configMap("b", "v", 2)));
                            reply.chunk(initialEnd(2));
                            reply.hold();
                        });
        start(
                Controller.keyed(
                                "namespaces",
                                ObjectKey::namespace,
                                namespace -> {
                                    keys.add(namespace);
                                    return Result.done();
                                })
                        .watch(informer)
                        .build());
        Await.until("a pass", () -> !keys.isEmpty());
        informer.observed(object("a", "u", 3));
        Await.until("another pass", () -> keys.size() == 2);
        assertEquals(List.of("ns", "ns"), keys);
    }

    @Test
    void newEventsGoBeforeWhatTheFirstListBrought() throws Exception {
        var entered = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var informer =
                informer(
                        (_, reply) -> {
                            reply.stream();
                            for (var name : List.of("a", "b", "c")) {
                                reply.chunk(event("ADDED", configMap(name, name, 1)));
                            }
                            reply.chunk(initialEnd(3));
                            entered.await();
                            reply.chunk(event("ADDED", configMap("new", "n", 4)));
                            reply.hold();
                        });
        start(
                Controller.named(
                                "c",
                                key -> {
                                    keys.add(key.name());
                                    entered.countDown();
                                    go.await();
                                    return Result.done();
                                })
                        .watch(informer)
                        .build());
        var added = ObjectKey.of("ns", "new");
        Await.until("the event came", () -> informer.get(added).isPresent());
        informer.addHandler((_, _) -> {}); // returns when the other handlers were told
        go.countDown();
        Await.until("all passes", () -> keys.size() == 4);
        assertEquals("new", keys.get(1));
    }
}
