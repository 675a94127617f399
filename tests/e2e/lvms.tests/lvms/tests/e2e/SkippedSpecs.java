package lvms.tests.e2e;

import lvms.tests.cluster.ginkgo.Case;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The skips that are right, each with its reason; another one is a failure. */
final class SkippedSpecs {
    /** What the suite says, which names no reason of ours, and ours; of some specs, or of all. */
    private record Rule(String spec, Pattern message, String why) {
        Rule(String spec, String message, String why) {
            this(spec, Pattern.compile(message), why);
        }

        Rule(String message, String why) {
            this("", message, why);
        }

        boolean isOf(Case skipped) {
            return skipped.name().contains(spec) && message.matcher(skipped.message()).find();
        }
    }

    /**
     * Specs that begin with programs whose images nobody has here: the populator of volumes and its
     * validator, which are no part of Kubernetes.
     */
    static final String LEFT_OUT = "any.volume.data.source";

    private static final String NO_VARIANT = "the suite has no such variant";

    private static final List<Rule> RULES =
            List.of(
                    new Rule("ntfs", "nodes with Windows"),
                    new Rule("support ext3", "the driver makes ext4, xfs and btrfs"),
                    new Rule(
                            "volume type \"CSIInlineVolume\"",
                            "a volume in a pod's own spec: each of ours belongs to a claim"),
                    new Rule(
                            "volume type \"(InlineVolume|PreprovisionedPV)\"",
                            "volumes made in advance, for drivers that are part of the suite"),
                    new Rule(
                            "No SSH Key",
                            "ends kubelet over SSH; ServerOutageTests and PowerCutTests go"
                                    + " further"),
                    new Rule(
                            "does not support group snapshots|volume group snapshot stress test",
                            "snapshots of groups have a definition of one node; see also"
                                    + " SameInstantTests"),
                    new Rule(
                            "specify volume modify stress test options",
                            "modifies claims before a pod uses them: a definition of its own whose"
                                    + " class binds at once"),
                    new Rule(
                            "does not support SELinuxMount",
                            "the nodes of this cluster have SELinux off; SelinuxNodeTests shows"
                                    + " it"),
                    new Rule("snapshot metadata", "not declared: what changed between snapshots"),
                    new Rule("volume limits", "a node has no limit of volumes"),
                    new Rule(
                            "specify performance test options",
                            "the spec is for classes that bind at once; ./build.sh bench measures"),
                    new Rule("singleNodeVolume|RWX|ROX", "a local volume is on one node"),
                    new Rule("(?i)topology segments|immediate is not", "two nodes, local volumes"),
                    new Rule(
                            "(?i)block volume|raw block|block (mode|case)|mount options",
                            "the spec is for the other volumeMode"),
                    new Rule("is (not )?ephemeral", "the spec is for the other kind of volume"),
                    // With snapshots, too: it asks for a kind that no volumes of these specs have.
                    new Rule(
                            "should concurrently access the volume and restored snapshot from pods"
                                    + " on the same node",
                            "does not support snapshots",
                            NO_VARIANT),
                    new Rule(
                            "Suite .* does not support|skipping .* pattern|for expansion",
                            NO_VARIANT));

    private SkippedSpecs() {}

    /** Returns why a spec was skipped; empty if that is not right. */
    static Optional<String> reason(Case skipped) {
        return RULES.stream().filter(rule -> rule.isOf(skipped)).findFirst().map(Rule::why);
    }
}
