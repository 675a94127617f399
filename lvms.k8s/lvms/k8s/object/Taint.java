package lvms.k8s.object;

import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.List;

/**
 * A taint of a node.
 *
 * @param key taint key
 * @param value value, empty if it has none
 * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
 */
public record Taint(String key, String value, String effect) {
    /** Reads the JSON form. */
    public static Taint of(ObjectTree tree) {
        return new Taint(
                tree.text("key").orElse(""),
                tree.text("value").orElse(""),
                tree.text("effect").orElse(""));
    }

    public static List<Taint> of(KubeObject node) {
        var taints = new ArrayList<Taint>();
        for (var taint : node.objects("spec", "taints")) {
            taints.add(of(taint));
        }
        return List.copyOf(taints);
    }

    /** Returns whether it keeps off pods that do not tolerate it. */
    public boolean repels() {
        return !effect.equals("PreferNoSchedule");
    }
}
