package lvms.operator.page;

import lvms.k8s.informer.Informer;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpRequest;
import lvms.operator.informer.OperatorInformers;

import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/**
 * Answers {@code /report} with the page, as far as the operator's caches go. It is made when
 * somebody asks, one at a time, and costs nothing else. Who may ask is decided before.
 */
public final class CachedReport implements HttpHandler {
    /** The path, which is also that of the right. */
    public static final String PATH = "/report";

    private final OperatorInformers informers;
    private final CachedOverview overview;
    private final String source;
    private final InstantSource clock;
    private final Semaphore turn = new Semaphore(1);

    /**
     * @param namespace of the operator
     * @param source who makes the page, for its head
     */
    public CachedReport(
            OperatorInformers informers, String namespace, String source, InstantSource clock) {
        this.informers = informers;
        this.overview = new CachedOverview(informers, namespace);
        this.source = source;
        this.clock = clock;
    }

    @Override
    public HttpAnswer answer(HttpRequest request) {
        if (!request.path().equals(PATH)) {
            return HttpAnswer.notFound();
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return HttpAnswer.text(405, "only GET and HEAD\n");
        }
        if (!informers.all().stream().allMatch(Informer::synced)) {
            return HttpAnswer.text(503, "this operator does not lead, or has not read all yet\n");
        }
        if (!turn.tryAcquire()) {
            return HttpAnswer.text(503, "another report is being made: ask again\n");
        }
        try {
            var page = ClusterReport.ofObjects(overview.at(clock.instant()), source).html();
            return new HttpAnswer(200, "text/html; charset=utf-8", page);
        } finally {
            turn.release();
        }
    }
}
