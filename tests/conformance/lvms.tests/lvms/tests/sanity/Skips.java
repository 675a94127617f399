package lvms.tests.sanity;

import lvms.tests.cluster.ginkgo.Case;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The cases that may be skipped, each with the capability that the driver would have to declare. A
 * case that is skipped for another reason, or although the capability is declared, is a failure.
 */
final class Skips {
    private record Rule(Pattern cases, String capability, String why) {
        Rule(String cases, String capability, String why) {
            this(Pattern.compile(cases), capability, why);
        }
    }

    private static final String LOCAL = "a local volume is attached to its node for good";
    private static final String NO_STAGING =
            "a staging mount saves nothing with a local device, and volumes of TopoLVM have none";
    private static final String HEALTH =
            "of CSI 1.13, which nobody calls yet; VOLUME_CONDITION tells the same";

    private static final List<Rule> RULES =
            List.of(
                    new Rule(
                            "ControllerPublishVolume|ControllerUnpublishVolume|volume lifecycle",
                            "controller PUBLISH_UNPUBLISH_VOLUME",
                            LOCAL),
                    new Rule(
                            "snapshot with accessibility requirements",
                            "plugin SNAPSHOT_ACCESSIBILITY_CONSTRAINTS",
                            "alpha of CSI 1.13; a snapshot is where its source is"),
                    new Rule(
                            "NodeStageVolume|NodeUnstageVolume",
                            "node STAGE_UNSTAGE_VOLUME",
                            NO_STAGING),
                    new Rule("ControllerGetVolumeHealth", "controller GET_VOLUME_HEALTH", HEALTH),
                    new Rule("ControllerListVolumeHealth", "controller LIST_VOLUME_HEALTH", HEALTH),
                    new Rule("NodeGetVolumeHealth", "node GET_VOLUME_HEALTH", HEALTH),
                    new Rule("NodeGetStorageHealth", "node GET_STORAGE_HEALTH", HEALTH));

    /**
     * The cases that make a snapshot or a clone, left out of a run with a thick class by the
     * suite's own filter, whose text of a case has no slashes. The refusals among them are run.
     */
    static final String COPIES =
            "CreateSnapshot .*(should succeed|different source)"
                    + "|DeleteSnapshot .*appropriate values"
                    + "|ListSnapshots .*(that match|presence of new|next token)"
                    + "|GetSnapshot .*that match"
                    + "|from an existing source";

    private static final String THIN_ONLY = "snapshots and clones are of thin volumes alone";

    private final Declared declared;
    private final boolean thin;

    Skips(Declared declared, boolean thin) {
        this.declared = declared;
        this.thin = thin;
    }

    /** Returns why a case may be skipped; empty if it must not be. */
    Optional<String> reason(Case skipped) {
        if (skipped.state() == Case.State.PENDING) {
            return Optional.of("switched off by the suite itself");
        }
        if (!thin && Pattern.compile(COPIES).matcher(skipped.name()).find()) {
            return Optional.of(THIN_ONLY);
        }
        return RULES.stream()
                .filter(rule -> rule.cases().matcher(skipped.name()).find())
                .filter(rule -> !declared.has(rule.capability()))
                .findFirst()
                .map(rule -> "not declared: " + rule.capability() + ": " + rule.why());
    }
}
