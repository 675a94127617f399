package lvms.k8s.client;

import static lvms.k8s.client.Bodies.bookmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/** A log is read while it grows, and ends when nobody wants it any more. */
class LogTests extends KubeClientCase {
    private static final ObjectKey POD = ObjectKey.of("ns", "p");

    @Test
    void aLogIsReadLineByLineWhileItGrows() throws Exception {
        var seen = new CountDownLatch(1);
        var client =
                client(
                        (_, reply) -> {
                            reply.stream().chunk("one\ntw");
                            seen.await();
                            reply.chunk("o\n").end();
                        });
        var options = LogOptions.of("c").following().withTimestamps().tail(5);
        var log = client.openLog(POD, options.since(Instant.parse("2026-01-01T00:00:00Z")));
        try (var lines = new BufferedReader(new InputStreamReader(log))) {
            assertEquals("one", lines.readLine());
            seen.countDown();
            assertEquals("two", lines.readLine());
            assertEquals(null, lines.readLine());
        }
        assertEquals(
                "/api/v1/namespaces/ns/pods/p/log?container=c&follow=true&sinceTime="
                        + "2026-01-01T00%3A00%3A00Z&timestamps=true&tailLines=5",
                only().target());
    }

    @Test
    void closingALogEndsItsConnection() throws Exception {
        var client = client((_, reply) -> reply.stream().chunk("one\n").hold());
        var log = client.openLog(POD, LogOptions.of("c").following());
        assertEquals("one\n", new String(log.readNBytes(4)));
        log.close();
        assertThrows(IOException.class, log::read);
        assertThrows(IOException.class, log::read, "and so does each further read");
        Await.until("the connection is closed", () -> server().connections() == 0);
    }

    @Test
    void aLogThatBreaksOffIsAFailure() throws Exception {
        var client = client((_, reply) -> reply.stream().chunk("half"));
        try (var log = client.openLog(POD, LogOptions.of("").ofPreviousRun())) {
            assertThrows(IOException.class, log::readAllBytes);
            assertThrows(IOException.class, log::read, "it is no end, and worth no wait");
        }
        assertEquals("/api/v1/namespaces/ns/pods/p/log?previous=true", only().target());
    }

    @Test
    void aLogThatWasReadToItsEndStaysAtItUntilItIsClosed() throws Exception {
        var client = client((_, reply) -> reply.stream().chunk("all").end());
        var log = client.openLog(POD, LogOptions.of("c"));
        assertEquals("all", new String(log.readAllBytes()));
        assertEquals(-1, log.read());
        assertEquals(-1, log.read());
        log.close();
        assertThrows(IOException.class, log::read);
        assertThrows(IOException.class, log::read);
    }

    @Test
    void aWatchThatBrokeIsNeverIdle() throws Exception {
        var opened = new CountDownLatch(1);
        var client =
                client(
                        (_, reply) -> {
                            reply.stream().chunk(bookmark(6));
                            opened.await();
                            reply.reset();
                        });
        var options = WatchOptions.from("5", Duration.ofMinutes(5));
        var watch = closing(client.watch(Types.CONFIG_MAP, ListOptions.all(), options));
        assertInstanceOf(WatchSignal.Event.class, watch.next(Duration.ofSeconds(30)));
        opened.countDown();
        assertThrows(IOException.class, () -> watch.next(Duration.ofSeconds(30)));
        assertThrows(IOException.class, () -> watch.next(Duration.ofMillis(1)));
        watch.close();
        assertThrows(IOException.class, () -> watch.next(Duration.ofMillis(1)));
    }

    @Test
    void aLogThatIsRefusedIsAnApiException() throws Exception {
        var client = client((_, reply) -> reply.send(400, "container c is not running"));
        assertThrows(ApiException.BadRequest.class, () -> client.openLog(POD, LogOptions.of("c")));
    }
}
