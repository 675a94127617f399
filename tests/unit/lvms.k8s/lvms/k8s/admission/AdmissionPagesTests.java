package lvms.k8s.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ApiStatus;
import lvms.k8s.client.Await;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.serving.Limits;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A review is answered under its UID, and whoever posts something else is told so. */
@Timeout(120)
@Behaviour(90)
class AdmissionPagesTests {
    private static final String JSON = "application/json";
    private static final String REVIEW =
            "{\"kind\":\"AdmissionReview\",\"later\":{\"a\":1},\"request\":{\"uid\":\"u-1\","
                    + "\"operation\":\"CREATE\",\"unknown\":[1],\"object\":{\"x\":\"%s\"}}}";

    private final MetricsRegistry metrics = new MetricsRegistry();

    private HttpAnswer answer(Admission admission, HttpRequest request) throws Exception {
        return new AdmissionPages(Map.of("/judge", admission), metrics).answer(request);
    }

    private static HttpRequest request(
            String method, Optional<String> query, String contentType, String body) {
        return new HttpRequest(
                "192.0.2.1",
                method,
                "/judge",
                query,
                Map.of("content-type", contentType),
                body.getBytes(StandardCharsets.UTF_8),
                false);
    }

    private static HttpRequest review(String query) {
        return request("POST", Optional.of(query), JSON, REVIEW.formatted(""));
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.content(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "no JSON",
                "[]",
                "null",
                "7",
                "{}",
                "{\"request\":[]}",
                "{\"a\":1}x"
            })
    void whatIsNoReviewIsRefusedInWords(String body) throws Exception {
        var answer =
                answer(
                        _ -> AdmissionAnswer.allowed(),
                        request("POST", Optional.empty(), JSON, body));
        assertEquals(400, answer.code());
        assertTrue(text(answer).startsWith("not an AdmissionReview: "), text(answer));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, application/json, 200",
        "POST, application/json; charset=utf-8, 200",
        "POST, Application/JSON, 200",
        "POST, text/plain, 400",
        "POST, '', 400",
        "POST, application/vnd.kubernetes.protobuf, 400",
        "GET, application/json, 405",
        "PUT, application/json, 405"
    })
    void onlyJsonThatIsPostedIsTaken(String method, String contentType, int code) throws Exception {
        var request = request(method, Optional.empty(), contentType, REVIEW.formatted(""));
        assertEquals(code, answer(_ -> AdmissionAnswer.allowed(), request).code());
    }

    @Test
    void theAnswerHasTheUidAndUnknownFieldsDoNotMatter() throws Exception {
        var answer =
                answer(_ -> AdmissionAnswer.denied("no", List.of("old")), review("timeout=9s"));
        assertEquals(
                Json.parse(
                        "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','response':{"
                                        .replace('\'', '"')
                                + "'uid':'u-1','allowed':false,'status':{'code':403,"
                                        .replace('\'', '"')
                                + "'reason':'Forbidden','message':'no'},'warnings':['old']}}"
                                        .replace('\'', '"')),
                Json.parse(text(answer)));
    }

    @Test
    void aJudgementThatTakesTooLongIsInterruptedAndAnsweredInTime() throws Exception {
        var interrupted = new AtomicBoolean();
        Admission slow =
                _ -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    }
                    return AdmissionAnswer.allowed();
                };
        assertEquals(504, answer(slow, review("a=b&timeout=20.5ms")).code());
        Await.until("it is interrupted", interrupted::get);
    }

    @Test
    void whatCannotBeJudgedIsLeftToTheFailurePolicy() throws Exception {
        var status = new ApiStatus(500, "", "no", List.of(), Optional.empty());
        Admission blind =
                _ -> {
                    throw ApiException.of("get nodes n1", status);
                };
        assertEquals(503, answer(blind, review("timeout=10s")).code());
        assertEquals(503, answer(blind, review("")).code());
    }

    @Test
    @Behaviour(94)
    void eachRequestIsCountedAndAPathIsThereBeforeItsFirst() throws Exception {
        new AdmissionPages(Map.of("/judge", _ -> AdmissionAnswer.allowed()), metrics);
        var label = "{webhook=\"/judge\"";
        var requests = "controller_runtime_webhook_requests_total" + label;
        assertTrue(metrics.text().contains(requests + ",code=\"200\"} 0\n"), metrics.text());
        answer(_ -> AdmissionAnswer.allowed(), review(""));
        answer(_ -> AdmissionAnswer.allowed(), request("GET", Optional.empty(), JSON, ""));
        var text = metrics.text();
        assertTrue(text.contains(requests + ",code=\"200\"} 1\n"), text);
        assertTrue(text.contains(requests + ",code=\"405\"} 1\n"), text);
        assertTrue(
                text.contains("controller_runtime_webhook_requests_in_flight" + label + "} 0\n"));
        assertTrue(
                text.contains(
                        "controller_runtime_webhook_latency_seconds_count" + label + "} 2\n"));
    }

    /** As the API server sends an object of 3 MiB and its predecessor. */
    @ParameterizedTest
    @CsvSource({"7339000, 200", "7341000, 413"})
    void aBodyOfSevenMebibytesIsTakenAndALargerOneRefused(int length, int code) throws Exception {
        var body = REVIEW.formatted("x".repeat(length - REVIEW.length() + 2));
        var pages = new AdmissionPages(Map.of("/judge", _ -> AdmissionAnswer.allowed()));
        var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var listener = HttpListener.start(anywhere, Limits.REVIEWS, pages);
                var http = HttpClient.newHttpClient()) {
            var address = "http://127.0.0.1:" + listener.address().getPort() + "/judge?timeout=30s";
            var request =
                    java.net.http.HttpRequest.newBuilder(URI.create(address))
                            .header("Content-Type", JSON)
                            .POST(BodyPublishers.ofString(body))
                            .build();
            var response = http.send(request, BodyHandlers.ofString());
            assertEquals(code, response.statusCode());
            if (code == 200) {
                var review = (ObjectTree) Json.parse(response.body());
                assertEquals("u-1", review.text("response", "uid").orElseThrow());
            }
        }
    }
}
