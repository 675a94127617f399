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

    private final Declared declared;

    Skips(Declared declared) {
        this.declared = declared;
    }

    /** Returns why a case may be skipped; empty if it must not be. */
    Optional<String> reason(Case skipped) {
        if (skipped.state() == Case.State.PENDING) {
            return Optional.of("switched off by the suite itself");
        }
        return RULES.stream()
                .filter(rule -> rule.cases().matcher(skipped.name()).find())
                .filter(rule -> !declared.has(rule.capability()))
                .findFirst()
                .map(rule -> "not declared: " + rule.capability() + ": " + rule.why());
    }
}
