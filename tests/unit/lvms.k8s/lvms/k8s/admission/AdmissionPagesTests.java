package lvms.k8s.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.serving.HttpRequest;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Whoever posts something else than a question is told so. */
class AdmissionPagesTests {
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
        var pages = new AdmissionPages(Map.of("/judge", _ -> AdmissionAnswer.allowed()));
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        var request =
                new HttpRequest(
                        "192.0.2.1", "POST", "/judge", Optional.empty(), Map.of(), bytes, false);
        var answer = pages.answer(request);
        assertEquals(400, answer.code());
        var text = new String(answer.content(), StandardCharsets.UTF_8);
        assertTrue(text.startsWith("not an AdmissionReview: "), text);
    }
}
