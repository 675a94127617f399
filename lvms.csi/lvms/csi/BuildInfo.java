package lvms.csi;

import lvms.k8s.metrics.MetricsRegistry;

import java.util.Objects;

/**
 * Which build a process is.
 *
 * @param version of the product
 * @param commit its sources, as git names them; {@code unknown} outside of an image
 */
public record BuildInfo(String version, String commit) {
    /** System property that the launchers of the image set. */
    private static final String COMMIT = "lvms.commit";

    private static final String UNKNOWN = "unknown";

    public BuildInfo {
        Objects.requireNonNull(version);
        Objects.requireNonNull(commit);
    }

    /** Returns the build of this process. */
    public static BuildInfo of(String version) {
        return new BuildInfo(version, System.getProperty(COMMIT, UNKNOWN));
    }

    /** Shows it among the metrics. */
    public void show(MetricsRegistry metrics) {
        metrics.gauge(
                        "lvms_build_info",
                        "Which build of lvms this is; always 1.",
                        "version",
                        "commit")
                .with(version, commit)
                .set(1);
    }

    /** Returns both as a semantic version, such as {@code 1.2.0+4f0c...}. */
    public String text() {
        return commit.equals(UNKNOWN) ? version : version + "+" + commit;
    }
}
