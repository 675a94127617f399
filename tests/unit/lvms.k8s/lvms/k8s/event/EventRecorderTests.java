package lvms.k8s.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;
import lvms.tests.support.LogRecords;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Events never stand in the way of those who record them, and many equal ones are few writes. */
@Timeout(60)
class EventRecorderTests {
    private static final String REPORTER = "example.com/operator";
    private static final KubeObject OBJECT = Bodies.object("a", "uid-a", 5);
    private static final FakeServer.Script TAKES_ALL =
            (request, reply) -> reply.send(201, stored(request));

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** A patch is answered with the whole object. */
    private static String stored(FakeServer.Request request) {
        if (!request.method().equals("PATCH")) {
            return request.body();
        }
        return KubeObject.of((ObjectTree) Json.parse(request.body()))
                .with("events.k8s.io/v1", "apiVersion")
                .with("Event", "kind")
                .with(
                        request.path().substring(request.path().lastIndexOf('/') + 1),
                        "metadata",
                        "name")
                .toJson();
    }

    private static Event event(String note) {
        return new Event(
                OBJECT, EventRecorder.Type.WARNING, "Failed", "Trying", "it broke: " + note);
    }

    private static void record(EventRecorder recorder, String reason) {
        recorder.record(OBJECT, EventRecorder.Type.NORMAL, reason, "Trying", "it broke");
    }

    private static String note(FakeServer.Request create) {
        return ((ObjectTree) Json.parse(create.body())).at("note").text().orElseThrow();
    }

    private static List<FakeServer.Request> creates(FakeServer server) {
        return server.requests().stream().filter(r -> r.method().equals("POST")).toList();
    }

    private static int count(FakeServer.Request patch) {
        return (int)
                ((ObjectTree) Json.parse(patch.body()))
                        .at("series", "count")
                        .number()
                        .orElseThrow();
    }

    private static List<String> methods(FakeServer server) {
        return server.requests().stream().map(FakeServer.Request::method).toList();
    }

    @Test
    @Behaviour(88)
    void aThousandEqualEventsAreOneCreateAndOnePatchWithTheirCount() throws Exception {
        var recorded = new CountDownLatch(1);
        FakeServer.Script slow =
                (request, reply) -> {
                    recorded.await();
                    reply.send(201, stored(request));
                };
        try (var server = FakeServer.start(slow);
                var client = server.client();
                var recorder = EventRecorder.open(client, REPORTER, "pod")) {
            record(recorder, "Failed");
            Await.until("the create is under way", () -> server.requests().size() == 1);
            for (int i = 2; i <= 1000; i++) {
                record(recorder, "Failed");
            }
            recorded.countDown();
            Await.until("the series is told", () -> server.requests().size() == 2);
            record(recorder, "Other");
            Await.until("another event is told", () -> server.requests().size() == 3);
            assertEquals(List.of("POST", "PATCH", "POST"), methods(server));
            assertEquals(1000, count(server.requests().get(1)));
        }
    }

    @Test
    @Safety(32)
    @Behaviour(102)
    void anEventThatCannotBeSentIsTheOnlyOneLost() throws Exception {
        var broken = OBJECT.with("no/namespace", "metadata", "namespace");
        try (var server = FakeServer.start(TAKES_ALL);
                var client = server.client();
                var recorder = EventRecorder.open(client, REPORTER, "pod")) {
            recorder.record(broken, EventRecorder.Type.WARNING, "Broken", "Trying", null);
            Await.until(
                    "the next event is told",
                    () -> {
                        record(recorder, "Whole");
                        return !server.requests().isEmpty();
                    });
        }
    }

    @Test
    @Behaviour(102)
    void whatACallerForgotThrowsNothingIntoItsPass() throws Exception {
        try (var server = FakeServer.start(TAKES_ALL);
                var client = server.client();
                var recorder = EventRecorder.open(client, REPORTER, "pod")) {
            recorder.record(OBJECT, EventRecorder.Type.NORMAL, "Reason", "Trying", null);
            recorder.record(OBJECT, EventRecorder.Type.NORMAL, null, "Trying", "note");
            recorder.record(OBJECT, EventRecorder.Type.NORMAL, "Reason", null, "note");
            recorder.record(OBJECT, null, "Reason", "Trying", "note");
            recorder.record(null, EventRecorder.Type.NORMAL, "Reason", "Trying", "note");
            record(recorder, "Whole");
            Await.until("the whole ones are told", () -> creates(server).size() == 2);
            assertEquals("", note(creates(server).getFirst()));
            assertEquals(4, lost(client, "failed"));
        }
    }

