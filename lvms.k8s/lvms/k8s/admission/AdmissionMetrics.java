package lvms.k8s.admission;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpAnswer;

import java.util.Set;

/** The {@code controller_runtime_webhook_*} metrics; the label {@code webhook} is the path. */
final class AdmissionMetrics {
    private static final double[] SECONDS = {
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
    };
    private static final String WEBHOOK = "webhook";

    private final Family<Counter> requests;
    private final Family<Gauge> inFlight;
    private final Family<Histogram> latency;

    /** What answers a request. */
    interface Answering {
        HttpAnswer answer() throws InterruptedException;
    }

    AdmissionMetrics(MetricsRegistry registry, Set<String> paths) {
        requests =
                registry.counter(
                        "controller_runtime_webhook_requests_total",
                        "Admission requests by HTTP status.",
                        WEBHOOK,
                        "code");
        inFlight =
                registry.gauge(
                        "controller_runtime_webhook_requests_in_flight",
                        "Admission requests that are being answered.",
                        WEBHOOK);
        latency =
                registry.histogram(
                        "controller_runtime_webhook_latency_seconds",
                        "Time an admission request took.",
                        SECONDS,
                        WEBHOOK);
        for (var path : paths) {
            requests.with(path, "200");
            requests.with(path, "500");
            inFlight.with(path);
            latency.with(path);
        }
    }

    HttpAnswer counted(String path, Answering answering) throws InterruptedException {
        long start = System.nanoTime();
        int code = 500; // what a caller gets if nothing is returned
        inFlight.with(path).add(1);
        try {
            var answer = answering.answer();
            code = answer.code();
            return answer;
        } finally {
            inFlight.with(path).add(-1);
            requests.with(path, Integer.toString(code)).increment();
            latency.with(path).observeSince(start);
        }
    }
}
