package lvms.operator.takeover;

import lvms.api.Names;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.operator.uninstall.Item;

import java.util.Optional;

/**
 * The labels by which an operator knows that a CSIDriver belongs to its cluster. LVMS up to about
 * 4.13 made it without, and so does NativeStor.
 *
 * @param cluster whose it is
 */
record DriverLabels(KubeObject cluster) {
    /** Returns what takes them off a driver again. */
    static MergePatch withoutThem(KubeObject driver) {
        var patch = MergePatch.of(driver);
        for (var label : driver.labels().keySet()) {
            if (label.startsWith(Names.OWNED_BY_PREFIX)) {
                patch = patch.without("metadata", "labels", label);
            }
        }
        return patch;
    }

    /** Returns what sets them, empty if they are there. */
    Optional<Step> missing(Item driver) {
        var labels = Names.ownedBy(cluster);
        if (driver.object().labels().entrySet().containsAll(labels.entrySet())) {
            return Optional.empty();
        }
        return Optional.of(
                new Step.Change(
                        "label %s as the one of %s %s"
                                .formatted(driver.text(), cluster.kind(), cluster.name()),
                        driver,
                        now -> {
                            var patch = MergePatch.of(now);
                            for (var label : labels.entrySet()) {
                                patch = patch.label(label.getKey(), label.getValue());
                            }
                            return patch;
                        }));
    }
}
