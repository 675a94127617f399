package lvms.operator.resize;

import lvms.k8s.object.KubeObject;

/**
 * A claim as a change of its VolumeAttributesClass sees it. Source: KEP-3751.
 *
 * @param object the claim
 */
record ModifyClaim(KubeObject object) {
    static final String PENDING = "Pending";
    static final String IN_PROGRESS = "InProgress";
    static final String INFEASIBLE = "Infeasible";

    /** What there is to do. */
    sealed interface Step {
        /** Its volume has what it asks for, or it asks for nothing. */
        record Converged() implements Step {}

        /** It no longer asks for what could not be given. */
        record Cancel() implements Step {}

        /**
         * Give its volume the attributes of a class.
         *
         * @param className name of the VolumeAttributesClass
         * @param marked whether the claim's status says so already
         */
        record Modify(String className, boolean marked) implements Step {}
    }

    private String wish() {
        return object.text("spec", "volumeAttributesClassName").orElse("");
    }

    String current() {
        return object.text("status", "currentVolumeAttributesClassName").orElse("");
    }

    String target() {
        return object.text("status", "modifyVolumeStatus", "targetVolumeAttributesClassName")
                .orElse("");
    }

    String progress() {
        return object.text("status", "modifyVolumeStatus", "status").orElse("");
    }

    /** Returns whether anything here is about a class, now or before. */
    boolean concerned() {
        return !wish().isEmpty() || !progress().isEmpty();
    }

    Step step() {
        boolean bound = object.text("status", "phase").orElse("").equals("Bound");
        if (!bound || object.terminating() || !concerned()) {
            return new Step.Converged();
        }
        if (wish().isEmpty()) { // what was begun may be done already: it is brought to an end
            return progress().equals(IN_PROGRESS)
                    ? new Step.Modify(target(), true)
                    : new Step.Cancel();
        }
        if (wish().equals(current()) && progress().isEmpty()) {
            return new Step.Converged();
        }
        boolean marked = progress().equals(IN_PROGRESS) && target().equals(wish());
        return new Step.Modify(wish(), marked);
    }
}
