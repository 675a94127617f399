package lvms.k8s.admission;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.limit.BoundedCall;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Durations;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.tree.JsonException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Answers AdmissionReviews ({@code admission.k8s.io/v1}) over HTTP. A judgement that takes longer
 * than the API server waits ({@code ?timeout=}) is interrupted. Any thread may call.
 */
public final class AdmissionPages implements HttpHandler {
    private static final System.Logger LOG = System.getLogger(AdmissionPages.class.getName());
    private static final String TIMEOUT = "timeout=";

    private final Map<String, Admission> byPath;
    private final AdmissionMetrics metrics;

    /** Answers without counting. */
    public AdmissionPages(Map<String, Admission> byPath) {
        this(byPath, MetricsRegistry.unread());
    }

    /**
     * Answers, and counts each request.
     *
     * @param byPath who judges what is posted to a path
     */
    public AdmissionPages(Map<String, Admission> byPath, MetricsRegistry metrics) {
        this.byPath = Map.copyOf(byPath);
        this.metrics = new AdmissionMetrics(metrics, this.byPath.keySet());
    }

    @Override
    public HttpAnswer answer(HttpRequest request) throws InterruptedException {
        var admission = byPath.get(request.path());
        if (admission == null) {
            return HttpAnswer.notFound();
        }
        return metrics.counted(request.path(), () -> answer(admission, request));
    }

    private static HttpAnswer answer(Admission admission, HttpRequest request)
            throws InterruptedException {
        if (!request.method().equals("POST")) {
            return HttpAnswer.text(405, "an AdmissionReview has to be posted\n");
        }
        if (!isJson(request.header("content-type").orElse(""))) {
            return HttpAnswer.text(400, "an AdmissionReview has to be application/json\n");
        }
        AdmissionRequest question;
        try {
            question = AdmissionRequest.of(new String(request.body(), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | JsonException e) {
            return HttpAnswer.text(400, "not an AdmissionReview: " + e.getMessage() + "\n");
        }
        return judged(admission, question, request);
    }

    private static boolean isJson(String contentType) {
        var type = contentType.split(";", 2)[0].strip();
        return type.toLowerCase(Locale.ROOT).equals("application/json");
    }

    private static HttpAnswer judged(
            Admission admission, AdmissionRequest question, HttpRequest request)
            throws InterruptedException {
        try {
            var limit = timeout(request);
            var answer =
                    limit.isEmpty()
                            ? Optional.of(admission.judge(question))
                            : judgedWithin(limit.get(), admission, question);
            return answer.map(verdict -> HttpAnswer.json(verdict.review(question.uid())))
                    .orElseGet(() -> tooLate(limit, request));
        } catch (ApiException e) {
            LOG.log(WARNING, () -> "request not judged path=" + request.path() + " cause=" + e);
            return HttpAnswer.text(503, "what is in the cluster cannot be read\n");
        }
    }

    private static Optional<AdmissionAnswer> judgedWithin(
            Duration limit, Admission admission, AdmissionRequest question)
            throws ApiException, InterruptedException {
        var call = BoundedCall.start("admission", () -> admission.judge(question));
        try {
            return call.endsWithin(limit) ? Optional.of(call.result()) : Optional.empty();
        } catch (ApiException | InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e); // an admission throws no other
        } finally {
            call.interrupt(Duration.ZERO);
        }
    }

    private static HttpAnswer tooLate(Optional<Duration> limit, HttpRequest request) {
        LOG.log(
                WARNING,
                () ->
                        "request not judged in time path="
                                + request.path()
                                + " limit="
                                + limit.get());
        return HttpAnswer.text(504, "no judgement within " + limit.get() + "\n");
    }

    /** How long the API server waits. */
    private static Optional<Duration> timeout(HttpRequest request) {
        return Arrays.stream(request.query().orElse("").split("&"))
                .filter(parameter -> parameter.startsWith(TIMEOUT))
                .findFirst()
                .flatMap(parameter -> Durations.read(parameter.substring(TIMEOUT.length())));
    }
}
