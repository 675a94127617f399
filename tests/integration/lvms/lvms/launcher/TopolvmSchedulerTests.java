package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * {@code topolvm-scheduler} as TopoLVM's chart starts it: its port answers, and SIGTERM ends it.
 */
@Timeout(120)
class TopolvmSchedulerTests {
    private static HttpResponse<String> post(String url, String body) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body));
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static boolean namesItsClient(String line) {
        return line.contains("url=/predicate")
                && (line.contains(" remote_ipaddr=127.0.0.1 ")
                        || line.contains(" remote_ipaddr=0:0:0:0:0:0:0:1 "));
    }

    @Test
    void filtersAndScoresByTheAnnotationsOfTheDriver(@TempDir Path folder) throws Exception {
        var config = folder.resolve("scheduler-options.yaml");
        Files.writeString(config, "listen: \"localhost:0\"\ndefault-divisor: 1\nspare: 1\n");
        var legacy = Map.of("USE_LEGACY", "true");
        try (var program =
                Program.start(
                        folder,
                        "hypertopolvm",
                        legacy,
                        "topolvm-scheduler",
                        "--config=" + config)) {
            var address = program.says(" address=localhost/").split(" ")[0];
            var padding = "x".repeat(4 << 20); // the Nodes of a large cluster
            var question =
                    """
                    {"pod": {"metadata": {"annotations": {"capacity.topolvm.cybozu.com/ssd": "5"}}},
                     "nodes": {"items": [
                       {"metadata": {"name": "n1", "labels": {"p": "%s"},
                         "annotations": {"capacity.topolvm.cybozu.com/ssd": "2147483648"}}},
                       {"metadata": {"name": "n2",
                         "annotations": {"capacity.topolvm.io/ssd": "2147483648"}}}]}}
                    """
                            .formatted(padding);
            var filtered = post("http://" + address + "/predicate", question);
            assertEquals(200, filtered.statusCode());
            assertTrue(
                    filtered.body()
                            .contains("\"failedNodes\":{\"n2\":\"no capacity annotation\"}"));
            assertEquals(
                    "[{\"host\":\"n1\",\"score\":1},{\"host\":\"n2\",\"score\":0}]",
                    post("http://" + address + "/prioritize", question).body());
            assertEquals(400, post("http://" + address + "/prioritize", "").statusCode());
            assertEquals("ok", post("http://" + address + "/status", "").body());
            assertTrue(program.log().contains("spare"), "a key without meaning is named");
            assertTrue(program.log().contains("http_status_code=400"), program.log());
            assertTrue(
                    program.log().lines().anyMatch(TopolvmSchedulerTests::namesItsClient),
                    program.log());
            assertEquals(0, program.end());
        }
    }
}