    @Test
    void aSeriesThatEndsTellsItsCountAndTheNextEventIsANewOne() throws Exception {
        try (var server = FakeServer.start(TAKES_ALL);
                var client = server.client()) {
            var writer = new EventWriter(client, REPORTER, "pod", () -> now);
            for (int i = 0; i < 1000; i++) {
                writer.write(List.of(event("so")));
                writer.report();
            }
            assertEquals(List.of("POST", "PATCH"), methods(server));
            now = now.plus(Duration.ofMinutes(7));
            writer.report();
            assertEquals(List.of("POST", "PATCH", "PATCH"), methods(server));
            assertEquals(1000, count(server.requests().getLast()));
            writer.write(List.of(event("so")));
            assertEquals("POST", methods(server).getLast());
        }
    }

    @Test
    void anotherNoteIsAnotherEventWhichShowsThePresentCause() throws Exception {
        try (var server = FakeServer.start(TAKES_ALL);
                var client = server.client()) {
            var writer = new EventWriter(client, REPORTER, "pod", () -> now);
            writer.write(List.of(event("no driver"), event("no driver"), event("no room")));
            writer.report();
            assertEquals(List.of("POST", "POST", "PATCH"), methods(server));
            assertEquals("it broke: no driver", note(creates(server).getFirst()));
            assertEquals("it broke: no room", note(creates(server).getLast()));
            assertEquals(2, count(server.requests().getLast()));
        }
    }

    @Test
    void afterTenNotesOfOneReasonTheOthersAreOneSeriesThatSaysSo() throws Exception {
        try (var server = FakeServer.start(TAKES_ALL);
                var client = server.client()) {
            var writer = new EventWriter(client, REPORTER, "pod", () -> now);
            for (int i = 1; i <= 100; i++) {
                writer.write(List.of(event(i + " left")));
                now = now.plus(Duration.ofSeconds(5));
            }
            writer.report();
            var creates = creates(server);
            assertEquals(11, creates.size());
            assertEquals("it broke: 10 left", note(creates.get(9)));
            assertEquals(
                    "(combined from similar events): it broke: 11 left", note(creates.getLast()));
            assertEquals(90, count(server.requests().getLast()));
            writer.write(List.of(event("3 left")));
            assertEquals(12, server.requests().size(), "a note that has its Event is counted");
        }
    }

    @Test
    void tenMinutesLaterAnotherNoteIsAnEventOfItsOwnAgain() throws Exception {
        try (var server = FakeServer.start(TAKES_ALL);
                var client = server.client()) {
            var writer = new EventWriter(client, REPORTER, "pod", () -> now);
            for (int i = 1; i <= 20; i++) {
                writer.write(List.of(event(i + " left")));
            }
            now = now.plus(Duration.ofMinutes(10));
            writer.write(List.of(event("none left")));
            assertEquals("it broke: none left", note(creates(server).getLast()));
            now = now.plus(Duration.ofMinutes(10));
            writer.report();
            assertTrue(writer.idle(), "nothing is remembered for ever");
        }
    }

    @Test
    void aSeriesThatGoesOnIsToldEveryHalfHour() throws Exception {
        try (var server = FakeServer.start(TAKES_ALL);
                var client = server.client()) {
            var writer = new EventWriter(client, REPORTER, "pod", () -> now);
            for (int minute = 0; minute < 63; minute++) {
                writer.write(List.of(event("so")));
                writer.report();
                now = now.plus(Duration.ofMinutes(1));
            }
            var patches = server.requests().subList(1, server.requests().size());
            assertEquals(List.of(2, 33), patches.stream().map(EventRecorderTests::count).toList());
        }
    }

    @Test
    void anEventThatExpiredMeanwhileIsMadeAnew() throws Exception {
        FakeServer.Script expired =
                (request, reply) -> {
                    if (request.method().equals("PATCH")) {
                        reply.send(
                                404,
                                Bodies.notFound(
                                        "events",
                                        request.path()
                                                .substring(request.path().lastIndexOf('/') + 1)));
                    } else {
                        reply.send(201, stored(request));
                    }
                };
        try (var server = FakeServer.start(expired);
                var client = server.client()) {
            var writer = new EventWriter(client, REPORTER, "pod", () -> now);
            writer.write(List.of(event("so"), event("so"), event("so")));
            writer.report();
            assertEquals(List.of("POST", "PATCH", "POST"), methods(server));
            assertEquals(3, count(server.requests().getLast()));
        }
    }

