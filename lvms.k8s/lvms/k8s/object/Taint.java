package lvms.k8s.object;

import com.google.gson.JsonObject;

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
    public static Taint of(JsonObject tree) {
        return new Taint(
                Json.text(tree.get("key")).orElse(""),
                Json.text(tree.get("value")).orElse(""),
                Json.text(tree.get("effect")).orElse(""));
    }

    public static List<Taint> of(KubeObject node) {
        var taints = new ArrayList<Taint>();
        for (var taint : node.objects("spec", "taints")) {
            taints.add(of(taint));
        }
        return List.copyOf(taints);
    }

    /** Returns whether it keeps pods off that do not tolerate it. */
    public boolean repels() {
        return !effect.equals("PreferNoSchedule");
    }
}
