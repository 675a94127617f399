package lvms.operator.takeover;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.MergePatch;
import lvms.operator.uninstall.Item;

import java.util.Optional;

/**
 * The labels by which an operator knows that a CSIDriver belongs to its LVMCluster. LVMS up to
 * about 4.13 made it without.
 *
 * @param cluster whose it is
 */
record DriverLabels(LvmCluster cluster) {
    /** Returns what sets them, empty if they are there. */
    Optional<Step> missing(Item driver) {
        var labels = Names.ownedBy(cluster);
        if (driver.object().labels().entrySet().containsAll(labels.entrySet())) {
            return Optional.empty();
        }
        return Optional.of(
                new Step.Change(
                        "label " + driver.text() + " as the one of LVMCluster " + cluster.name(),
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
