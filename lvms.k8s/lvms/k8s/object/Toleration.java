package lvms.k8s.object;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A pod's toleration (core/v1) with every field; the numeric operators are those of Kubernetes
 * 1.35.
 *
 * @param key taint key, empty with operator Exists for every taint
 * @param operator Equal, Exists, Lt or Gt; empty means Equal
 * @param value operand
 * @param effect taint effect, empty for all
 * @param seconds how long a NoExecute taint is tolerated; absent means for ever
 */
public record Toleration(
        String key, String operator, String value, String effect, Optional<Long> seconds) {
    private static final String SECONDS = "tolerationSeconds";

    /** Returns a toleration of taints with this key and effect, whatever their value. */
    public static Toleration exists(String key, String effect) {
        return new Toleration(key, "Exists", "", effect, Optional.empty());
    }

    /** Reads the JSON form. */
    public static Toleration of(ObjectTree tree) {
        var seconds = tree.number(SECONDS);
        return new Toleration(
                tree.text("key").orElse(""),
                tree.text("operator").orElse(""),
                tree.text("value").orElse(""),
                tree.text("effect").orElse(""),
                seconds.isPresent() ? Optional.of(seconds.getAsLong()) : Optional.empty());
    }

    /** Returns the JSON form; empty fields are left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        addText(tree, "key", key);
        addText(tree, "operator", operator);
        addText(tree, "value", value);
        addText(tree, "effect", effect);
        seconds.ifPresent(count -> tree.put(SECONDS, count));
        return tree.build();
    }

    private static void addText(ObjectTree.Builder tree, String name, String value) {
        if (!value.isEmpty()) {
            tree.put(name, value);
        }
    }

    /** Reads a list; null and absent are the empty list. */
    public static List<Toleration> listOf(Tree list) {
        var tolerations = new ArrayList<Toleration>();
        if (list instanceof ListTree array) {
            for (var element : array) {
                tolerations.add(of(element.asObject()));
            }
        }
        return List.copyOf(tolerations);
    }

    /** Returns whether every taint that repels is covered by one of the tolerations. */
    public static boolean allTolerated(
            Collection<Taint> taints, Collection<Toleration> tolerations) {
        return taints.stream()
                .filter(Taint::repels)
                .allMatch(taint -> tolerations.stream().anyMatch(one -> one.tolerates(taint)));
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

    // As in the scheduler, a value that is not an integer fits neither Lt nor Gt.
    private int compare(String taintValue) {
        try {
            return Long.compare(Long.parseLong(taintValue), Long.parseLong(value));
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
