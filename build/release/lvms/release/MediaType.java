package lvms.release;

/** The media types of what a layout holds. */
final class MediaType {
    static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    static final String INDEX = "application/vnd.oci.image.index.v1+json";
    static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

    /** The config of an artifact that has none. */
    static final String EMPTY = "application/vnd.oci.empty.v1+json";

    static final String CYCLONEDX = "application/vnd.cyclonedx+json";
    static final String IN_TOTO = "application/vnd.in-toto+json";

    /** Those of a chart, which Helm documents. */
    static final String HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json";

    static final String HELM_CHART = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

    private MediaType() {}
}
