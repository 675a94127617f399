package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/**
 * A gateway before the server may answer 200 with JSON of its own, or with another server's. It
 * says nothing of our objects: not that they are gone, and not that there are none.
 */
@Safety(30)
class ForeignAnswerTests extends KubeClientCase {
    private static final String SUCCESS =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}";
    private static final KubeObject GOING =
            object("a", "u", 1)
                    .with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                    .with(Json.parse("[\"x/y\"]"), "metadata", "finalizers");
    private static final ResourceType WIDGETS =
            new ResourceType("example.com", "v1", "Widget", "widgets", true);

    static final List<String> FOREIGN_OBJECTS =
            List.of(
                    "{}",
                    "{\"message\":\"maintenance\"}",
                    "{\"kind\":\"Status\",\"status\":\"Success\"}",
                    "{\"kind\":\"Status\",\"apiVersion\":\"v1\"}",
                    "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}",
                    configMap("b", "u", 1),
                    configMap("a", "u", 1).replace("ConfigMap", "Secret"),
                    configMap("a", "u", 1).replace("\"v1\"", "\"v2\""),
                    list(4, configMap("a", "u", 1)));

    @ParameterizedTest
    @FieldSource("FOREIGN_OBJECTS")
    void provesNoDeletion(String foreign) throws Exception {
        var client = client((_, reply) -> reply.send(200, foreign));
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.delete(Types.CONFIG_MAP, A, DeleteOptions.uid("u")));
        assertTrue(failure.outcomeUnknown(), failure.getMessage());
        assertEquals(1, server().requests().size(), "it would be answered like that again");
    }

    @ParameterizedTest
    @FieldSource("FOREIGN_OBJECTS")
    void isNoAnswerToAnyOtherCallOfAnObject(String foreign) throws Exception {
        var client = client((_, reply) -> reply.send(200, foreign)).withFieldManager("m");
        var mine = object("a", "u", 1);
        var read =
                assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        assertFalse(read.outcomeUnknown());
        assertThrows(ApiException.Unreachable.class, () -> client.find(Types.CONFIG_MAP, A));
        for (var written :
                List.of(
                        assertThrows(
                                ApiException.Unreachable.class,
                                () -> client.create(Types.CONFIG_MAP, mine)),
                        assertThrows(
                                ApiException.Unreachable.class,
                                () -> client.apply(Types.CONFIG_MAP, mine)),
                        assertThrows(
                                ApiException.Unreachable.class,
                                () -> client.replace(Types.CONFIG_MAP, mine)),
                        assertThrows(
                                ApiException.Unreachable.class,
                                () ->
                                        client.mergePatchStatus(
                                                Types.CONFIG_MAP, A, ObjectTree.EMPTY)))) {
            assertTrue(written.outcomeUnknown(), written.getMessage());
        }
    }

    @ParameterizedTest
    @FieldSource("FOREIGN_OBJECTS")
    void isNotTheEndOfAnObjectThatIsWaitedFor(String foreign) throws Exception {
        var client =
                client(
                        (request, reply) ->
                                reply.send(
                                        200,
                                        request.method().equals("DELETE")
                                                ? GOING.toJson()
                                                : foreign));
        assertThrows(
                ApiException.Unreachable.class,
                () ->
                        client.deleteAndWait(
                                Types.CONFIG_MAP,
                                A,
                                DeleteOptions.uid("u"),
                                Duration.ofSeconds(30)));
    }

    @Test
    void anObjectWithoutAUidIsNotAnotherOne() throws Exception {
        var client =
                client(
                        (request, reply) ->
                                reply.send(
                                        200,
                                        request.method().equals("DELETE")
                                                ? GOING.toJson()
                                                : configMap("a", "", 9)));
        assertEquals(
                Deletion.IN_PROGRESS,
                client.deleteAndWait(
                        Types.CONFIG_MAP, A, DeleteOptions.uid("u"), Duration.ofMillis(500)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"message\":\"maintenance\"}",
                "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}",
                "{\"kind\":\"SecretList\",\"apiVersion\":\"v1\",\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v2\",\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"items\":[]}",
                "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\"}",
            })
    void isNoList(String foreign) throws Exception {
        var client = client((_, reply) -> reply.send(200, foreign));
        assertThrows(
                ApiException.Unreachable.class,
                () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        var deleted =
                assertThrows(
                        ApiException.Unreachable.class,
                        () ->
                                client.deleteCollection(
                                        Types.CONFIG_MAP,
                                        ListOptions.all().namespace("ns"),
                                        DeleteOptions.any()),
                        foreign);
        assertTrue(deleted.outcomeUnknown());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"kind\":\"Secret\"}", "{\"apiVersion\":\"v2\"}"})
    void isNoObjectOfAList(String foreign) throws Exception {
        var client = client((_, reply) -> reply.send(200, list(4, foreign)));
        assertThrows(
                ApiException.Unreachable.class,
                () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
    }

    /** The definition of a custom type may name its lists as it likes. */
    @Test
    void listsOfCustomTypesHaveNamesOfTheirOwn() throws Exception {
        var forms =
                List.of(
                        "{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"items\":[{}]}",
                        "{\"kind\":\"Crowd\",\"apiVersion\":\"example.com/v1\",\"items\":[{}]}",
                        "{\"kind\":\"WidgetList\",\"apiVersion\":\"v1\",\"items\":[{}]}",
                        "{\"apiVersion\":\"example.com/v1\",\"items\":[{}]}",
                        "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\"}");
        var client = client(numbered((n, _, reply) -> reply.send(200, forms.get(n - 1))));
        assertEquals(1, client.list(WIDGETS, ListOptions.all()).size());
        assertEquals(1, client.list(WIDGETS, ListOptions.all()).size());
        for (int i = 2; i < forms.size(); i++) {
            assertThrows(
                    ApiException.Unreachable.class,
                    () -> client.list(WIDGETS, ListOptions.all()),
                    forms.get(i));
        }
    }

    /** As of metrics.k8s.io, whose lists have no version. */
    @Test
    void aListWithoutAVersionIsRead() throws Exception {
        var metrics = new ResourceType("metrics.k8s.io", "v1beta1", "NodeMetrics", "nodes", false);
        var body =
                "{\"kind\":\"NodeMetricsList\",\"apiVersion\":\"metrics.k8s.io/v1beta1\","
                        + "\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"n\"}}]}";
        var client = client((_, reply) -> reply.send(200, body));
        var list = client.list(metrics, ListOptions.all());
        assertEquals("NodeMetrics", list.items().getFirst().kind());
        assertEquals("", list.resourceVersion());
    }

    /** Older servers, and some aggregated ones, know no metadata alone and answer the objects. */
    @Test
    void metadataComesAloneOrWithTheRest() throws Exception {
        var partial =
                "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",\"items\":"
                    + "[{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                    + "\"metadata\":{\"name\":\"a\"}}]}";
        var answers = List.of(partial, list(4, configMap("a", "u", 1)));
        var client = client(numbered((n, _, reply) -> reply.send(200, answers.get(n - 1))));
        for (var answer : answers) {
            var list = client.list(Types.CONFIG_MAP, ListOptions.all().onlyMetadata());
            assertEquals("ConfigMap", list.items().getFirst().kind(), answer);
            assertEquals("a", list.items().getFirst().name());
        }
    }

    /** Evictions are answered with a Status, scales with a Scale. */
    @Test
    void aSubresourceMayShowWhatItLikes() throws Exception {
        var scale = "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\"}";
        var answers = List.of(SUCCESS, scale, "{\"message\":\"maintenance\"}");
        var client = client(numbered((n, _, reply) -> reply.send(200, answers.get(n - 1))));
        var eviction = client.subresource(Types.POD, A, "eviction");
        assertEquals("Status", eviction.create(KubeObject.of(ObjectTree.EMPTY)).kind());
        assertEquals("Scale", client.subresource(Types.DEPLOYMENT, A, "scale").get().kind());
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> eviction.create(KubeObject.of(ObjectTree.EMPTY)));
        assertTrue(failure.outcomeUnknown());
    }

    /** The server makes the name up, and reviews have none. */
    @Test
    void whatWasSentWithoutANameComesBackWithAnyOrNone() throws Exception {
        var review =
                new ResourceType(
                        "authorization.k8s.io",
                        "v1",
                        "SelfSubjectAccessReview",
                        "selfsubjectaccessreviews",
                        false);
        var answers =
                List.of(
                        configMap("a-x7", "u", 1),
                        "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":"
                                + "\"authorization.k8s.io/v1\",\"status\":{\"allowed\":true}}");
        var client = client(numbered((n, _, reply) -> reply.send(201, answers.get(n - 1))));
        var nameless =
                object("", "", 1)
                        .without("metadata", "name")
                        .with("a-", "metadata", "generateName");
        assertEquals("a-x7", client.create(Types.CONFIG_MAP, nameless).name());
        var asked = KubeObject.create(review, ObjectKey.cluster("")).without("metadata", "name");
        assertEquals("", client.create(review, asked).name());
    }

    @Test
    void successOfADeletionIsAStatusOrTheObject() throws Exception {
        var answers = List.of(SUCCESS, GOING.toJson(), configMap("a", "u", 1), SUCCESS, list(3));
        var client = client(numbered((n, _, reply) -> reply.send(200, answers.get(n - 1))));
        var options = DeleteOptions.uid("u");
        assertEquals(Deletion.GONE, client.delete(Types.CONFIG_MAP, A, options));
        assertEquals(Deletion.IN_PROGRESS, client.delete(Types.CONFIG_MAP, A, options));
        assertEquals(Deletion.GONE, client.delete(Types.CONFIG_MAP, A, options));
        for (int i = 3; i < answers.size(); i++) {
            client.deleteCollection(
                    Types.CONFIG_MAP, ListOptions.all().namespace("ns"), DeleteOptions.any());
        }
    }
}
