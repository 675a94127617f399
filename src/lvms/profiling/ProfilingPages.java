package lvms.profiling;

import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.serving.Limits;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * The pages of {@code --profiling-bind-address}. The paths of pprof lead to an index, since its
 * format is Go's: who comes from there finds what there is instead.
 */
public final class ProfilingPages implements HttpHandler {
    private static final int MOST_SECONDS = 120;
    private static final int SECONDS = 10;

    /** For one person, who may have to wait for a whole recording. */
    public static final Limits LIMITS =
            Limits.PROBES.withRequest(Duration.ofSeconds(MOST_SECONDS + 30));

    private static final String INDEX =
            """
            /debug/threads           stacks of all threads, also of virtual ones; ?format=json
            /debug/jfr?seconds=10    a recording of the JDK Flight Recorder, at most %d s,
                                     for jfr(1) or JDK Mission Control
            """
                    .formatted(MOST_SECONDS);

    /** What is running is the same for all who ask, and costs. */
    private final Semaphore one = new Semaphore(1);

    @Override
    public HttpAnswer answer(HttpRequest request) throws InterruptedException {
        if (!request.method().equals("GET")) {
            return HttpAnswer.text(405, "only GET\n");
        }
        return switch (request.path()) {
            case "/debug/", "/debug/pprof", "/debug/pprof/" -> HttpAnswer.text(200, INDEX);
            case "/debug/threads" -> alone(() -> threads(request.query().orElse("")));
            case "/debug/jfr" -> alone(() -> recording(request.query().orElse("")));
            default -> HttpAnswer.notFound();
        };
    }

    /** Makes an answer. */
    private interface Work {
        HttpAnswer answer() throws IOException, InterruptedException;
    }

    private HttpAnswer alone(Work work) throws InterruptedException {
        if (!one.tryAcquire()) {
            return HttpAnswer.text(429, "another request is being answered\n");
        }
        try {
            return work.answer();
        } catch (IOException e) {
            return HttpAnswer.text(500, e.getMessage() + "\n");
        } finally {
            one.release();
        }
    }

    private static HttpAnswer threads(String query) throws IOException {
        return query.equals("format=json")
                ? new HttpAnswer(200, "application/json", ThreadDump.json())
                : HttpAnswer.text(200, ThreadDump.text());
    }

    private static HttpAnswer recording(String query) throws IOException, InterruptedException {
        var digits = query.isEmpty() ? "" + SECONDS : query.replaceFirst("^seconds=", "");
        if (!digits.matches("[1-9]\\d{0,3}") || Integer.parseInt(digits) > MOST_SECONDS) {
            return HttpAnswer.text(400, "seconds must be 1 to " + MOST_SECONDS + "\n");
        }
        var bytes = FlightRecording.of(Duration.ofSeconds(Integer.parseInt(digits)));
        return new HttpAnswer(200, "application/octet-stream", bytes);
    }
}
