package lvms.api.attribute;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;

import java.util.Optional;

/**
 * How far a change of a volume's attributes is. It is kept in annotations of the LogicalVolume,
 * since the schema that we share with TopoLVM drops fields that it does not know: the operator
 * writes what is wanted, the node what LVM then shows and why it refused.
 *
 * @param wanted text of the {@link VolumeAttributes} that are asked for, empty for none
 * @param applied text of those that the volume has, as the node read them last
 * @param refusal why the node cannot apply what is wanted
 */
public record AttributeChange(String wanted, String applied, Optional<Refusal> refusal) {
    /**
     * Why something was refused.
     *
     * @param wanted text of the attributes that were asked for
     */
    public record Refusal(StatusCode code, String wanted, String message) {
        /** Returns the value of the annotation. */
        public String text() {
            return code + " " + wanted + " " + message;
        }

        private static Optional<Refusal> parse(String text) {
            var parts = text.split(" ", 3); // neither code nor attributes have spaces
            return parts.length == 3
                    ? Optional.of(new Refusal(StatusCode.named(parts[0]), parts[1], parts[2]))
                    : Optional.empty();
        }
    }

    /** Whose turn it is. */
    public enum State {
        /** Nothing is asked for, or the volume has it. */
        APPLIED,
        /** The node's. */
        PENDING,
        /** Nobody's, until something else is asked for, or the same once more. */
        REFUSED
    }

    /** Reads the annotations. */
    public static AttributeChange of(LogicalVolume volume) {
        var driver = volume.driver();
        var object = volume.object();
        return new AttributeChange(
                object.annotation(driver.attributesAnnotation()).orElse(""),
                object.annotation(driver.appliedAttributesAnnotation()).orElse(""),
                object.annotation(driver.refusedAttributesAnnotation()).flatMap(Refusal::parse));
    }

    public State state() {
        if (wanted.equals(applied)) {
            return State.APPLIED;
        }
        return refusal.filter(r -> r.wanted().equals(wanted)).isPresent()
                ? State.REFUSED
                : State.PENDING;
    }
}
