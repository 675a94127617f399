package lvms.k8s.health;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.serving.Limits;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Serves {@code /healthz} and {@code /readyz} as Kubernetes components do: {@code ok} with 200, or
 * 500 and a line for each check. {@code ?verbose} lists the checks, {@code ?exclude=NAME} leaves
 * one out, and a path below asks for a single check. It gives no reasons, since anyone may ask, and
 * bounds what each client may cost.
 */
public final class HealthServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HealthServer.class.getName());

    private final HttpListener listener;

    private HealthServer(HttpListener listener) {
        this.listener = listener;
    }

    /**
     * Starts serving.
     *
     * @param live checks of {@code /healthz}; none may depend on the API server
     * @param ready checks of {@code /readyz}
     * @throws IOException if the address cannot be bound
     */
    public static HealthServer start(InetSocketAddress address, List<Check> live, List<Check> ready)
            throws IOException {
        var pages = Map.of("healthz", List.copyOf(live), "readyz", List.copyOf(ready));
        return serving(address, request -> answer(pages, request));
    }

    /**
     * Starts serving {@code /metrics} as Prometheus text.
     *
     * @throws IOException if the address cannot be bound
     */
    public static HealthServer metrics(InetSocketAddress address, MetricsRegistry metrics)
            throws IOException {
        return serving(address, metricsPage(metrics));
    }

    /** Answers {@code /metrics} with Prometheus text, for another listener. */
    public static HttpHandler metricsPage(MetricsRegistry metrics) {
        return reading(
                request ->
                        request.path().equals("/metrics")
                                ? new HttpAnswer(200, MetricsRegistry.CONTENT_TYPE, metrics.text())
                                : HttpAnswer.notFound());
    }

    private static HttpHandler reading(HttpHandler pages) {
        return request ->
                request.method().equals("GET") || request.method().equals("HEAD")
                        ? pages.answer(request)
                        : HttpAnswer.text(405, "only GET and HEAD\n");
    }

    private static HealthServer serving(InetSocketAddress address, HttpHandler pages)
            throws IOException {
        return new HealthServer(HttpListener.start(address, Limits.PROBES, reading(pages)));
    }

    private static HttpAnswer answer(Map<String, List<Check>> pages, HttpRequest request) {
        var names = request.path().split("/", 3); // nothing, the page, one of its checks
        var checks = names.length < 2 ? null : pages.get(names[1]);
        if (checks == null) {
            return HttpAnswer.notFound();
        }
        var below = names.length == 3 ? names[2] : "";
        var parameters = Set.copyOf(Arrays.asList(request.query().orElse("").split("&")));
        var asked =
                checks.stream()
                        .filter(check -> below.isEmpty() || check.name().equals(below))
                        .filter(check -> !parameters.contains("exclude=" + check.name()))
                        .toList();
        if (asked.isEmpty() && !below.isEmpty()) {
            return HttpAnswer.notFound();
        }
        boolean verbose =
                parameters.stream().anyMatch(p -> p.equals("verbose") || p.startsWith("verbose="));
        var verdict = Verdict.of(names[1], asked);
        return HttpAnswer.text(verdict.passed() ? 200 : 500, verdict.text(verbose));
    }

    private record Verdict(String path, List<String> lines, boolean passed) {
        static Verdict of(String path, List<Check> checks) {
            var failed =
                    checks.stream()
                            .filter(check -> !passes(check))
                            .map(Check::name)
                            .collect(Collectors.toSet());
            var lines =
                    checks.stream()
                            .map(
                                    check ->
                                            failed.contains(check.name())
                                                    ? "[-]"
                                                            + check.name()
                                                            + " failed: reason withheld"
                                                    : "[+]" + check.name() + " ok")
                            .toList();
            return new Verdict(path, lines, failed.isEmpty());
        }

        private static boolean passes(Check check) {
            try {
                return check.passes().getAsBoolean();
            } catch (RuntimeException | Error e) {
                LOG.log(WARNING, () -> "check failed name=" + check.name(), e);
                return false;
            }
        }

        String text(boolean verbose) {
            if (passed && !verbose) {
                return "ok";
            }
            return String.join("\n", lines)
                    + "\n"
                    + path
                    + (passed ? " check passed\n" : " check failed\n");
        }
    }

    /** Returns where it listens; if port 0 was asked for, this has the real one. */
    public InetSocketAddress address() {
        return listener.address();
    }

    @Override
    public void close() {
        listener.close();
    }
}
