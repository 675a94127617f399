package lvms.operator.resize;

import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.operator.informer.OperatorInformers;

import java.util.Optional;

/**
 * A bound claim as resizing sees it.
 *
 * @param object the claim
 */
record ResizeClaim(KubeObject object) {
    /** How far a resize is, as {@code status.allocatedResourceStatuses} says. */
    enum Stage {
        NONE(""),
        CONTROLLER_IN_PROGRESS("ControllerResizeInProgress"),
        CONTROLLER_INFEASIBLE("ControllerResizeInfeasible"),
        NODE_PENDING("NodeResizePending"),
        NODE_IN_PROGRESS("NodeResizeInProgress"),
        NODE_INFEASIBLE("NodeResizeInfeasible");

        private final String text;

        Stage(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static Stage of(String text) {
            for (var stage : values()) {
                if (stage.text.equals(text)) {
                    return stage;
                }
            }
            return NONE;
        }
    }

    /** What there is to do. */
    sealed interface Step {
        /** Nothing, or it is kubelet's turn. */
        record Converged() implements Step {}

        /**
         * Make the volume this big.
         *
         * @param bytes target
         * @param marked whether the claim's status says so already
         */
        record Grow(long bytes, boolean marked) implements Step {}

        /**
         * The volume is big enough, but the claim does not say yet what comes next.
         *
         * @param bytes size of the volume
         */
        record HandOver(long bytes) implements Step {}
    }

    /** Returns the PersistentVolume that it has; empty while none says so, too. */
    Optional<KubeObject> volume(OperatorInformers informers) {
        var name = object.text("spec", "volumeName").orElse("");
        return informers
                .persistentVolumes()
                .get(ObjectKey.cluster(name))
                .filter(v -> v.text("spec", "claimRef", "uid").orElse("").equals(object.uid()));
    }

    long requestedBytes() {
        return bytes(object, "spec", "resources", "requests", "storage").orElse(0L);
    }

    long capacityBytes() {
        return bytes(object, "status", "capacity", "storage").orElse(0L);
    }

    Optional<Long> allocatedBytes() {
        return bytes(object, "status", "allocatedResources", "storage");
    }

    /** Returns whether the user now asks for less than what was begun. */
    boolean wantsLessThanBegun() {
        return requestedBytes() < allocatedBytes().orElse(0L);
    }

    /** Servers before 1.32 drop the field; there only the conditions say how far it is. */
    Stage stage() {
        var told =
                Stage.of(object.text("status", "allocatedResourceStatuses", "storage").orElse(""));
        if (told != Stage.NONE) {
            return told;
        }
        if (holds(ResizeCondition.FILESYSTEM_PENDING)) {
            return Stage.NODE_PENDING;
        }
        return holds(ResizeCondition.RESIZING) ? Stage.CONTROLLER_IN_PROGRESS : Stage.NONE;
    }

    private boolean holds(ResizeCondition condition) {
        return object.condition(condition.type()).filter(Condition::holds).isPresent();
    }

    boolean block() {
        return object.text("spec", "volumeMode").orElse("").equals("Block");
    }

    /** Returns what to do, given the size that the PersistentVolume has. */
    Step step(long volumeBytes) {
        boolean bound = object.text("status", "phase").orElse("").equals("Bound");
        if (!bound || object.terminating() || requestedBytes() <= capacityBytes()) {
            return new Step.Converged();
        }
        long target = targetBytes();
        if (volumeBytes >= target) {
            return switch (stage()) {
                case NODE_PENDING, NODE_IN_PROGRESS, NODE_INFEASIBLE -> new Step.Converged();
                case NONE, CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE ->
                        new Step.HandOver(volumeBytes);
            };
        }
        boolean marked =
                stage() == Stage.CONTROLLER_IN_PROGRESS
                        && allocatedBytes().orElse(target) == target;
        return new Step.Grow(target, marked);
    }

    /** An attempt that may be under way goes first; a hopeless one gives way to a smaller one. */
    private long targetBytes() {
        boolean underWay = stage() == Stage.CONTROLLER_IN_PROGRESS && allocatedBytes().isPresent();
        return underWay ? allocatedBytes().get() : requestedBytes();
    }

    static Optional<Long> bytes(KubeObject object, String... path) {
        return object.value(path).map(Quantity::parse).map(Quantity::bytes);
    }
}
