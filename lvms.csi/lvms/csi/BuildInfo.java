package lvms.csi;

import lvms.k8s.metrics.MetricsRegistry;

/** Which build a process is, among its metrics. */
public final class BuildInfo {
    private BuildInfo() {}

    /** Shows the version of the process. */
    public static void show(MetricsRegistry metrics, String version) {
        metrics.gauge("lvms_build_info", "Which build of lvms this is; always 1.", "version")
                .with(version)
                .set(1);
    }
}
