package lvms.api;

import com.google.gson.JsonObject;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What the StorageClass of a device class has besides our own settings.
 *
 * @param reclaimPolicy reclaim policy of its volumes
 * @param bindingMode when claims are bound
 * @param additionalParameters further parameters
 * @param additionalLabels further labels
 */
public record StorageClassOptions(
        ReclaimPolicy reclaimPolicy,
        BindingMode bindingMode,
        Map<String, String> additionalParameters,
        Map<String, String> additionalLabels) {
    /** What a device class without options gets. */
    public static final StorageClassOptions DEFAULT =
            new StorageClassOptions(
                    ReclaimPolicy.DELETE, BindingMode.WAIT_FOR_FIRST_CONSUMER, Map.of(), Map.of());

    /** Copies the maps and keeps their order. */
    public StorageClassOptions {
        Objects.requireNonNull(reclaimPolicy, "reclaimPolicy");
        Objects.requireNonNull(bindingMode, "bindingMode");
        additionalParameters =
                Collections.unmodifiableMap(new LinkedHashMap<>(additionalParameters));
        additionalLabels = Collections.unmodifiableMap(new LinkedHashMap<>(additionalLabels));
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if a policy or mode is unknown
     */
    public static StorageClassOptions of(JsonObject tree) {
        var reclaim = Fields.text(tree, "reclaimPolicy");
        var binding = Fields.text(tree, "volumeBindingMode");
        return new StorageClassOptions(
                reclaim.isEmpty() ? ReclaimPolicy.DELETE : ReclaimPolicy.of(reclaim),
                binding.isEmpty() ? BindingMode.WAIT_FOR_FIRST_CONSUMER : BindingMode.of(binding),
                Fields.textMap(tree, "additionalParameters"),
                Fields.textMap(tree, "additionalLabels"));
    }

    /** Returns the JSON form. */
    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("reclaimPolicy", reclaimPolicy.text());
        tree.addProperty("volumeBindingMode", bindingMode.text());
        if (!additionalParameters.isEmpty()) {
            tree.add("additionalParameters", Fields.object(additionalParameters));
        }
        if (!additionalLabels.isEmpty()) {
            tree.add("additionalLabels", Fields.object(additionalLabels));
        }
        return tree;
    }
}
