package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.notFound;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A change is made to the newest state, by nobody's loss, and to the object that was meant. */
@Behaviour(21)
class UpdateTests extends KubeClientCase {
    private final AtomicReference<KubeObject> stored = new AtomicReference<>(object("a", "u", 1));

    /** Stores an object as the API server does, with the version as the precondition. */
    private void store(FakeServer.Request request, FakeServer.Reply reply) throws IOException {
        if (request.method().equals("GET")) {
            reply.send(200, stored.get().toJson());
            return;
        }
        var sent = KubeObject.of((ObjectTree) Json.parse(request.body()));
        if (!sent.resourceVersion().equals(stored.get().resourceVersion())) {
            reply.send(409, status(409, "Conflict", "modified " + server().requests().size()));
            return;
        }
        int next = Integer.parseInt(sent.resourceVersion()) + 1;
        stored.set(sent.with("" + next, "metadata", "resourceVersion"));
        reply.send(200, stored.get().toJson());
    }

    private static KubeObject with(KubeObject object, String name) {
        return object.with("v", "data", name);
    }

    @Test
    void readsAgainAfterAConflictAndLosesNothing() throws Exception {
        var client = client(this::store);
        var tries = new AtomicInteger();
        var written =
                client.update(
                        Types.CONFIG_MAP,
                        A,
                        current -> {
                            if (tries.incrementAndGet() <= 2) { // another one is faster, twice
                                var other = with(stored.get(), "other" + tries.get());
                                stored.set(
                                        other.with(
                                                "" + (10 * tries.get()),
                                                "metadata",
                                                "resourceVersion"));
                            }
                            return with(current, "ours");
                        });
        assertEquals(3, tries.get());
        assertEquals(
                List.of("other1", "other2", "ours"), List.copyOf(written.textMap("data").keySet()));
        assertEquals("21", written.resourceVersion());
    }

    @Test
    void givesUpAfterFiveTriesWithTheLastFailure() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            if (request.method().equals("GET")) {
                                reply.send(200, configMap("a", "u", 1));
                            } else {
                                int n = server().requests().size();
                                reply.send(409, status(409, "Conflict", "number " + n));
                            }
                        });
        var failure =
                assertThrows(
                        ApiException.Conflict.class,
                        () -> client.update(Types.CONFIG_MAP, A, o -> with(o, "k")));
        assertEquals("number 10", failure.status().message());
        assertEquals(10, server().requests().size());
    }

    @Test
    void writesNothingIfNothingChanges() throws Exception {
        var client = client(this::store);
        assertEquals("1", client.update(Types.CONFIG_MAP, A, o -> o).resourceVersion());
        assertEquals("GET", only().method());
    }

    @Test
    void leavesAnotherObjectOfTheNameAlone() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            if (request.method().equals("PUT")) {
                                reply.send(409, status(409, "Conflict", "replaced"));
                            } else if (server().requests().size() == 1) {
                                reply.send(200, configMap("a", "u", 1));
                            } else {
                                reply.send(200, configMap("a", "other", 5));
                            }
                        });
        assertThrows(
                ApiException.Conflict.class,
                () -> client.update(Types.CONFIG_MAP, A, o -> with(o, "k")));
        assertEquals(3, server().requests().size());
    }

    @Test
    void tellsThatThereIsNoSuchObject() throws Exception {
        var client = client((_, reply) -> reply.send(404, notFound("a")));
        assertThrows(ApiException.NotFound.class, () -> client.update(Types.CONFIG_MAP, A, o -> o));
    }

    @Test
    void doesNotRepeatAWriteWhoseOutcomeIsUnknown() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            if (request.method().equals("GET")) {
                                reply.send(200, configMap("a", "u", 1));
                            } else {
                                reply.reset();
                            }
                        });
        assertThrows(
                ApiException.Unreachable.class,
                () -> client.update(Types.CONFIG_MAP, A, o -> with(o, "k")));
        assertEquals(2, server().requests().size());
    }

    @Test
    void changesTheStatusByItsSubresource() throws Exception {
        var client = client(this::store);
        client.withFieldManager("m").updateStatus(Types.CONFIG_MAP, A, o -> o.with("x", "status"));
        var put = server().requests().getLast();
        assertEquals("/api/v1/namespaces/ns/configmaps/a/status?fieldManager=m", put.target());
        assertEquals("PUT", put.method());
    }

    @Test
    void doesNotLetAChangeRenameTheObject() throws Exception {
        var client = client(this::store);
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        client.update(
                                Types.CONFIG_MAP,
                                A,
                                _ -> KubeObject.create(Types.CONFIG_MAP, ObjectKey.of("ns", "b"))));
        assertEquals("GET", only().method());
    }
}
