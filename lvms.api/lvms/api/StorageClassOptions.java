package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

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
    public static StorageClassOptions of(ObjectTree tree) {
        var reclaim = Fields.text(tree, "reclaimPolicy");
        var binding = Fields.text(tree, "volumeBindingMode");
        return new StorageClassOptions(
                reclaim.isEmpty() ? ReclaimPolicy.DELETE : ReclaimPolicy.of(reclaim),
                binding.isEmpty() ? BindingMode.WAIT_FOR_FIRST_CONSUMER : BindingMode.of(binding),
                tree.textMap("additionalParameters"),
                tree.textMap("additionalLabels"));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("reclaimPolicy", reclaimPolicy.text());
        tree.put("volumeBindingMode", bindingMode.text());
        if (!additionalParameters.isEmpty()) {
            tree.put("additionalParameters", ObjectTree.ofTexts(additionalParameters));
        }
        if (!additionalLabels.isEmpty()) {
            tree.put("additionalLabels", ObjectTree.ofTexts(additionalLabels));
        }
        return tree.build();
    }

    /** What becomes of a volume when its claim is deleted. */
    public enum ReclaimPolicy implements WireText {
        DELETE("Delete"),
        /** It is kept. */
        RETAIN("Retain");

        private final String text;

        ReclaimPolicy(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }

        /**
         * Returns the constant with this text.
         *
         * @throws IllegalArgumentException if no constant has this text
         */
        public static ReclaimPolicy of(String text) {
            return WireText.of(ReclaimPolicy.class, text);
        }
    }

    /** When a claim gets its volume. */
    public enum BindingMode implements WireText {
        /** When the scheduler has chosen a node for its first pod. */
        WAIT_FOR_FIRST_CONSUMER("WaitForFirstConsumer"),
        /** At once. */
        IMMEDIATE("Immediate");

        private final String text;

        BindingMode(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }

        /**
         * Returns the constant with this text.
         *
         * @throws IllegalArgumentException if no constant has this text
         */
        public static BindingMode of(String text) {
            return WireText.of(BindingMode.class, text);
        }
    }
}
