package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A call has one deadline, however many requests it consists of. Each attempt may last as long as
 * the call here, so what ends in time was ended by the deadline of the call.
 */
@Behaviour({9, 106})
class DeadlineTests extends KubeClientCase {
    private static final Duration DEADLINE = Duration.ofMillis(600);

    /** Less than an attempt may last, and much more than the machine's load can add. */
    private static final Duration TOO_LATE = Duration.ofSeconds(25);

    private interface Work {
        void run(KubeClient client) throws ApiException, InterruptedException;
    }

    private record Composite(String name, Work work) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final KubeObject HELD =
            object("a", "u", 1).with(Json.parse("[\"x/y\"]"), "metadata", "finalizers");

    static Stream<Composite> composites() {
        return Stream.of(
                new Composite("create", c -> c.create(Types.CONFIG_MAP, object("a", "u", 1))),
                new Composite(
                        "addFinalizer",
                        c -> c.addFinalizer(Types.CONFIG_MAP, object("a", "u", 1), "x/y")),
                new Composite(
                        "removeFinalizer", c -> c.removeFinalizer(Types.CONFIG_MAP, HELD, "x/y")),
                new Composite(
                        "update",
                        c -> c.update(Types.CONFIG_MAP, A, o -> o.with("v", "data", "k"))),
                new Composite("delete", c -> c.delete(Types.CONFIG_MAP, A, DeleteOptions.uid("u"))),
                new Composite("types", KubeClient::types));
    }

    private static void assertEndsInTime(KubeClient client, Work work) {
        long start = System.nanoTime();
        assertThrows(ApiException.class, () -> work.run(client));
        var took = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(took.compareTo(TOO_LATE) < 0, () -> "took " + took);
    }

    /** Without a deadline of the whole this took 30 s for each attempt. */
    @ParameterizedTest
    @MethodSource("composites")
    void endsWhenNothingIsAnswered(Composite composite) throws Exception {
        var client = client((_, reply) -> reply.hold()).withDeadline(DEADLINE);
        assertEndsInTime(client, composite.work);
        Await.until("the connections are not kept", () -> server().connections() == 0);
    }

    /** Each request is answered slowly, but in time; together they are not. */
    @ParameterizedTest
    @MethodSource("composites")
    void endsWhenAllRequestsTogetherTakeTooLong(Composite composite) throws Exception {
        var client =
                client(
                                (request, reply) -> {
                                    Thread.sleep(DEADLINE.toMillis() * 2 / 3);
                                    if (request.method().equals("GET")) {
                                        reply.send(200, configMap("a", "u", 1));
                                    } else {
                                        reply.send(409, status(409, "Conflict", "changed"));
                                    }
                                })
                        .withDeadline(DEADLINE);
        assertEndsInTime(client, composite.work);
        assertTrue(server().requests().size() <= 3, () -> "" + server().requests().size());
    }

    @Test
    void aDeletionWhoseLastLookIsNotAnsweredIsStillGoing() throws Exception {
        var going = HELD.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp").toJson();
        var client =
                client(
                        (request, reply) -> {
                            if (request.method().equals("DELETE")) {
                                reply.send(200, going);
                            } else {
                                reply.hold();
                            }
                        });
        assertEquals(
                Deletion.IN_PROGRESS,
                client.deleteAndWait(Types.CONFIG_MAP, A, DeleteOptions.uid("u"), DEADLINE));
    }

    @Test
    void aCreateIsNotSentAgainAfterItsDeadline() throws Exception {
        var client = client((_, reply) -> reply.hold()).withDeadline(DEADLINE);
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.create(Types.CONFIG_MAP, object("a", "u", 1)));
        assertTrue(failure.outcomeUnknown());
        assertEquals(1, server().requests().size());
    }

    /** The pages of a large collection may take longer than one call: here once and a half. */
    @Test
    void aListMayTakeLongerThanEachOfItsPages() throws Exception {
        var deadline = Duration.ofSeconds(2);
        long start = System.nanoTime();
        var client =
                client(
                                (request, reply) -> {
                                    Thread.sleep(deadline.dividedBy(2));
                                    int from =
                                            Integer.parseInt(
                                                    request.parameter("continue").orElse("0"));
                                    var more =
                                            from < 2 ? ",\"continue\":\"" + (from + 1) + "\"" : "";
                                    var page = list(5, configMap("n" + from, "u", 1));
                                    reply.send(200, page.replace("\"5\"", "\"5\"" + more));
                                })
                        .withDeadline(deadline);
        assertEquals(3, client.list(Types.CONFIG_MAP, ListOptions.all().pageSize(1)).size());
        var took = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(took.compareTo(deadline) > 0, "it shows nothing if it took only " + took);
    }

    @Test
    void aListThatNeverEndsIsEnded() throws Exception {
        var client =
                client(
                                (_, reply) ->
                                        reply.send(
                                                200,
                                                list(5, configMap("n", "u", 1))
                                                        .replace(
                                                                "\"5\"",
                                                                "\"5\",\"continue\":\"t\"")))
                        .withDeadline(Duration.ofMillis(100));
        assertEndsInTime(client, c -> c.list(Types.CONFIG_MAP, ListOptions.all().pageSize(1)));
    }

    @Test
    void theClientsOwnLimitDoesNotHoldACallBeyondItsDeadline() throws Exception {
        serve((_, reply) -> reply.send(200, "{\"gitVersion\":\"v1\"}"));
        var options = ClientOptions.of("t").rateLimit(0.01, 2);
        var client = closing(KubeClient.open(KubeConfig.ofServer(server().url()), options));
        for (var i : List.of(1, 2)) {
            assertEquals("v1", client.serverVersion(), () -> "request " + i);
        }
        var hurried = client.withDeadline(DEADLINE);
        var failure = assertThrows(ApiException.Unreachable.class, hurried::serverVersion);
        assertTrue(failure.getMessage().contains("limit of requests"), failure.getMessage());
        assertEquals(2, server().requests().size());
    }
}
