package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.notFound;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Whatever a server answers becomes an object, an absence or a failure of its kind. */
class KubeClientAnswerTests extends KubeClientCase {
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
        var request = server().requests().getFirst();
        assertEquals("/api/v1/namespaces/ns/configmaps/a", request.target());
        assertEquals("test/1", request.header("user-agent"));
        assertEquals("application/json", request.header("accept"));
    }

    @Test
    @Behaviour(12)
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
                    + "[{\"reason\":\"FieldValueRequired\",\"message\":\"m\","
                    + "\"field\":\"spec.x\"}]}}";
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
        assertEquals(2, server().requests().size(), "answers are remembered");
    }
}
