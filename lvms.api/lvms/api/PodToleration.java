package lvms.api;

import com.google.gson.JsonObject;

import lvms.k8s.object.Json;
import lvms.k8s.object.Taint;

import java.util.Optional;

/**
 * A core/v1 Toleration with every field, also for numeric operators.
 *
 * @param key taint key, empty with operator Exists for every taint
 * @param operator Equal, Exists, Lt or Gt; empty means Equal
 * @param value operand
 * @param effect taint effect, empty for all
 * @param seconds how long a NoExecute taint is tolerated, absent for ever
 */
public record PodToleration(
        String key, String operator, String value, String effect, Optional<Long> seconds) {
    private static final String SECONDS = "tolerationSeconds";

    /** Returns a toleration of a taint with this key and effect, whatever its value. */
    public static PodToleration exists(String key, String effect) {
        return new PodToleration(key, "Exists", "", effect, Optional.empty());
    }

    /** Reads the JSON form. */
    public static PodToleration of(JsonObject tree) {
        var seconds = Json.number(tree.get(SECONDS));
        return new PodToleration(
                Fields.text(tree, "key"),
                Fields.text(tree, "operator"),
                Fields.text(tree, "value"),
                Fields.text(tree, "effect"),
                seconds.isPresent() ? Optional.of(seconds.getAsLong()) : Optional.empty());
    }

    /** Returns the JSON form; empty fields are left out. */
    public JsonObject json() {
        var tree = new JsonObject();
        Fields.addText(tree, "key", key);
        Fields.addText(tree, "operator", operator);
        Fields.addText(tree, "value", value);
        Fields.addText(tree, "effect", effect);
        seconds.ifPresent(count -> tree.addProperty(SECONDS, count));
        return tree;
    }

    /** Returns whether a pod with this toleration may run in spite of the taint. */
    public boolean tolerates(Taint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())) {
            return false;
        }
        if (key.isEmpty()) {
            return operator.equals("Exists");
        }
        return key.equals(taint.key()) && valueFits(taint.value());
    }

    private boolean valueFits(String taintValue) {
        return switch (operator) {
            case "", "Equal" -> value.equals(taintValue);
            case "Exists" -> true;
            case "Lt" -> compare(taintValue) < 0;
            case "Gt" -> compare(taintValue) > 0;
            default -> false;
        };
    }

    // As the scheduler: a value that is no integer fits neither Lt nor Gt.
    private int compare(String taintValue) {
        try {
            return Long.compare(Long.parseLong(taintValue), Long.parseLong(value));
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
