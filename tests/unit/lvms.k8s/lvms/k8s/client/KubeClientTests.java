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

import lvms.k8s.client.FakeServer.Reply;
import lvms.k8s.client.FakeServer.Request;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.FieldSelector;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;

/** Calls say what was meant, end in time, and are repeated only where that is safe. */
@Timeout(60)
class KubeClientTests {
    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private FakeServer server;

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private KubeClient client(FakeServer.Script script) throws Exception {
        server = FakeServer.start(script);
        opened.add(server);
        var client = server.client();
        opened.add(client);
        return client;
    }

    private KubeClient hurried(FakeServer.Script script, Duration deadline) throws Exception {
        var client = client(script).dedicated("hurried", deadline);
        opened.add(client);
        return client;
    }

    private interface Numbered {
        void answer(int number, Request request, Reply reply)
                throws IOException, InterruptedException;
    }

    private static FakeServer.Script numbered(Numbered script) {
        var number = new AtomicInteger();
        return (request, reply) -> script.answer(number.incrementAndGet(), request, reply);
    }

    private Request only() {
        assertEquals(1, server.requests().size(), () -> server.requests().toString());
        return server.requests().getFirst();
    }

    @Test
    void readsOneObjectAndReportsAMissingOne() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            if (request.path().endsWith("/a")) {
                                reply.send(200, configMap("a", "u", 7));
                            } else {
                                reply.send(404, notFound("b"));
                            }
                        });
        assertEquals("7", client.get(Types.CONFIG_MAP, A).resourceVersion());
        assertEquals(Optional.empty(), client.find(Types.CONFIG_MAP, ObjectKey.of("ns", "b")));
        var request = server.requests().getFirst();
        assertEquals("/api/v1/namespaces/ns/configmaps/a", request.target());
        assertEquals("test/1", request.header("user-agent"));
        assertEquals("application/json", request.header("accept"));
    }

    @Test
    void appliesWithForceAndWithoutNullsAndManagedFields() throws Exception {
        var client = client((_, reply) -> reply.send(201, configMap("a", "u", 8)));
        var wanted =
                KubeObject.create(Types.CONFIG_MAP, A)
                        .with("v", "data", "k")
                        .with(Tree.NULL, "data", "gone")
                        .with("m", "metadata", "managedFields", "x");
        assertEquals(
                "8",
                client.withFieldManager("own er")
                        .apply(Types.CONFIG_MAP, wanted)
                        .resourceVersion());
        var request = only();
        assertEquals("PATCH", request.method());
        assertEquals("application/apply-patch+yaml", request.header("content-type"));
        assertEquals(
                "/api/v1/namespaces/ns/configmaps/a?fieldManager=own%20er&force=true",
                request.target());
        assertEquals(
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\","
                        + "\"namespace\":\"ns\"},\"data\":{\"k\":\"v\"}}",
                request.body());
    }

    @Test
    void appliesUnderANameAlone() throws Exception {
        var client = client((_, reply) -> reply.send(201, configMap("a", "u", 8)));
        var wanted = KubeObject.create(Types.CONFIG_MAP, A);
        assertThrows(IllegalStateException.class, () -> client.apply(Types.CONFIG_MAP, wanted));
        assertEquals(List.of(), server.requests());
    }

    @Test
    void aClientOfItsOwnWritesUnderTheSameName() throws Exception {
        var client = client((_, reply) -> reply.send(201, configMap("a", "u", 8)));
        var named = client.withFieldManager("m").dedicated("lease", Duration.ofSeconds(10));
        opened.add(named);
        named.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, A));
        assertEquals("/api/v1/namespaces/ns/configmaps?fieldManager=m", only().target());
    }

    @Test
    void patchesStatusApartFromTheObject() throws Exception {
        var client = client((_, reply) -> reply.send(200, configMap("a", "u", 8)));
        var patch = ObjectTree.builder();
        patch.put("status", Tree.NULL);
        client.withFieldManager("m").mergePatchStatus(Types.CONFIG_MAP, A, patch.build());
        var request = only();
        assertEquals("/api/v1/namespaces/ns/configmaps/a/status?fieldManager=m", request.target());
        assertEquals("application/merge-patch+json", request.header("content-type"));
        assertEquals("{\"status\":null}", request.body());
    }

    @Test
    void refusesNamesThatWouldChangeThePath() throws Exception {
        var client = client((_, reply) -> reply.send(200, "{}"));
        for (var name : List.of("", ".", "..", "a/b", "a%2fb", "a b", "a\nb")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> client.get(Types.CONFIG_MAP, ObjectKey.of("ns", name)),
                    name);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> client.get(Types.CONFIG_MAP, ObjectKey.cluster("a")));
        assertEquals(List.of(), server.requests());
    }

    @Test
    void doesNotLetASelectorInjectAParameter() throws Exception {
        var client = client((_, reply) -> reply.send(200, list(1)));
        var hostile = FieldSelector.equal("metadata.name", "a&watch=true,x=\\");
        client.list(Types.CONFIG_MAP, ListOptions.all().fields(hostile));
        assertFalse(only().isWatch());
        assertEquals(
                "metadata.name%3Da%26watch%5C%3Dtrue%5C%2Cx%5C%3D%5C%5C",
                only().parameter("fieldSelector").orElseThrow());
    }

    @Test
    void endsAtTheDeadlineWhenHeadersAreLate() throws Exception {
        var client = hurried((_, reply) -> reply.hold(), Duration.ofMillis(200));
        assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        Await.until("the connection is not kept", () -> server.connections() == 0);
    }

    @Test
    void endsAtTheDeadlineWhenABodyStops() throws Exception {
        var client =
                hurried(
                        (_, reply) -> {
                            reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\"");
                            reply.hold();
                        },
                        Duration.ofMillis(200));
        assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        Await.until("the connection is not kept", () -> server.connections() == 0);
    }

    @Test
    void endsACallAtOnceWhenInterrupted() throws Exception {
        var client = client((_, reply) -> reply.hold());
        var failure = new AtomicReference<Exception>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        client.get(Types.CONFIG_MAP, A);
                                    } catch (ApiException | InterruptedException e) {
                                        failure.set(e);
                                    }
                                });
        Await.until("request", () -> !server.requests().isEmpty());
        caller.interrupt();
        assertTrue(caller.join(Duration.ofSeconds(5)));
        assertTrue(failure.get() instanceof InterruptedException, () -> "" + failure.get());
        Await.until("the server sees it", () -> server.connections() == 0);
    }

    @Test
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
        assertEquals(2, server.requests().size());
    }

    @Test
    void leaves429WithoutAWaitToTheCaller() throws Exception {
        var client = client((_, reply) -> reply.send(429, "busy"));
        var failure =
                assertThrows(
                        ApiException.TooManyRequests.class, () -> client.get(Types.CONFIG_MAP, A));
        assertEquals("TooManyRequests", failure.reason());
        assertEquals(1, server.requests().size());
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
        assertEquals(1, server.requests().size());
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
        assertEquals(4, server.requests().size());
    }

    @Test
    void repeatsAReadWhileTheServerRestarts() throws Exception {
        var first = FakeServer.start((_, reply) -> reply.send(200, configMap("a", "u", 1)));
        int port = first.port();
        var client = first.client();
        opened.add(client);
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
        opened.add(FakeServer.startAt(port, (_, reply) -> reply.send(200, configMap("a", "u", 2))));
        assertTrue(caller.join(Duration.ofSeconds(10)));
        assertEquals("2", result.get().resourceVersion());
    }

    @Test
    void neverRepeatsAReplaceWhoseOutcomeIsUnknown() throws Exception {
        var client = client((_, reply) -> reply.reset());
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.replace(Types.CONFIG_MAP, object("a", "u", 1)));
        assertTrue(failure.outcomeUnknown());
        assertEquals(1, server.requests().size());
    }

    @Test
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
        assertEquals(2, server.requests().size());
    }

    @Test
    void deletesOnlyTheUidItMeans() throws Exception {
        var client =
                client(
                        numbered(
                                (n, request, reply) -> {
                                    if (n == 1) {
                                        reply.reset();
                                    } else if (request.method().equals("DELETE")) {
                                        reply.send(409, status(409, "Conflict", "another UID"));
                                    } else {
                                        reply.send(200, configMap("a", "other", 9));
                                    }
                                }));
        assertEquals(Deletion.GONE, client.delete(Types.CONFIG_MAP, A, DeleteOptions.uid("mine")));
        assertEquals(
                "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"propagationPolicy\":"
                        + "\"Background\",\"preconditions\":{\"uid\":\"mine\"}}",
                server.requests().getFirst().body());
    }

    @Test
    void tellsADeletionThatWaitsFromOneThatIsDone() throws Exception {
        var waiting =
                object("a", "u", 3)
                        .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                        .with(Json.parse("[\"x/y\"]"), "metadata", "finalizers");
        var answers =
                List.of(
                        waiting.toJson(),
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}",
                        configMap("a", "u", 3));
        var client = client(numbered((n, _, reply) -> reply.send(200, answers.get(n - 1))));
        var options = DeleteOptions.uid("u");
        assertEquals(Deletion.IN_PROGRESS, client.delete(Types.CONFIG_MAP, A, options));
        assertEquals(Deletion.GONE, client.delete(Types.CONFIG_MAP, A, options));
        assertEquals(Deletion.GONE, client.delete(Types.CONFIG_MAP, A, options));
    }

    @Test
    void removesAFinalizerWithoutLosingTheOthers() throws Exception {
        var stored = new AtomicReference<>(withFinalizers(5, "a/1", "b/2"));
        var client =
                client(
                        (request, reply) -> {
                            if (request.method().equals("GET")) {
                                reply.send(200, stored.get().toJson());
                                return;
                            }
                            var patch = KubeObject.of((ObjectTree) Json.parse(request.body()));
                            if (!patch.resourceVersion().equals(stored.get().resourceVersion())) {
                                reply.send(409, status(409, "Conflict", "modified"));
                                return;
                            }
                            assertEquals("u", patch.uid());
                            stored.set(
                                    withFinalizers(7, patch.finalizers().toArray(new String[0])));
                            reply.send(200, stored.get().toJson());
                        });
        var stale = withFinalizers(4, "a/1");
        var result = client.removeFinalizer(Types.CONFIG_MAP, stale, "a/1");
        assertEquals(List.of("b/2"), result.orElseThrow().finalizers());
        var added = client.addFinalizer(Types.CONFIG_MAP, result.get(), "c/3");
        assertEquals(List.of("b/2", "c/3"), added.finalizers());
    }

    private static KubeObject withFinalizers(long version, String... names) {
        var list = ListTree.builder();
        for (var name : names) {
            list.add(name);
        }
        return object("a", "u", version).with(list.build(), "metadata", "finalizers");
    }

    @Test
    void turnsBodiesThatAreNoStatusIntoTypedErrors() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            switch (request.path().substring(request.path().length() - 1)) {
                                case "1" -> reply.send(500, "");
                                case "2" -> reply.send(422, "x".repeat(10_000));
                                case "3" -> reply.send(200, status(403, "Forbidden", "hidden"));
                                case "4" -> reply.send(200, "<html>");
                                default -> reply.send(404, "404 page not found");
                            }
                        });
        var empty = assertThrows(ApiException.ServerError.class, () -> get(client, "1"));
        assertEquals("InternalError", empty.reason());
        var cut = assertThrows(ApiException.Invalid.class, () -> get(client, "2"));
        assertTrue(cut.getMessage().length() < 3000);
        assertThrows(ApiException.Forbidden.class, () -> get(client, "3"));
        assertThrows(ApiException.Unreachable.class, () -> get(client, "4"));
        assertThrows(ApiException.Misdirected.class, () -> get(client, "5"));
    }

    private static void get(KubeClient client, String name) throws Exception {
        client.get(Types.CONFIG_MAP, ObjectKey.of("ns", name));
    }

    @Test
    void tellsTheFieldsInAMessageThatStaysTheSame() throws Exception {
        var body =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"bad\","
                    + "\"reason\":\"Invalid\",\"code\":422,\"details\":{\"name\":\"a\",\"causes\":"
                    + "[{\"reason\":\"FieldValueRequired\",\"message\":\"m\",\"field\":\"spec.x\"}]}}";
        var answers = new AtomicInteger();
        var client =
                client(
                        (_, reply) ->
                                reply.send(422, body, "Audit-Id: " + answers.incrementAndGet()));
        var failure = assertThrows(ApiException.Invalid.class, () -> get(client, "a"));
        var again = assertThrows(ApiException.Invalid.class, () -> get(client, "a"));
        assertEquals(failure.getMessage(), again.getMessage());
        assertEquals(
                List.of(new ApiStatus.Cause("FieldValueRequired", "m", "spec.x")),
                failure.causes());
    }

    @Test
    void listsAllPagesAtOneVersion() throws Exception {
        int total = 1203;
        var client =
                client(
                        (request, reply) -> {
                            int from = Integer.parseInt(request.parameter("continue").orElse("0"));
                            int limit = Integer.parseInt(request.parameter("limit").orElseThrow());
                            int to = Math.min(total, from + limit);
                            var items = new ArrayList<String>();
                            for (int i = from; i < to; i++) {
                                items.add("{\"metadata\":{\"name\":\"n" + i + "\"}}");
                            }
                            var more = to < total ? ",\"continue\":\"" + to + "\"" : "";
                            reply.send(
                                    200,
                                    "{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"9\""
                                            + more
                                            + "},\"items\":["
                                            + String.join(",", items)
                                            + "]}");
                        });
        var list = client.list(Types.CONFIG_MAP, ListOptions.all());
        var names = new HashSet<String>();
        list.forEach(o -> names.add(o.name()));
        assertEquals(total, list.size());
        assertEquals(total, names.size());
        assertEquals("9", list.resourceVersion());
        assertEquals("ConfigMap", list.items().getFirst().kind());
        assertEquals("v1", list.items().getFirst().apiVersion());
        assertEquals(3, server.requests().size());
    }

    @Test
    void listsWithoutPagesWhenATokenExpires() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            if (request.parameter("continue").isPresent()) {
                                reply.send(410, status(410, "Expired", "too old"));
                            } else if (request.parameter("limit").isPresent()) {
                                reply.send(
                                        200,
                                        list(5, configMap("a", "u", 1))
                                                .replace("\"5\"", "\"5\",\"continue\":\"t\""));
                            } else {
                                reply.send(
                                        200,
                                        list(6, configMap("a", "u", 1), configMap("b", "v", 6)));
                            }
                        });
        var list = client.list(Types.CONFIG_MAP, ListOptions.all());
        assertEquals(2, list.size());
        assertEquals("6", list.resourceVersion());
    }

    @Test
    void reports410OfTheFirstPage() throws Exception {
        var client = client((_, reply) -> reply.send(410, status(410, "Expired", "old")));
        assertThrows(
                ApiException.Gone.class, () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertEquals(1, server.requests().size());
    }

    @Test
    void readsEmptyListsInAllTheirForms() throws Exception {
        var forms =
                List.of(
                        list(1),
                        "{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":null}",
                        "{\"items\":[],\"metadata\":{\"resourceVersion\":\"1\"},\"kind\":\"ConfigMapList\"}");
        var client = client(numbered((n, _, reply) -> reply.send(200, forms.get(n - 1))));
        for (int i = 0; i < forms.size(); i++) {
            assertEquals(0, client.list(Types.CONFIG_MAP, ListOptions.all()).size());
        }
    }

    @Test
    void decodesGzipAndRefusesAHalfOne() throws Exception {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(list(4, configMap("a", "u", 4)).getBytes(StandardCharsets.UTF_8));
        }
        var whole = packed.toByteArray();
        var half = Arrays.copyOf(whole, whole.length / 2);
        var client =
                client(
                        numbered(
                                (n, _, reply) ->
                                        reply.send(
                                                200,
                                                n == 1 ? whole : half,
                                                "Content-Encoding: gzip")));
        assertEquals(1, client.list(Types.CONFIG_MAP, ListOptions.all()).size());
        assertEquals("gzip", only().header("accept-encoding"));
        assertThrows(
                ApiException.Unreachable.class,
                () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
    }

    @Test
    void knowsWhichTypesAreServed() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            var ours = request.path().equals("/api");
                            reply.send(
                                    200,
                                    "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"versions\":[{\"version\":"
                                            + "\"v1\",\"resources\":[{\"resource\":\"%s\"}]}]}]}"
                                                    .formatted(ours ? "pods" : "others"));
                        });
        assertTrue(client.serves(Types.POD));
        assertTrue(client.serves(Types.POD));
        assertFalse(client.serves(Types.NODE));
        assertFalse(client.serves(Types.VOLUME_SNAPSHOT));
        assertEquals(2, server.requests().size(), "answers are remembered");
    }

    @Test
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
        assertEquals(10, server.requests().size(), "nothing was sent twice");
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

    @Test
    void countsItsRequests() throws Exception {
        server = FakeServer.start((_, reply) -> reply.send(200, configMap("a", "u", 1)));
        opened.add(server);
        var metrics = new MetricsRegistry();
        var client = KubeClient.open(KubeConfig.ofServer(server.url()), "test/1", metrics);
        opened.add(client);
        client.get(Types.CONFIG_MAP, A);
        var host = "127.0.0.1:" + server.port();
        var text = metrics.text();
        assertTrue(
                text.contains(
                        "rest_client_requests_total{code=\"200\",method=\"GET\",host=\""
                                + host
                                + "\"} 1\n"),
                text);
        assertTrue(
                text.contains(
                        "rest_client_request_duration_seconds_count{verb=\"get\",host=\""
                                + host
                                + "\"} 1\n"),
                text);
    }
}