    @Test
    void whatTheServerRefusesIsDroppedAndTheNextIsWritten() throws Exception {
        FakeServer.Script refusesTheFirst =
                (request, reply) -> {
                    if (request.body().contains("Refused")) {
                        reply.send(403, Bodies.status(403, "Forbidden", "no"));
                    } else {
                        reply.send(201, stored(request));
                    }
                };
        try (var server = FakeServer.start(refusesTheFirst);
                var client = server.client();
                var recorder = EventRecorder.open(client, REPORTER, "pod")) {
            record(recorder, "Refused");
            record(recorder, "Taken");
            Await.until("both were sent", () -> server.requests().size() == 2);
        }
    }

    private static double lost(KubeClient client, String reason) {
        return client.metrics()
                .text()
                .lines()
                .filter(line -> line.startsWith("events_lost_total{reason=\"" + reason + "\"} "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElse(-1);
    }

    /** Each refusal names the Event, whose name has a time in it. */
    private static FakeServer.Script refusing(int code, String reason, String details) {
        return (request, reply) -> {
            var event = (ObjectTree) Json.parse(request.body());
            var message =
                    "events \\\"" + event.text("metadata", "name").orElseThrow() + "\\\" " + reason;
            var status = Bodies.status(code, reason, message);
            reply.send(code, status.replaceFirst("}$", details + "}"));
        };
    }

    private static void writeThree(KubeClient client) throws InterruptedException {
        var writer = new EventWriter(client, REPORTER, "pod", InstantSource.system());
        writer.write(List.of(event("one"), event("two"), event("three")));
    }

    @ParameterizedTest
    @CsvSource({"403, ForbiddenInThisTest", "422, InvalidInThisTest"})
    void whatIsRefusedIsCountedAndToldOnceForEachText(int code, String reason) throws Exception {
        try (var log = new LogRecords();
                var server = FakeServer.start(refusing(code, reason, ""));
                var client = server.client()) {
            writeThree(client);
            assertEquals(3, lost(client, "refused"));
            var lines =
                    log.beginning("event refused").stream().filter(line -> line.contains(reason));
            assertEquals(1, lines.count());
        }
    }

    @Test
    void theEndOfANamespaceIsCountedButNoWarning() throws Exception {
        var details = ",\"details\":{\"causes\":[{\"reason\":\"NamespaceTerminating\"}]}";
        try (var log = new LogRecords();
                var server = FakeServer.start(refusing(403, "TerminatingInThisTest", details));
                var client = server.client()) {
            writeThree(client);
            assertEquals(3, lost(client, "refused"));
            var lines = log.beginning("event refused").stream();
            assertEquals(0, lines.filter(line -> line.contains("TerminatingInThisTest")).count());
        }
    }

    @Test
    @Behaviour(88)
    void aServerThatHangsKeepsNobodyWaiting() throws Exception {
        try (var server = FakeServer.start((_, reply) -> reply.hold());
                var client = server.client()) {
            var recorder = EventRecorder.open(client, REPORTER, "pod");
            record(recorder, "First");
            Await.until("the create hangs", () -> server.requests().size() == 1);
            assertNobodyWaits(recorder);
            assertEquals(4000, lost(client, "crowded"), "a thousand waited");
        }
    }

    @Test
    @Behaviour(88)
    void aServerThatIsNotThereKeepsNobodyWaiting() throws Exception {
        var nowhere = FakeServer.start(TAKES_ALL);
        nowhere.close();
        var config = KubeConfig.ofServer(URI.create("http://127.0.0.1:" + nowhere.port()));
        try (var client = KubeClient.open(config, "test/1")) {
            assertNobodyWaits(EventRecorder.open(client, REPORTER, "pod"));
        }
    }

    /** Records more than may wait, and ends. */
    private static void assertNobodyWaits(EventRecorder recorder) {
        long start = System.nanoTime();
        for (int i = 0; i < 5000; i++) {
            record(recorder, "Reason" + i);
        }
        recorder.close();
        var took = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(took.toSeconds() < 2, "took " + took);
    }
}
