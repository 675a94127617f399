package lvms.k8s.client;

import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.atomic.AtomicBoolean;

/** What a create finds after its answer was lost is its own only if it is what was sent. */
@Timeout(60)
@Safety(31)
class CreationTests {
    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private static final KubeObject SENT =
            KubeObject.create(Types.CONFIG_MAP, A)
                    .with("x", "metadata", "labels", "mine")
                    .with(Json.parse("{\"holder\":\"me\",\"list\":[{\"a\":1}]}"), "data");

    /** Creates {@link #SENT} while the first answer is lost and another process was faster. */
    private static KubeObject create(KubeObject present) throws Exception {
        var lost = new AtomicBoolean();
        FakeServer.Script script =
                (request, reply) -> {
                    if (lost.compareAndSet(false, true)) {
                        reply.reset();
                    } else if (request.method().equals("POST")) {
                        reply.send(409, status(409, "AlreadyExists", "there"));
                    } else {
                        reply.send(200, present.toJson());
                    }
                };
        try (var server = FakeServer.start(script);
                var client = server.client()) {
            return client.create(Types.CONFIG_MAP, SENT);
        }
    }

    private static KubeObject stored(String data) {
        return object("a", "u", 1)
                .with("x", "metadata", "labels", "mine")
                .with(Json.parse(data), "data");
    }

    @Test
    @Behaviour(20)
    void itsOwnObjectWithTheServersDefaultsIsTheResult() throws Exception {
        var present = stored("{\"holder\":\"me\",\"list\":[{\"a\":1,\"b\":2}],\"more\":true}");
        assertEquals("u", create(present).uid());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"holder\":\"other\",\"list\":[{\"a\":1}]}",
                "{\"list\":[{\"a\":1}]}",
                "{\"holder\":\"me\",\"list\":[{\"a\":2}]}",
                "{\"holder\":\"me\",\"list\":[{\"a\":1},{\"a\":1}]}",
                "{\"holder\":\"me\"}",
            })
    @Behaviour(100)
    void whatAnotherOneMadeIsNot(String data) {
        assertThrows(ApiException.AlreadyExists.class, () -> create(stored(data)));
    }

    /** The server notes who wrote: without a field manager the user agent up to its slash. */
    @ParameterizedTest
    @ValueSource(strings = {"test", "other"})
    @Behaviour(100)
    void whatTheServerNotesAsAnothersIsNot(String manager) throws Exception {
        var noted =
                stored("{\"holder\":\"me\",\"list\":[{\"a\":1}]}")
                        .with(
                                Json.parse(
                                        "[{\"manager\":\"%s\",\"operation\":\"Update\"}]"
                                                .formatted(manager)),
                                "metadata",
                                "managedFields");
        if (manager.equals("test")) {
            assertEquals("u", create(noted).uid());
        } else {
            assertThrows(ApiException.AlreadyExists.class, () -> create(noted));
        }
    }
}
