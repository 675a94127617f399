package lvms.operator.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * kube-scheduler gets answers in the form of its extender API, and clear words for anything else.
 */
class ExtenderPagesTests {
    private static final String NODES =
            "{'metadata': {}, 'items': ["
                    + "{'metadata': {'name': 'n1',"
                    + " 'annotations': {'capacity.topolvm.io/ssd': '8589934592'}},"
                    + " 'spec': {'unknown': 1}},"
                    + "{'metadata': {'name': 'n2',"
                    + " 'annotations': {'capacity.topolvm.io/ssd': '1073741824'}}},"
                    + "{'metadata': {'name': 'n3'}}]}";

    private final ExtenderPages pages = new ExtenderPages(Driver.TOPOLVM, Divisors.ONE);

    private HttpAnswer ask(String path, String body) throws Exception {
        var bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return pages.answer(
                new HttpRequest(
                        "192.0.2.1", "POST", path, Optional.empty(), Map.of(), bytes, false));
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.content(), StandardCharsets.UTF_8);
    }

    private static String question(String capacity) {
        return "{'pod': {'metadata': {'name': 'p', 'annotations': {"
                + capacity
                + "}}}, 'nodes': "
                + NODES
                + "}";
    }

    @Test
    void statusSaysOk() throws Exception {
        assertEquals(200, ask("/status", "").code());
        assertEquals("ok", text(ask("/status", "")));
    }

    @Test
    void theNodesWithRoomStayAsTheyCame() throws Exception {
        var answer = ask("/predicate", question("'capacity.topolvm.io/ssd': '2147483648'"));
        assertEquals(200, answer.code());
        assertEquals("application/json", answer.type());
        var expected =
                "{'nodes': {'metadata': {}, 'items': [{'metadata': {'name': 'n1', 'annotations':"
                        + " {'capacity.topolvm.io/ssd': '8589934592'}}, 'spec': {'unknown': 1}}]},"
                        + " 'failedNodes': {'n2': 'out of VG free space', 'n3': 'no capacity"
                        + " annotation'}}";
        assertEquals(Json.parse(expected.replace('\'', '"')), Json.parse(text(answer)));
    }

    /** As kube-scheduler 1.36.3 sends it: its Go types name no keys. */
    @Test
    void theSchedulersOwnKeysAreKnown() throws Exception {
        var lower = question("'capacity.topolvm.io/ssd': '2147483648'");
        var asSent = lower.replace("'pod'", "'Pod'").replace("'nodes'", "'Nodes'");
        assertEquals(text(ask("/predicate", lower)), text(ask("/predicate", asSent)));
        assertEquals(text(ask("/prioritize", lower)), text(ask("/prioritize", asSent)));
    }

    @Test
    void aPodWithoutVolumesOfOursMayGoAnywhere() throws Exception {
        var answer = Json.parse(text(ask("/predicate", question("")))).asObject();
        assertEquals(3, answer.list("nodes", "items").size());
        assertTrue(answer.object("failedNodes").isEmpty(), answer.toString());
        assertEquals("null", text(ask("/prioritize", question(""))));
    }

    @Test
    void eachNodeGetsAScore() throws Exception {
        var answer = ask("/prioritize", question("'capacity.topolvm.io/ssd': '1'"));
        assertEquals(
                "[{\"host\":\"n1\",\"score\":3},{\"host\":\"n2\",\"score\":1},"
                        + "{\"host\":\"n3\",\"score\":0}]",
                text(answer));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | ''",
                "{} | no pod in it",
                "[] | expected an object",
                "{\"pod\": {}, \"nodenames\": [\"n1\"]} | needs nodeCacheCapable: false"
            })
    void whatIsNoQuestionIsRefusedWithAReason(String body, String reason) throws Exception {
        for (var path : new String[] {"/predicate", "/prioritize"}) {
            var answer = ask(path, body);
            assertEquals(400, answer.code());
            assertTrue(text(answer).contains(reason), text(answer));
        }
    }

    @Test
    void thereIsNothingElse() throws Exception {
        assertEquals(404, ask("/metrics", "").code());
    }
}
