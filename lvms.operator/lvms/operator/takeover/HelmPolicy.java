package lvms.operator.takeover;

import lvms.k8s.client.MergePatch;
import lvms.operator.uninstall.Item;

import java.util.Optional;

/**
 * Helm deletes what a release no longer renders, unless the object in the cluster says otherwise.
 * An uninstallation goes by the release's text, so that the object's own mark does not help then.
 */
final class HelmPolicy {
    private static final String POLICY = "helm.sh/resource-policy";
    private static final String KEEP = "keep";

    private HelmPolicy() {}

    static boolean keeps(Item item) {
        return item.object().annotation(POLICY).filter(KEEP::equals).isPresent();
    }

    /** Returns the step that keeps an object through upgrades; empty if it is kept already. */
    static Optional<Step> keep(Item item) {
        return keeps(item)
                ? Optional.empty()
                : Optional.of(
                        new Step.Change(
                                "tell Helm to keep "
                                        + item.text()
                                        + ", which an upgrade to a chart without it would delete",
                                item,
                                now -> MergePatch.of(now).annotation(POLICY, KEEP)));
    }
}
