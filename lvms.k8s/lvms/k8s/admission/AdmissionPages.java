package lvms.k8s.admission;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.tree.JsonException;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Answers AdmissionReviews over HTTP.
 *
 * @param byPath who judges what is posted to a path
 */
public record AdmissionPages(Map<String, Admission> byPath) implements HttpHandler {
    private static final System.Logger LOG = System.getLogger(AdmissionPages.class.getName());

    public AdmissionPages {
        byPath = Map.copyOf(byPath);
    }

    @Override
    public HttpAnswer answer(HttpRequest request) throws InterruptedException {
        var admission = byPath.get(request.path());
        if (admission == null) {
            return HttpAnswer.notFound();
        }
        if (!request.method().equals("POST")) {
            return HttpAnswer.text(405, "an AdmissionReview has to be posted\n");
        }
        try {
            var question = AdmissionRequest.of(new String(request.body(), StandardCharsets.UTF_8));
            return HttpAnswer.json(admission.judge(question).review(question.uid()));
        } catch (IllegalArgumentException | JsonException e) {
            return HttpAnswer.text(400, "not an AdmissionReview: " + e.getMessage() + "\n");
        } catch (ApiException e) {
            LOG.log(WARNING, () -> "request not judged path=" + request.path() + " cause=" + e);
            return HttpAnswer.text(503, "what is in the cluster cannot be read\n");
        }
    }
}
