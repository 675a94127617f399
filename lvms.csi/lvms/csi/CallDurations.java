package lvms.csi;

import io.grpc.MethodDescriptor;
import io.grpc.Status;

import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How long the calls of one driver took, by method and code, with the names, labels and buckets of
 * the CSI sidecars. Any thread may use it.
 */
public final class CallDurations {
    private static final double[] SECONDS = {.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};
    private static final String[] LABELS = {"driver_name", "method_name", "grpc_status_code"};

    private final String driver;
    private final Family<Histogram> seconds;

    private CallDurations(String driver, Family<Histogram> seconds) {
        this.driver = driver;
        this.seconds = seconds;
    }

    /** Returns the durations of the calls that a driver answers on a socket. */
    static CallDurations ofPlugin(String driver, MetricsRegistry metrics) {
        return new CallDurations(
                driver,
                metrics.histogram(
                        "csi_plugin_operations_seconds",
                        "Duration of calls of the CSI services.",
                        SECONDS,
                        LABELS));
    }

    /** Returns the durations of the calls that a sidecar of the driver makes. */
    public static CallDurations ofSidecar(String driver, MetricsRegistry metrics) {
        return new CallDurations(
                driver,
                metrics.histogram(
                        "csi_sidecar_operations_seconds",
                        "Duration of what a CSI sidecar would call, from its first step to its"
                                + " end.",
                        SECONDS,
                        LABELS));
    }

    /**
     * Counts a call that has just ended.
     *
     * @param startNanos when it began, on the clock of {@link System#nanoTime}
     */
    public void observe(MethodDescriptor<?, ?> method, Status.Code code, long startNanos) {
        seconds.with(driver, "/" + method.getFullMethodName(), name(code)).observeSince(startNanos);
    }

    /** Returns the code as Go's gRPC writes it, and so every dashboard: {@code NotFound}. */
    static String name(Status.Code code) {
        return switch (code) {
            case OK -> "OK";
            case CANCELLED -> "Canceled";
            default ->
                    Arrays.stream(code.name().split("_"))
                            .map(
                                    word ->
                                            word.charAt(0)
                                                    + word.substring(1).toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining());
        };
    }
}
