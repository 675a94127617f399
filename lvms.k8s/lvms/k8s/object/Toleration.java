package lvms.k8s.object;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A toleration of a pod.
 *
 * @param key taint key, empty (with {@code exists}) for all
 * @param exists whether the value does not matter
 * @param value the value the taint must have, unless {@code exists}
 * @param effect the effect the taint must have, empty for all
 */
public record Toleration(String key, boolean exists, String value, String effect) {
    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if the operator is neither {@code Exists} nor {@code Equal}
     */
    public static Toleration of(JsonObject tree) {
        var operator = Json.text(tree.get("operator")).orElse("");
        boolean exists =
                switch (operator) {
                    case "Exists" -> true;
                    case "", "Equal" -> false;
                    default -> throw new IllegalArgumentException("unknown operator: " + operator);
                };
        return new Toleration(
                Json.text(tree.get("key")).orElse(""),
                exists,
                Json.text(tree.get("value")).orElse(""),
                Json.text(tree.get("effect")).orElse(""));
    }

    /** Reads a list; null and absent are the empty list. */
    public static List<Toleration> listOf(JsonElement list) {
        var tolerations = new ArrayList<Toleration>();
        if (list instanceof JsonArray array) {
            for (var element : array) {
                tolerations.add(of(element.getAsJsonObject()));
            }
        }
        return List.copyOf(tolerations);
    }

    /** Returns whether this toleration covers the taint. */
    public boolean tolerates(Taint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())) {
            return false;
        }
        if (key.isEmpty()) {
            return exists;
        }
        return key.equals(taint.key()) && (exists || value.equals(taint.value()));
    }

    /** Returns whether every taint that repels is covered by one of the tolerations. */
    public static boolean allTolerated(
            Collection<Taint> taints, Collection<Toleration> tolerations) {
        for (var taint : taints) {
            if (taint.repels() && !anyTolerates(tolerations, taint)) {
                return false;
            }
        }
        return true;
    }

    private static boolean anyTolerates(Collection<Toleration> tolerations, Taint taint) {
        for (var toleration : tolerations) {
            if (toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the JSON form. */
    public JsonObject json() {
        var tree = new JsonObject();
        if (!key.isEmpty()) {
            tree.addProperty("key", key);
        }
        tree.addProperty("operator", exists ? "Exists" : "Equal");
        if (!exists && !value.isEmpty()) {
            tree.addProperty("value", value);
        }
        if (!effect.isEmpty()) {
            tree.addProperty("effect", effect);
        }
        return tree;
    }
}
