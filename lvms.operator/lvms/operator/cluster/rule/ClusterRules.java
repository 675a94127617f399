package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.LvmCluster;
import lvms.k8s.object.ObjectKey;

import java.util.List;

/**
 * The rules for an LVMCluster beyond its schema.
 *
 * <p>All rules are evaluated, so that a person can fix everything at once. What a rule needs to
 * know about the cluster comes as an argument; nothing here talks to a server.
 */
public final class ClusterRules {
    private ClusterRules() {}

    /**
     * What is around an object.
     *
     * @param operatorNamespace namespace the operator works in, empty if it does not know
     * @param others keys of the LVMClusters in that namespace other than the one in question
     */
    public record Surroundings(String operatorNamespace, List<ObjectKey> others) {
        public Surroundings {
            others = List.copyOf(others);
        }
    }

    /** Judges a new object. */
    public static Verdict create(LvmCluster cluster, Surroundings surroundings) {
        var findings = new Findings();
        placement(cluster, surroundings, findings);
        var classes = cluster.deviceClasses();
        always(classes, findings);
        classes.forEach(c -> ThinPoolRules.sizes(c, findings));
        classes.forEach(c -> DiscoveryRules.dynamicWithoutPaths(c, findings));
        classes.forEach(c -> StorageClassRules.check(c, findings));
        NameRules.cluster(cluster.name(), findings);
        classes.forEach(c -> NameRules.deviceClass(c.name(), findings));
        return findings.verdict();
    }

    /**
     * Judges what an object asks for now, wherever it is.
     *
     * @param accepted the classes that were accepted before; if empty, it is as good as new
     */
    public static Verdict now(LvmCluster cluster, List<DeviceClass> accepted) {
        return accepted.isEmpty()
                ? create(cluster, new Surroundings(cluster.namespace(), List.of()))
                : update(accepted, cluster.deviceClasses());
    }

    /** Judges only which namespace an object is in and which others there are. */
    public static Verdict placement(LvmCluster cluster, Surroundings surroundings) {
        var findings = new Findings();
        placement(cluster, surroundings, findings);
        return findings.verdict();
    }

    /**
     * Judges a change.
     *
     * @param old the classes that were accepted before
     * @param next the classes asked for now
     */
    public static Verdict update(List<DeviceClass> old, List<DeviceClass> next) {
        var findings = new Findings();
        always(next, findings);
        for (var deviceClass : next) {
            if (hasNewThinPool(deviceClass, old)) {
                ThinPoolRules.sizes(deviceClass, findings);
            }
        }
        var added = next.stream().filter(c -> find(old, c.name()) == null).toList();
        added.forEach(c -> DiscoveryRules.dynamicWithoutPaths(c, findings));
        next.forEach(c -> StorageClassRules.check(c, findings));
        added.forEach(c -> NameRules.deviceClass(c.name(), findings));
        UpdateRules.check(old, next, findings);
        return findings.verdict();
    }

    private static void placement(LvmCluster cluster, Surroundings around, Findings findings) {
        if (around.operatorNamespace().isEmpty()) {
            findings.error(
                    "the namespace of the LVMCluster cannot be verified: NAMESPACE is not set");
            return;
        }
        findings.errorIf(
                !cluster.namespace().equals(around.operatorNamespace()),
                "invalid namespace: an LVMCluster is only allowed in the namespace of the operator,"
                        + " "
                        + around.operatorNamespace());
        for (var other : around.others()) {
            findings.error(
                    "there is an LVMCluster already: "
                            + other
                            + "; duplicates are not allowed, use that one or remove it");
        }
    }

    private static void always(List<DeviceClass> classes, Findings findings) {
        classes.forEach(c -> ThinPoolRules.roomForMetadata(c, findings));
        defaults(classes, findings);
        classes.forEach(c -> RaidRules.check(c, findings));
        classes.forEach(c -> ErasureRules.check(c, findings));
        PathRules.selectors(classes, findings);
        PathRules.absolute(classes, findings);
        PathRules.unique(classes, findings);
        classes.forEach(c -> StorageClassRules.filesystem(c, findings));
    }

    private static void defaults(List<DeviceClass> classes, Findings findings) {
        long count = classes.stream().filter(DeviceClass::isDefault).count();
        findings.errorIf(
                count > 1,
                "only one device class may be the default, but " + count + " are marked so");
        findings.warningIf(
                count == 0,
                "no default device class: claims have to name their StorageClass, or another"
                        + " StorageClass has to be the default");
    }

    // The predecessors did not check the bounds on update. A pool that was accepted once and is not
    // changed stays acceptable; otherwise an object taken over could never be edited again.
    private static boolean hasNewThinPool(DeviceClass deviceClass, List<DeviceClass> old) {
        var before = find(old, deviceClass.name());
        return before == null || !before.group().thinPool().equals(deviceClass.group().thinPool());
    }

    static DeviceClass find(List<DeviceClass> classes, String name) {
        return classes.stream().filter(c -> c.name().equals(name)).findFirst().orElse(null);
    }
}
