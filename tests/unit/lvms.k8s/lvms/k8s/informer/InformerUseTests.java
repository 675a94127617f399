package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.initialEnd;
import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Programs of many parts share informers, and take of them only what they need. */
class InformerUseTests extends InformerCase {
    private static final FakeServer.Script TWO_OBJECTS =
            (_, reply) -> {
                reply.stream().chunk(event("ADDED", configMap("a", "u", 1)));
                reply.chunk(event("ADDED", configMap("b", "v", 2)) + initialEnd(2)).hold();
            };

    private Informer started(Informer.Builder builder) throws Exception {
        var informer = closing(builder.timing(FAST).build());
        informer.start();
        informer.awaitSync(Duration.ofSeconds(30));
        return informer;
    }

    @Test
    void aHandlerIsSyncedOnceItHasTakenWhatWasThere() throws Exception {
        var client = serve(TWO_OBJECTS);
        var informer = closing(Informer.of(client, Types.CONFIG_MAP).timing(FAST).build());
        var broken = new AtomicBoolean(true);
        var early = informer.addHandler((_, _) -> {});
        var failing =
                informer.addHandler(
                        (_, _) -> {
                            if (broken.get()) {
                                throw new IllegalStateException("not now");
                            }
                        });
        assertFalse(early.synced());
        informer.start();
        Await.until("the first list was handed over", early::synced);
        var late = informer.addHandler((_, _) -> {});
        assertTrue(late.synced(), "it was told at once");
        assertFalse(failing.synced(), "it has not taken them");
        broken.set(false);
        Await.until("it has now", failing::synced);
        broken.set(true);
        informer.observed(object("c", "w", 3));
        assertTrue(failing.synced(), "for ever");
    }

    @Test
    void noCallComesAfterAHandlerWasTakenOut() throws Exception {
        var informer = started(Informer.of(serve(TWO_OBJECTS), Types.CONFIG_MAP));
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var calls = new AtomicInteger();
        var armed = new AtomicBoolean();
        var registration =
                informer.addHandler(
                        (_, _) -> {
                            if (armed.get()) {
                                inside.countDown();
                                await(go);
                                calls.incrementAndGet();
                                throw new IllegalStateException("and it is not told again");
                            }
                        });
        armed.set(true);
        var writer = Thread.ofVirtual().start(() -> informer.observed(object("c", "w", 3)));
        inside.await();
        var closer = Thread.ofVirtual().start(registration::close);
        Await.until(
                "it waits for the call",
                () -> closer.getState() == Thread.State.WAITING && calls.get() == 0);
        go.countDown();
        writer.join();
        closer.join();
        informer.observed(object("c", "w", 4));
        informer.observed(object("d", "x", 5));
        assertEquals(1, calls.get());
        registration.close();
    }

    @Test
    void aHandlerMayTakeItselfOut() throws Exception {
        var informer = started(Informer.of(serve(TWO_OBJECTS), Types.CONFIG_MAP));
        var registrations = new ArrayList<Registration>();
        var calls = new AtomicInteger();
        registrations.add(
                informer.addHandler(
                        (_, after) -> {
                            if (after.orElseThrow().name().equals("c")) {
                                calls.incrementAndGet();
                                registrations.getFirst().close();
                            }
                        }));
        informer.observed(object("c", "w", 3));
        informer.observed(object("c", "w", 4));
        assertEquals(1, calls.get());
    }

    @Test
    @Behaviour(52)
    void aResyncTellsEachObjectAgainToThoseWhoAskedWithoutARequest() throws Exception {
        var informer = started(Informer.of(serve(TWO_OBJECTS), Types.CONFIG_MAP));
        var told = new CopyOnWriteArrayList<Change>();
        var others = new AtomicInteger();
        informer.addHandler((_, _) -> others.incrementAndGet());
        int requests = server().requests().size();
        try (var _ = informer.addHandler(Handler.of(told::add), Duration.ofSeconds(1))) {
            Await.until("two rounds", () -> told.size() >= 6);
        }
        int after = told.size();
        for (var change : told.subList(2, after)) {
            assertEquals(change.before(), change.after());
            assertFalse(change.initial());
        }
        assertEquals(2, told.subList(2, 4).stream().map(c -> c.object().name()).distinct().count());
        assertEquals(2, others.get());
        assertEquals(requests, server().requests().size());
        informer.observed(object("c", "w", 3));
        assertEquals(after, told.size(), "it was taken out");
        assertThrows(
                IllegalArgumentException.class,
                () -> informer.addHandler((_, _) -> {}, Duration.ofMillis(999)));
    }

