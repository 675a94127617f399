package lvms.profiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jdk.jfr.consumer.RecordingFile;

import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Whoever may ask gets the threads, virtual ones too, and a recording that the JDK's tools read.
 */
@Timeout(120)
class ProfilingPagesTests {
    private final ProfilingPages pages = new ProfilingPages();

    private HttpAnswer get(String path, String query) throws InterruptedException {
        return pages.answer(
                new HttpRequest(
                        "192.0.2.1", "GET", path, Optional.of(query), Map.of(), new byte[0], true));
    }

    private static String text(HttpAnswer answer) {
        assertEquals(200, answer.code());
        return new String(answer.content(), StandardCharsets.UTF_8);
    }

    @Test
    void thePathsOfPprofLeadToAnIndex() throws Exception {
        assertTrue(text(get("/debug/pprof/", "")).contains("/debug/threads"));
        assertEquals(404, get("/debug/pprof/heap", "").code());
        assertEquals(404, get("/", "").code());
    }

    @Test
    void virtualThreadsAreAmongTheThreads() throws Exception {
        var end = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var thread =
                Thread.ofVirtual()
                        .name("a-virtual-one")
                        .start(
                                () -> {
                                    begun.countDown();
                                    waitFor(end);
                                });
        begun.await();
        assertTrue(text(get("/debug/threads", "")).contains("\"a-virtual-one\" virtual"));
        assertTrue(
                Json.parse(text(get("/debug/threads", "format=json")))
                        .asObject()
                        .has("threadDump"));
        end.countDown();
        thread.join();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRecordingIsReadByTheJdksTools(@TempDir Path folder) throws Exception {
        try (var listener =
                        HttpListener.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                ProfilingPages.LIMITS,
                                pages);
                var http = HttpClient.newHttpClient()) {
            var address =
                    "http://127.0.0.1:" + listener.address().getPort() + "/debug/jfr?seconds=1";
            var file = folder.resolve("a.jfr");
            var request = java.net.http.HttpRequest.newBuilder(URI.create(address)).build();
            assertEquals(200, http.send(request, BodyHandlers.ofFile(file)).statusCode());
            assertTrue(Files.size(file) > 0);
            try (var recording = new RecordingFile(file)) {
                assertTrue(recording.hasMoreEvents());
            }
        }
    }

    @Test
    void aTimeThatIsNoneIsRefused() throws Exception {
        for (var query : new String[] {"seconds=0", "seconds=121", "seconds=x", "minutes=1"}) {
            assertEquals(400, get("/debug/jfr", query).code(), query);
        }
    }
}
