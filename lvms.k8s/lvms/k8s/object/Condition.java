package lvms.k8s.object;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

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
        /** Nobody can say. */
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
    public static Condition of(JsonObject tree) {
        return new Condition(
                Json.text(tree.get("type")).orElse(""),
                Status.of(Json.text(tree.get("status")).orElse("")),
                Json.text(tree.get("reason")).orElse(""),
                Json.text(tree.get("message")).orElse(""),
                Json.number(tree.get("observedGeneration")).orElse(0),
                Json.text(tree.get("lastTransitionTime"))
                        .flatMap(Times::read)
                        .orElse(Instant.EPOCH));
    }

    /** Reads a list; elements that are not conditions are left out. */
    public static List<Condition> listOf(Iterable<? extends JsonElement> array) {
        var conditions = new ArrayList<Condition>();
        for (var element : array) {
            if (element instanceof JsonObject object && object.has("type")) {
                conditions.add(of(object));
            }
        }
        return List.copyOf(conditions);
    }

    /** Returns the wire form. */
    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("type", type);
        tree.addProperty("status", status.text());
        if (observedGeneration > 0) {
            tree.addProperty("observedGeneration", observedGeneration);
        }
        tree.addProperty("lastTransitionTime", Times.seconds(lastTransitionTime));
        tree.addProperty("reason", reason);
        tree.addProperty("message", message);
        return tree;
    }

    /**
     * Returns {@code present} with {@code update} in the place of its namesake, or at the end.
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

    /** Returns this condition with the transition time it has as the successor of a former one. */
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