    @Test
    void severalNamespacesAreOneInformer() throws Exception {
        var client =
                serve(
                        (request, reply) -> {
                            var namespace = request.path().split("/")[4];
                            reply.stream();
                            reply.chunk(event("ADDED", in(namespace, "x", 1)) + initialEnd(5));
                            if (namespace.equals("two")) {
                                reply.chunk(event("ADDED", in(namespace, "y", 7)));
                            }
                            reply.hold();
                        });
        var informer =
                started(
                        Informer.of(client, Types.CONFIG_MAP)
                                .namespaces(List.of("one", "two"))
                                .index("name", o -> List.of(o.name())));
        Await.until("all are there", () -> informer.list().size() == 3);
        assertEquals(2, informer.byIndex("name", "x").size());
        assertTrue(informer.get(ObjectKey.of("one", "x")).isPresent());
        assertTrue(informer.get(ObjectKey.of("one", "y")).isEmpty());
        assertTrue(informer.get(ObjectKey.of("other", "x")).isEmpty());
        Await.until("the lag is that of the first", () -> informer.resourceVersion().equals("5"));
        assertTrue(informer.following());
        informer.observed(object("z", "z", 9).with("one", "metadata", "namespace"));
        informer.observed(object("z", "z", 9).with("other", "metadata", "namespace"));
        assertEquals(4, informer.list().size());
        var paths = server().requests().stream().map(FakeServer.Request::path).sorted().toList();
        assertEquals(
                List.of("/api/v1/namespaces/one/configmaps", "/api/v1/namespaces/two/configmaps"),
                paths);
        assertThrows(
                IllegalArgumentException.class,
                () -> Informer.of(client, Types.CONFIG_MAP).namespaces(List.of()));
    }

    private static String in(String namespace, String name, long version) {
        return configMap(name, namespace + name, version)
                .replace("\"ns\"", "\"" + namespace + "\"");
    }

    @Test
    void ofAServerThatSendsMoreOnlyMetadataIsKept() throws Exception {
        var whole = configMap("a", "u", 1).replace("}}", "},\"data\":{\"k\":\"v\"}}");
        var partial =
                configMap("b", "v", 2)
                        .replace("ConfigMap", "PartialObjectMetadata")
                        .replace("\"v1\"", "\"meta.k8s.io/v1\"");
        var client =
                serve(
                        (_, reply) ->
                                reply.stream()
                                        .chunk(event("ADDED", whole) + event("ADDED", partial))
                                        .chunk(initialEnd(2))
                                        .hold());
        var informer = started(Informer.of(client, Types.CONFIG_MAP).metadataOnly());
        assertEquals("au1 bv2", contents(informer));
        informer.observed(object("c", "w", 3).with("v", "data", "k"));
        for (var object : informer.list()) {
            assertEquals("ConfigMap", object.kind());
            assertEquals("v1", object.apiVersion());
            assertTrue(object.object("data").isEmpty());
        }
        assertEquals(
                "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
                server().requests().getFirst().header("accept"));
    }

    @Test
    void partsShareOneInformerForEachSelection() throws Exception {
        var client = serve(TWO_OBJECTS);
        var informers = SharedInformers.of(client);
        Informer all;
        try (informers) {
            all = informers.get(Types.CONFIG_MAP);
            assertSame(all, informers.get(Types.CONFIG_MAP, ListOptions.all().pageSize(7)));
            var some = informers.get(Types.CONFIG_MAP, ListOptions.all().namespace("ns"));
            assertNotSame(all, some);
            assertNotSame(all, informers.get(Types.CONFIG_MAP, ListOptions.all().onlyMetadata()));
            assertEquals(List.of(), server().requests(), "nothing is asked before the start");
            informers.start();
            informers.awaitSync(Duration.ofSeconds(30));
            assertEquals(3, server().requests().size());
            all.addIndex("name", o -> List.of(o.name()));
            assertEquals(1, all.byIndex("name", "a").size());
            all.observed(object("c", "w", 3));
            assertEquals(1, all.byIndex("name", "c").size());
            assertThrows(
                    IllegalArgumentException.class, () -> all.addIndex("name", _ -> List.of()));
        }
        assertFalse(all.following());
        assertThrows(IllegalStateException.class, () -> informers.get(Types.CONFIG_MAP));
    }

    private static String metric(KubeClient client, String name) {
        return client.metrics()
                .text()
                .lines()
                .filter(line -> line.startsWith(name + "{name=\"configmaps\"} "))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElse("none");
    }

    @Test
    void whatInformersOfOneTypeDoIsCountedTogether() throws Exception {
        var client = serve(TWO_OBJECTS);
        var built = Informer.of(client, Types.CONFIG_MAP).timing(FAST).build();
        for (var name :
                List.of(
                        "reflector_lists_total",
                        "reflector_watches_total",
                        "reflector_short_watches_total",
                        "informer_handler_failures_total",
                        "informer_objects",
                        "informer_synced",
                        "informer_not_following")) {
            assertEquals("0", metric(client, name), name);
        }
        built.close();
        var one = started(Informer.of(client, Types.CONFIG_MAP));
        var two = started(Informer.of(client, Types.CONFIG_MAP));
        one.observed(object("c", "w", 3));
        assertEquals("5", metric(client, "informer_objects"));
        assertEquals("2", metric(client, "informer_synced"));
        assertEquals("2", metric(client, "reflector_lists_total"));
        two.close();
        assertEquals("3", metric(client, "informer_objects"));
        assertEquals("1", metric(client, "informer_synced"));
    }
}
