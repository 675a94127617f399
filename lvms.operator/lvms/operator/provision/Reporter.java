package lvms.operator.provision;

import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Histogram;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.operator.claim.Claim;
import lvms.operator.event.EventReason;

import java.util.Optional;

/** Tells people (events) and programs (metrics) how provisioning goes. */
final class Reporter {
    private static final double[] SECONDS = {.1, .25, .5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600};

    private final EventRecorder events;
    private final Family<Counter> provisioned;
    private final Family<Counter> provisionFailed;
    private final Family<Histogram> provisionSeconds;
    private final Family<Counter> deleted;
    private final Family<Counter> deleteFailed;
    private final Family<Histogram> deleteSeconds;

    Reporter(EventRecorder events, MetricsRegistry metrics) {
        this.events = events;
        this.provisioned =
                metrics.counter(
                        "controller_persistentvolumeclaim_provision_total",
                        "Claims for which a volume was made.",
                        "class",
                        "source");
        this.provisionFailed =
                metrics.counter(
                        "controller_persistentvolumeclaim_provision_failed_total",
                        "Failed tries to make a volume for a claim.",
                        "class",
                        "source");
        this.provisionSeconds =
                metrics.histogram(
                        "controller_persistentvolumeclaim_provision_duration_seconds",
                        "Time from the start of a try to the volume.",
                        SECONDS,
                        "class",
                        "source");
        this.deleted =
                metrics.counter(
                        "controller_persistentvolume_delete_total",
                        "Volumes that were deleted.",
                        "class");
        this.deleteFailed =
                metrics.counter(
                        "controller_persistentvolume_delete_failed_total",
                        "Failed tries to delete a volume.",
                        "class");
        this.deleteSeconds =
                metrics.histogram(
                        "controller_persistentvolume_delete_duration_seconds",
                        "Time from the first try to delete a volume to its end.",
                        SECONDS,
                        "class");
    }

    void started(Claim claim) {
        events.record(
                claim.object(),
                EventReason.PROVISIONING,
                "External provisioner is provisioning volume for claim \"" + claim.key() + "\"");
    }

    void succeeded(Claim claim, Optional<Double> seconds) {
        events.record(
                claim.object(),
                EventReason.PROVISIONED,
                "Successfully provisioned volume " + claim.targetVolume());
        provisioned.with(claim.className(), source(claim)).increment();
        seconds.ifPresent(s -> provisionSeconds.with(claim.className(), source(claim)).observe(s));
    }

    void failed(Claim claim, String text) {
        events.record(
                claim.object(),
                EventReason.PROVISIONING_FAILED,
                "failed to provision volume with StorageClass \""
                        + claim.className()
                        + "\": "
                        + text);
        provisionFailed.with(claim.className(), source(claim)).increment();
    }

    void populated(Claim claim, String kind) {
        events.record(
                claim.object(),
                EventReason.PROVISIONING,
                "Assuming an external populator will provision the volume, since the data source"
                        + " is of kind "
                        + kind);
    }

    void deleted(KubeObject volume, double seconds) {
        var storageClass = volume.text("spec", "storageClassName").orElse("");
        deleted.with(storageClass).increment();
        deleteSeconds.with(storageClass).observe(seconds);
    }

    void deleteFailed(KubeObject volume, String text) {
        events.record(volume, EventReason.DELETE_FAILED, text);
        deleteFailed.with(volume.text("spec", "storageClassName").orElse("")).increment();
    }

    private static String source(Claim claim) {
        return claim.dataSource().map(Claim.DataSource::kind).orElse("");
    }
}
