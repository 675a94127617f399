package lvms.k8s.object;

import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of {@code status.conditions}.
 *
 * @param type what is judged, in CamelCase
 * @param status the judgement
 * @param reason one CamelCase word for programs
 * @param message a sentence for people
 * @param observedGeneration the generation of the spec that was judged, 0 if unknown
 * @param lastTransitionTime when {@code status} last changed; {@link Instant#EPOCH} if unknown
 */
public record Condition(
        String type,
        Status status,
        String reason,
        String message,
        long observedGeneration,
        Instant lastTransitionTime) {
    /** The three values a condition can have. */
    public enum Status {
        TRUE("True"),
        /** It does not hold. */
        FALSE("False"),
        /** It is not known whether it holds. */
        UNKNOWN("Unknown");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        /** Returns the wire text. */
        public String text() {
            return text;
        }

        /** Reads the wire text; anything unknown is {@link #UNKNOWN}. */
        public static Status of(String text) {
            return switch (text) {
                case "True" -> TRUE;
                case "False" -> FALSE;
                default -> UNKNOWN;
            };
        }

        /** Returns {@link #TRUE} or {@link #FALSE}. */
        public static Status of(boolean holds) {
            return holds ? TRUE : FALSE;
        }
    }

    /** Returns whether the condition is {@code True}. */
    public boolean holds() {
        return status == Status.TRUE;
    }

    /** Reads the wire form. */
    public static Condition of(ObjectTree tree) {
        return new Condition(
                tree.text("type").orElse(""),
                Status.of(tree.text("status").orElse("")),
                tree.text("reason").orElse(""),
                tree.text("message").orElse(""),
                tree.number("observedGeneration").orElse(0),
                tree.text("lastTransitionTime").flatMap(Times::read).orElse(Instant.EPOCH));
    }

    /** Reads a list; elements that are not conditions are left out. */
    public static List<Condition> listOf(Iterable<? extends Tree> array) {
        var conditions = new ArrayList<Condition>();
        for (var element : array) {
            if (element instanceof ObjectTree object && object.has("type")) {
                conditions.add(of(object));
            }
        }
        return List.copyOf(conditions);
    }

    /** Returns the wire form. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("type", type);
        tree.put("status", status.text());
        if (observedGeneration > 0) {
            tree.put("observedGeneration", observedGeneration);
        }
        tree.put("lastTransitionTime", Times.seconds(lastTransitionTime));
        tree.put("reason", reason);
        tree.put("message", message);
        return tree.build();
    }

    /**
     * Returns {@code present} with {@code update} in place of the condition of its type, or
     * appended.
     *
     * <p>The transition time of {@code update} counts only if the status differs; otherwise the
     * present one stays, so that writing the same judgement twice changes nothing.
     */
    public static List<Condition> merge(List<Condition> present, Condition update) {
        var merged = new ArrayList<>(present);
        for (int i = 0; i < merged.size(); i++) {
            if (merged.get(i).type.equals(update.type)) {
                merged.set(i, update.after(merged.get(i)));
                return List.copyOf(merged);
            }
        }
        merged.add(update);
        return List.copyOf(merged);
    }

    /** Returns this condition with the transition time it gets when it replaces a former one. */
    public Condition after(Condition former) {
        return status == former.status
                ? new Condition(
                        type,
                        status,
                        reason,
                        message,
                        observedGeneration,
                        former.lastTransitionTime)
                : this;
    }
}
