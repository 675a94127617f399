package lvms.operator.takeover;

import lvms.k8s.client.MergePatch;
import lvms.operator.topolvm.HelmRelease;
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

    /**
     * Returns the step that lets the release of a workload have an object, which Helm refuses to
     * take over otherwise; empty if there is no release, or a release has it.
     */
    static Optional<Step> adopt(Item item, Item workload) {
        var release = HelmRelease.name(workload.object());
        if (release.isEmpty() || HelmRelease.name(item.object()).isPresent()) {
            return Optional.empty();
        }
        var namespace = workload.object().namespace();
        return Optional.of(
                new Step.Change(
                        "let Helm release " + release.get() + " have " + item.text(),
                        item,
                        now ->
                                MergePatch.of(now)
                                        .label("app.kubernetes.io/managed-by", "Helm")
                                        .annotation(HelmRelease.NAME, release.get())
                                        .annotation(HelmRelease.NAMESPACE, namespace)));
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
