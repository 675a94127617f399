package lvms.k8s.client.wire;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;

/** The {@code rest_client_*} metrics, with the names and labels of client-go. */
public final class RestMetrics {
    private static final double[] SECONDS = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
    private static final double[] BYTES = {
        64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216
    };

    private final String host;
    private final Family<Counter> requests;
    private final Family<Counter> retries;
    private final Family<Histogram> durations;
    private final Family<Histogram> throttled;
    private final Family<Histogram> requestSizes;
    private final Family<Histogram> responseSizes;

    public RestMetrics(MetricsRegistry registry, KubeConfig config) {
        this.host = config.server().getAuthority();
        var reloads =
                registry.counter(
                        "rest_client_reload_failures_total",
                        "Number of times a file of the client's could not be read again, and what"
                                + " was read before stayed in use, by what it holds.",
                        "source",
                        "host");
        reloads.with("token", host).from(config::tokenReloadFailures);
        reloads.with("certificate", host).from(config::certificateReloadFailures);
        reloads.with("authority", host).from(config::authorityReloadFailures);
        requests =
                registry.counter(
                        "rest_client_requests_total",
                        "Number of HTTP requests, partitioned by status code, method, and host.",
                        "code",
                        "method",
                        "host");
        retries =
                registry.counter(
                        "rest_client_request_retries_total",
                        "Number of request retries, partitioned by status code, verb, and host.",
                        "code",
                        "verb",
                        "host");
        durations = histogram(registry, "request_duration_seconds", "Request latency.", SECONDS);
        throttled =
                histogram(
                        registry,
                        "rate_limiter_duration_seconds",
                        "Latency of the client side rate limiter.",
                        SECONDS);
        requestSizes = histogram(registry, "request_size_bytes", "Request size.", BYTES);
        responseSizes = histogram(registry, "response_size_bytes", "Response size.", BYTES);
    }

    private static Family<Histogram> histogram(
            MetricsRegistry registry, String name, String help, double[] bounds) {
        return registry.histogram("rest_client_" + name, help, bounds, "verb", "host");
    }

    public void answered(Call call, int code, long startNanos, long responseBytes) {
        requests.with(Integer.toString(code), call.method(), host).increment();
        durations.with(call.verb(), host).observeSince(startNanos);
        requestSizes.with(call.verb(), host).observe(call.body() == null ? 0 : call.body().length);
        responseSizes.with(call.verb(), host).observe(responseBytes);
    }

    public void failed(Call call, long startNanos) {
        requests.with("<error>", call.method(), host).increment();
        durations.with(call.verb(), host).observeSince(startNanos);
    }

    public void retried(Call call, String code) {
        retries.with(code, call.verb(), host).increment();
    }

    public void throttled(Call call, long startNanos) {
        throttled.with(call.verb(), host).observeSince(startNanos);
    }
}
