package lvms.operator.cluster;

import lvms.api.Names;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * Why a condition of an LVMCluster holds or not. Alerts look for the texts. Each reason leads to a
 * state, and the worst state is {@code status.state}.
 */
public enum ConditionReason {
    AVAILABLE(
            Names.CONDITION_RESOURCES,
            true,
            "ResourcesAvailable",
            State.READY,
            "Everything that the spec asks for exists."),
    INCOMPLETE(
            Names.CONDITION_RESOURCES,
            false,
            "ResourcesSyncIncomplete",
            State.PROGRESSING,
            "Something is missing or not ready yet; the message lists it."),
    RECONCILING(
            Names.CONDITION_RESOURCES,
            false,
            "ReconciliationInProgress",
            State.PROGRESSING,
            "The LVMCluster is being deleted; the message says what it waits for."),
    REJECTED(
            Names.CONDITION_RESOURCES,
            false,
            "SpecRejected",
            State.FAILED,
            "The spec breaks a rule. What was accepted before stays in force."),
    CONFLICT(
            Names.CONDITION_RESOURCES,
            false,
            "DriverConflict",
            State.FAILED,
            "Another installation serves this CSI driver."),
    GROUPS_READY(
            Names.CONDITION_VOLUME_GROUPS,
            true,
            "VGsReady",
            State.READY,
            "Every volume group is ready on every node of its class."),
    GROUPS_UNMANAGED(
            Names.CONDITION_VOLUME_GROUPS,
            true,
            "VGsUnmanaged",
            State.READY,
            "The spec names no device class."),
    GROUPS_IN_PROGRESS(
            Names.CONDITION_VOLUME_GROUPS,
            false,
            "VGReadinessInProgress",
            State.PROGRESSING,
            "A node has not reported yet, or is still at work, or no node matches a class."),
    GROUPS_DEGRADED(
            Names.CONDITION_VOLUME_GROUPS,
            false,
            "VGsDegraded",
            State.DEGRADED,
            "A volume group works, but not as it should: a RAID device is lost, for example."),
    GROUPS_FAILED(
            Names.CONDITION_VOLUME_GROUPS,
            false,
            "VGsFailed",
            State.FAILED,
            "A volume group failed on at least one node.");

    /** One word for a whole cluster, from good to bad. */
    public enum State {
        UNKNOWN("Unknown"),
        READY("Ready"),
        PROGRESSING("Progressing"),
        DEGRADED("Degraded"),
        FAILED("Failed");

        private final String text;

        State(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    // The schema allows 32 KiB; nobody reads more than this, and each node may add its part.
    private static final int MAX_MESSAGE = 4096;

    private final String type;
    private final boolean holds;
    private final String text;
    private final State state;
    private final String meaning;

    ConditionReason(String type, boolean holds, String text, State state, String meaning) {
        this.type = type;
        this.holds = holds;
        this.text = text;
        this.state = state;
        this.meaning = meaning;
    }

    /** Finds the reason with this text; an older or newer operator may have written another. */
    public static Optional<ConditionReason> of(String text) {
        return Arrays.stream(values()).filter(reason -> reason.text.equals(text)).findFirst();
    }

    /** Returns a condition of the cluster's generation that began now. */
    public Condition condition(KubeObject cluster, String message, Instant now) {
        return new Condition(
                type,
                Condition.Status.of(holds),
                text,
                message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE),
                cluster.generation(),
                now);
    }

    public String type() {
        return type;
    }

    public boolean holds() {
        return holds;
    }

    public String text() {
        return text;
    }

    State state() {
        return state;
    }

    /** A sentence for the reference. */
    String meaning() {
        return meaning;
    }
}
