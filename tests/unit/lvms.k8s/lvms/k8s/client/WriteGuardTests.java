package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Once the guard says no, nothing is written: no first attempt, no repeat, no long wait. */
@Timeout(60)
@Safety(29)
@Behaviour(105)
class WriteGuardTests {
    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final KubeObject OBJECT = KubeObject.create(Types.CONFIG_MAP, A);

    private volatile Duration left = Duration.ofMinutes(1);
    private FakeServer server;
    private KubeClient open;

    private KubeClient client(FakeServer.Script script) throws Exception {
        server = FakeServer.start(script);
        open = server.client();
        return open.withFieldManager("m").guardedBy(() -> left).withFieldManager("other");
    }

    @AfterEach
    void close() throws IOException {
        open.close();
        server.close();
    }

    @Test
    void refusesEveryWriteAndNoRead() throws Exception {
        var client = client((_, reply) -> reply.send(200, configMap("a", "u", 1)));
        left = Duration.ZERO;
        var writes =
                List.<Write>of(
                        c -> c.create(Types.CONFIG_MAP, OBJECT),
                        c -> c.subresource(Types.CONFIG_MAP, A, "x").create(OBJECT),
                        c -> c.subresource(Types.CONFIG_MAP, A, "x").replace(OBJECT),
                        c -> c.subresource(Types.CONFIG_MAP, A, "x").apply(OBJECT),
                        c -> c.applyWithoutForce(Types.CONFIG_MAP, OBJECT),
                        c -> c.strategicMergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY),
                        c ->
                                c.deleteCollection(
                                        Types.CONFIG_MAP,
                                        ListOptions.all().namespace("ns"),
                                        DeleteOptions.any()),
                        c -> c.apply(Types.CONFIG_MAP, OBJECT),
                        c -> c.replace(Types.CONFIG_MAP, OBJECT),
                        c -> c.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY),
                        c -> c.mergePatchStatus(Types.CONFIG_MAP, A, ObjectTree.EMPTY),
                        c -> c.jsonPatch(Types.CONFIG_MAP, A, JsonPatch.create()),
                        c -> c.delete(Types.CONFIG_MAP, A, DeleteOptions.uid("u")),
                        c -> c.addFinalizer(Types.CONFIG_MAP, object("a", "u", 1), "x/y"));
        for (var write : writes) {
            var e = assertThrows(ApiException.Fenced.class, () -> write.make(client));
            assertFalse(e.outcomeUnknown());
        }
        assertEquals(List.of(), server.requests());
        client.get(Types.CONFIG_MAP, A);
        open.withFieldManager("m").apply(Types.CONFIG_MAP, OBJECT.with("x", "data", "k"));
    }

    /** What runs in a pod may change anything. */
    @Test
    void refusesToOpenStreamsOfPods() throws Exception {
        var client = client((_, reply) -> reply.send(403, ""));
        assertThrows(
                ApiException.Forbidden.class,
                () -> client.socket(A, "exec?command=ls", List.of("v5.channel.k8s.io")));
        left = Duration.ZERO;
        for (var stream : List.of("exec?command=ls", "attach", "portforward?ports=80")) {
            var e =
                    assertThrows(
                            ApiException.Fenced.class,
                            () -> client.socket(A, stream, List.of("v5.channel.k8s.io")));
            assertFalse(e.outcomeUnknown());
        }
        assertEquals(1, server.requests().size());
    }

    @Test
    void endsTheOpeningOfAStreamThatIsOnItsWay() throws Exception {
        long end = System.nanoTime() + Duration.ofMillis(500).toNanos();
        var client = client((_, reply) -> reply.hold());
        var guarded = client.guardedBy(() -> Duration.ofNanos(end - System.nanoTime()));
        var e =
                assertThrows(
                        ApiException.Fenced.class,
                        () -> guarded.socket(A, "exec", List.of("v5.channel.k8s.io")));
        assertTrue(e.outcomeUnknown(), "the command may have begun");
    }

    private interface Write {
        void make(KubeClient client) throws ApiException, InterruptedException;
    }

    @Test
    void asksBeforeARepeat() throws Exception {
        var client =
                client(
                        (_, reply) -> {
                            left = Duration.ZERO;
                            reply.send(
                                    503, status(503, "ServiceUnavailable", ""), "Retry-After: 1");
                        });
        assertThrows(
                ApiException.Fenced.class,
                () -> client.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY));
        assertEquals(1, server.requests().size());
    }

    /** Its repeat is made by the call itself, not by the retries. */
    @Test
    void asksBeforeACreateIsSentAgain() throws Exception {
        var client =
                client(
                        (_, reply) -> {
                            left = Duration.ZERO;
                            reply.reset();
                        });
        var e =
                assertThrows(
                        ApiException.Fenced.class, () -> client.create(Types.CONFIG_MAP, OBJECT));
        assertTrue(e.outcomeUnknown(), "the first may have made it");
        assertEquals(1, server.requests().size());
    }

    @Test
    void endsAWriteThatIsOnItsWay() throws Exception {
        long end = System.nanoTime() + Duration.ofMillis(500).toNanos();
        var client = client((_, reply) -> reply.hold());
        var guarded = client.guardedBy(() -> Duration.ofNanos(end - System.nanoTime()));
        var e =
                assertThrows(
                        ApiException.Fenced.class,
                        () -> guarded.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY));
        assertTrue(e.outcomeUnknown(), "the server may have acted");
        Await.until("the connection is cut", () -> server.connections() == 0);
    }

    /** A leader that renews its lease keeps its slow writes. */
    @Test
    void letsAWriteGoOnWhileTheLeaseIsRenewed() throws Exception {
        var asked = new AtomicInteger();
        var client =
                client(
                        (_, reply) -> {
                            while (asked.get() < 20) {
                                Thread.sleep(5);
                            }
                            reply.send(200, configMap("a", "u", 1));
                        });
        WriteGuard renewed =
                () -> {
                    asked.incrementAndGet();
                    return Duration.ofMillis(20);
                };
        client.guardedBy(renewed).mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY);
        assertEquals(1, server.requests().size());
    }
}
