package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A call says what was meant, is sent to where it belongs, and is counted. */
class KubeClientRequestTests extends KubeClientCase {
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
        assertEquals(List.of(), server().requests());
    }

    @Test
    void aClientOfItsOwnWritesUnderTheSameName() throws Exception {
        var client = client((_, reply) -> reply.send(201, configMap("a", "u", 8)));
        var named =
                closing(client.withFieldManager("m").dedicated("lease", Duration.ofSeconds(10)));
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
        assertEquals(List.of(), server().requests());
    }

    @Test
    @Behaviour(87)
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
    @Behaviour(23)
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
                server().requests().getFirst().body());
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
    @Behaviour(81)
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
    void countsItsRequests() throws Exception {
        serve((_, reply) -> reply.send(200, configMap("a", "u", 1)));
        var metrics = new MetricsRegistry();
        var client =
                closing(KubeClient.open(KubeConfig.ofServer(server().url()), "test/1", metrics));
        client.get(Types.CONFIG_MAP, A);
        var host = "127.0.0.1:" + server().port();
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
