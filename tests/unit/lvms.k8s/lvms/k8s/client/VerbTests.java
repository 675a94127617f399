package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.notFound;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/** Each verb is the request that the API server's documents describe. */
class VerbTests extends KubeClientCase {
    private static final String BASE = "/api/v1/namespaces/ns/configmaps";
    private static final KubeObject OBJECT = object("a", "u", 1);

    private KubeClient answering() throws Exception {
        return client(
                (request, reply) ->
                        reply.send(
                                200,
                                request.method().equals("DELETE") && request.path().equals(BASE)
                                        ? list(2)
                                        : configMap("a", "u", 2)));
    }

    private interface Write {
        void by(KubeClient client) throws ApiException, InterruptedException;
    }

    @Test
    @Behaviour(83)
    void aDryRunSaysSoInEveryWriteAndNotInReads() throws Exception {
        var client = answering();
        var dry = client.withFieldManager("m").dryRun();
        var writes =
                List.<Write>of(
                        c -> c.create(Types.CONFIG_MAP, OBJECT),
                        c -> c.apply(Types.CONFIG_MAP, OBJECT),
                        c -> c.applyWithoutForce(Types.CONFIG_MAP, OBJECT),
                        c -> c.replace(Types.CONFIG_MAP, OBJECT),
                        c -> c.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY),
                        c -> c.mergePatchStatus(Types.CONFIG_MAP, A, ObjectTree.EMPTY),
                        c -> c.strategicMergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY),
                        c -> c.jsonPatch(Types.CONFIG_MAP, A, JsonPatch.create()),
                        c -> c.subresource(Types.CONFIG_MAP, A, "scale").replace(OBJECT),
                        c -> c.subresource(Types.CONFIG_MAP, A, "eviction").create(OBJECT),
                        c -> c.update(Types.CONFIG_MAP, A, o -> o.with("v", "data", "k")),
                        c -> c.addFinalizer(Types.CONFIG_MAP, OBJECT, "x/y"));
        for (var write : writes) {
            write.by(dry);
            var request = server().requests().getLast();
            assertEquals("All", request.parameter("dryRun").orElse("none"), request.toString());
        }
        dry.delete(Types.CONFIG_MAP, A, DeleteOptions.uid("u"));
        dry.deleteCollection(
                Types.CONFIG_MAP, ListOptions.all().namespace("ns"), DeleteOptions.any());
        for (var request : server().requests()) {
            if (request.method().equals("DELETE")) {
                assertTrue(request.body().contains("\"dryRun\":[\"All\"]"), request.body());
            }
            if (request.method().equals("GET")) {
                assertFalse(request.target().contains("dryRun"), request.target());
            }
        }
        client.create(Types.CONFIG_MAP, OBJECT);
        assertEquals(BASE, server().requests().getLast().target(), "the other is in earnest");
    }

    @Test
    @Behaviour(79)
    void anApplyWithoutForceTellsWhoOwnsTheFields() throws Exception {
        var conflict =
                status(409, "Conflict", "Apply failed with 2 conflicts")
                        .replace(
                                "\"code\"",
                                """
                                "details":{"causes":[
                                {"reason":"FieldManagerConflict","field":".data.a","message":
                                "conflict with \\"kubectl\\" using v1"},
                                {"reason":"FieldManagerConflict","field":".data.b","message":
                                "conflict with \\"x y\\" with subresource \\"status\\" using v1"}
                                ]},"code\"\
                                """);
        var client = client((_, reply) -> reply.send(409, conflict));
        var failure =
                assertThrows(
                        ApiException.Conflict.class,
                        () ->
                                client.withFieldManager("m")
                                        .applyWithoutForce(Types.CONFIG_MAP, OBJECT));
        assertEquals(
                List.of(
                        new ApiException.OwnedField(".data.a", "kubectl"),
                        new ApiException.OwnedField(".data.b", "x y")),
                failure.fields());
        assertEquals(BASE + "/a?fieldManager=m", only().target());
    }

    @Test
    void aStrategicMergePatchHasItsOwnType() throws Exception {
        answering().strategicMergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY);
        assertEquals("application/strategic-merge-patch+json", only().header("content-type"));
        assertEquals("PATCH", only().method());
    }

    @Test
    void readsTheCacheIfToldSo() throws Exception {
        var client = answering();
        client.getAtLeast(Types.CONFIG_MAP, A, "0");
        assertEquals(BASE + "/a?resourceVersion=0", only().target());
        assertThrows(
                ApiException.class,
                () -> client.list(Types.CONFIG_MAP, ListOptions.all().atLeast("0")));
        var list = server().requests().getLast();
        assertEquals("0", list.parameter("resourceVersion").orElseThrow());
        assertEquals("NotOlderThan", list.parameter("resourceVersionMatch").orElseThrow());
    }

    @Test
    @Behaviour(27)
    void aListAsksForTheNewestStateUnlessToldOtherwise() throws Exception {
        var client = client((_, reply) -> reply.send(200, list(5)));
        client.list(Types.CONFIG_MAP, ListOptions.all());
        client.collectionVersion(Types.CONFIG_MAP, ListOptions.all());
        for (var request : server().requests()) {
            assertFalse(request.target().contains("resourceVersion"), request.target());
        }
    }

    @Test
    @Behaviour(25)
    void pagesAreOfOneVersionAndWithoutOneInTheQuery() throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    var version = n == 1 ? "\"5\"" : "\"9\"";
                                    var page = list(n == 1 ? 5 : 9, configMap("n" + n, "u", 1));
                                    var more = version + ",\"continue\":\"t" + n + "\"";
                                    reply.send(200, n == 3 ? page : page.replace(version, more));
                                }));
        var pages = client.pages(Types.CONFIG_MAP, ListOptions.all().pageSize(1).atLeast("3"));
        assertEquals("", pages.resourceVersion());
        var names = new ArrayList<String>();
        while (pages.hasNext()) {
            pages.next().forEach(o -> names.add(o.name()));
        }
        assertEquals(List.of("n1", "n2", "n3"), names);
        assertEquals("5", pages.resourceVersion());
        assertThrows(NoSuchElementException.class, pages::next);
        assertEquals(
                List.of(
                        BASE + "?limit=1&resourceVersion=3&resourceVersionMatch=NotOlderThan",
                        BASE + "?limit=1&continue=t1",
                        BASE + "?limit=1&continue=t2"),
                server().requests().stream()
                        .map(r -> r.target().replace("/api/v1/configmaps", BASE))
                        .toList());
    }

    @Test
    @Behaviour(26)
    void aPageThatExpiredIsToldToWhoReadsPages() throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    if (n == 1) {
                                        reply.send(
                                                200,
                                                list(5, configMap("a", "u", 1))
                                                        .replace(
                                                                "\"5\"",
                                                                "\"5\",\"continue\":\"t\""));
                                    } else {
                                        reply.send(410, status(410, "Expired", "too old"));
                                    }
                                }));
        var pages = client.pages(Types.CONFIG_MAP, ListOptions.all());
        pages.next();
        assertThrows(ApiException.Gone.class, pages::next);
        assertTrue(pages.hasNext(), "the page was not read");
    }

    @Test
    void deletesACollectionBySelector() throws Exception {
        var client = client((_, reply) -> reply.send(200, list(5)));
        client.deleteCollection(
                Types.CONFIG_MAP,
                ListOptions.all().namespace("ns").labels("a=b"),
                DeleteOptions.any().propagation(DeleteOptions.Propagation.FOREGROUND));
        assertEquals("DELETE", only().method());
        assertEquals(BASE + "?labelSelector=a%3Db", only().target());
        assertTrue(only().body().contains("\"propagationPolicy\":\"Foreground\""));
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        client.deleteCollection(
                                Types.CONFIG_MAP,
                                ListOptions.all().namespace("ns"),
                                DeleteOptions.uid("u")));
    }

    private static final KubeObject GOING =
            OBJECT.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                    .with(Json.parse("[\"x/y\"]"), "metadata", "finalizers");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waitsUntilAnObjectIsGoneOrAnotherOneHasItsName(boolean replaced) throws Exception {
        var client =
                client(
                        numbered(
                                (n, _, reply) -> {
                                    if (n <= 3) {
                                        reply.send(200, GOING.toJson());
                                    } else if (replaced) {
                                        reply.send(200, configMap("a", "another", 9));
                                    } else {
                                        reply.send(404, notFound("a"));
                                    }
                                }));
        assertEquals(
                Deletion.GONE,
                client.deleteAndWait(
                        Types.CONFIG_MAP, A, DeleteOptions.uid("u"), Duration.ofSeconds(50)));
        assertEquals(
                List.of("DELETE", "GET", "GET", "GET"),
                server().requests().stream().map(FakeServer.Request::method).toList());
    }

    @Test
    @Behaviour(106)
    void doesNotWaitForAnObjectBeyondTheLimit() throws Exception {
        var client = client((_, reply) -> reply.send(200, GOING.toJson()));
        assertEquals(
                Deletion.IN_PROGRESS,
                client.deleteAndWait(
                        Types.CONFIG_MAP, A, DeleteOptions.uid("u"), Duration.ofMillis(400)));
        assertTrue(server().requests().size() <= 3, server().requests().toString());
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        client.deleteAndWait(
                                Types.CONFIG_MAP, A, DeleteOptions.any(), Duration.ofSeconds(1)));
    }

    @Test
    void deletesFromOneNamespaceOnly() throws Exception {
        var client = answering();
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        client.deleteCollection(
                                Types.CONFIG_MAP, ListOptions.all(), DeleteOptions.any()));
        assertEquals(List.of(), server().requests());
    }

    @Test
    void aDeletionOfACollectionIsNotRepeated() throws Exception {
        var client = client((_, reply) -> reply.reset());
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () ->
                                client.deleteCollection(
                                        Types.CONFIG_MAP,
                                        ListOptions.all().namespace("ns"),
                                        DeleteOptions.any()));
        assertTrue(failure.outcomeUnknown());
        assertEquals(1, server().requests().size());
    }

    @Test
    void reachesEverySubresource() throws Exception {
        var client = answering();
        var scale = client.withFieldManager("m").subresource(Types.CONFIG_MAP, A, "scale");
        scale.get();
        scale.replace(OBJECT);
        scale.create(OBJECT);
        scale.mergePatch(ObjectTree.EMPTY);
        scale.jsonPatch(JsonPatch.create());
        scale.apply(OBJECT);
        assertEquals(
                List.of("GET", "PUT", "POST", "PATCH", "PATCH", "PATCH"),
                server().requests().stream().map(FakeServer.Request::method).toList());
        for (var request : server().requests()) {
            assertEquals(BASE + "/a/scale", request.path());
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> client.subresource(Types.CONFIG_MAP, ObjectKey.of("ns", "../x"), "s").get());
    }

    /** Kubernetes keeps {@code spec.finalizers} for it alone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"finalizers\":[\"kubernetes\"]} | IN_PROGRESS",
                "{\"finalizers\":[]}               | GONE",
                "{}                                | GONE",
            })
    void aNamespaceIsGoneWhenItsOwnFinalizersAre(String spec, Deletion expected) throws Exception {
        var namespace =
                KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("n"))
                        .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                        .with(Json.parse(spec), "spec");
        var client = client((_, reply) -> reply.send(200, namespace.toJson()));
        assertEquals(
                expected,
                client.delete(Types.NAMESPACE, ObjectKey.cluster("n"), DeleteOptions.uid("u")));
    }

    @Test
    void aFinalizerOfASpecKeepsNothingElse() throws Exception {
        var other =
                OBJECT.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                        .with(Json.parse("[\"x\"]"), "spec", "finalizers");
        var client = client((_, reply) -> reply.send(200, other.toJson()));
        assertEquals(Deletion.GONE, client.delete(Types.CONFIG_MAP, A, DeleteOptions.uid("u")));
    }
}
