package lvms.k8s.testkit.patch;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** JSON merge patch (RFC 7386). */
public final class MergePatch {
    private MergePatch() {}

    /** The target with the patch applied; neither is changed. */
    public static JsonElement apply(JsonElement target, JsonElement patch) {
        if (!(patch instanceof JsonObject changes)) {
            return patch.deepCopy();
        }
        var result = target instanceof JsonObject object ? object.deepCopy() : new JsonObject();
        changes.entrySet()
                .forEach(
                        entry -> {
                            if (entry.getValue().isJsonNull()) {
                                result.remove(entry.getKey());
                            } else {
                                result.add(
                                        entry.getKey(),
                                        apply(result.get(entry.getKey()), entry.getValue()));
                            }
                        });
        return result;
    }
}
