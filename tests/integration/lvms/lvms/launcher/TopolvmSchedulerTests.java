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
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

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
            assertLogged(program.log(), address, question, filtered.body());
            assertEquals(400, post("http://" + address + "/prioritize", "").statusCode());
            assertEquals("ok", post("http://" + address + "/status", "").body());
            assertTrue(program.log().contains("spare"), "a key without meaning is named");
            assertTrue(program.log().contains("http_status_code=400"), program.log());
            assertTrue(program.log().contains(" reason=not ExtenderArgs: "), program.log());
            assertEquals(
                    413,
                    post("http://" + address + "/predicate", "x".repeat(11 << 20)).statusCode());
            program.says("code=413 reason=the body is too long");
            assertTrue(
                    program.log().lines().anyMatch(TopolvmSchedulerTests::namesItsClient),
                    program.log());
            assertEquals(0, program.end());
        }
    }

    /** Programs that read TopoLVM's access log find its fields. */
    private static void assertLogged(String log, String address, String question, String answer) {
        var line =
                "access type=access response_time=[0-9.E-]+ http_status_code=200 http_method=POST"
                        + " url=/predicate http_host=%s request_size=%d response_size=%d"
                        + " remote_ipaddr=\\S+ http_user_agent=Java-http-client/\\S+";
        var wanted = line.formatted(Pattern.quote(address), question.length(), answer.length());
        assertTrue(Pattern.compile(wanted).matcher(log).find(), log);
    }

    /** As large as a question may be, with the heap of the image's launcher. */
    @Test
    void twoLargeQuestionsAtOnceDoNotEndIt(@TempDir Path folder) throws Exception {
        var config = folder.resolve("scheduler-options.yaml");
        Files.writeString(config, "listen: \"localhost:0\"\n");
        var heap =
                Map.of(
                        "JAVA_TOOL_OPTIONS",
                        "-Xmx192m -Xmn4m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError");
        try (var program = Program.start(folder, "topolvm-scheduler", heap, "--config=" + config);
                var senders = Executors.newVirtualThreadPerTaskExecutor()) {
            var address = program.says(" address=localhost/").split(" ")[0];
            var question = question(10 << 20);
            var answers = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 4; i++) {
                var page = i % 2 == 0 ? "/predicate" : "/prioritize";
                answers.add(
                        senders.submit(
                                () -> post("http://" + address + page, question).statusCode()));
            }
            for (var answer : answers) {
                assertEquals(200, answer.get());
            }
            assertEquals(0, program.end(), program.log());
        }
    }

    /** Five thousand Nodes, or as many as there is room for. */
    private static String question(int bytes) {
        var head =
                "{\"Pod\":{\"metadata\":{\"annotations\":{\"capacity.topolvm.io/ssd\":\"5\"}}},"
                        + "\"Nodes\":{\"items\":[";
        var text = new StringBuilder(head);
        for (int i = 0; i < 5_000; i++) {
            var node = node("node-" + i);
            if (text.length() + node.length() + 4 > bytes) {
                break;
            }
            text.append(i == 0 ? "" : ",").append(node);
        }
        return text.append("]}}").toString();
    }

    private static String node(String name) {
        var text =
                new StringBuilder("{\"metadata\":{\"name\":\"")
                        .append(name)
                        .append("\",\"labels\":{");
        for (int i = 0; i < 20; i++) {
            text.append(i == 0 ? "" : ",")
                    .append("\"example.com/label-%d\":\"v%d\"".formatted(i, i));
        }
        text.append("},\"annotations\":{\"capacity.topolvm.io/ssd\":\"2147483648\"}},");
        text.append("\"status\":{\"images\":[");
        for (int i = 0; i < 15; i++) {
            text.append(i == 0 ? "" : ",")
                    .append(
                            "{\"names\":[\"example.com/image-%d\"],\"sizeBytes\":%d}"
                                    .formatted(i, i));
        }
        return text.append("]}}").toString();
    }
}
