package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;
import java.util.Optional;

/**
 * How the thick volumes of a device class are kept from showing what was on their disks before.
 *
 * @param zeroVolumes which volumes are zeroed before they are handed out; absent means those that
 *     are used as raw devices
 * @param onRemoval what happens to the content of a volume that is removed; absent means nothing
 * @param rate most bytes that are zeroed in a second, for each volume group of a node; absent means
 *     {@link #DEFAULT_RATE}
 */
public record ErasureConfig(
        Optional<ZeroVolumes> zeroVolumes, Optional<OnRemoval> onRemoval, Optional<Quantity> rate) {
    /** A disk that is not fast keeps half of its time for others. */
    public static final Quantity DEFAULT_RATE = Quantity.parse("200Mi");

    /** What is in force where nothing is set. */
    public static final ErasureConfig DEFAULT =
            new ErasureConfig(Optional.empty(), Optional.empty(), Optional.empty());

    /** Which volumes are zeroed before they are handed out, and what they grow by. */
    public enum ZeroVolumes implements WireText {
        NONE("none"),
        /** Those that a pod gets as a raw device, or may get: it could read everything. */
        BLOCK("block"),
        /** All, also those that get a filesystem. */
        ALL("all");

        private final String text;

        ZeroVolumes(String text) {
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
        public static ZeroVolumes of(String text) {
            return WireText.of(ZeroVolumes.class, text);
        }
    }

    /** What happens to the content of a volume that is removed. */
    public enum OnRemoval implements WireText {
        /** It stays on the disk until something else is written there. */
        NONE("none"),
        /** The disk is told that it is not needed; what the disk does is its own choice. */
        DISCARD("discard"),
        /** It is overwritten with zeros. */
        ZERO("zero");

        private final String text;

        OnRemoval(String text) {
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
        public static OnRemoval of(String text) {
            return WireText.of(OnRemoval.class, text);
        }
    }

    public ErasureConfig {
        Objects.requireNonNull(zeroVolumes, "zeroVolumes");
        Objects.requireNonNull(onRemoval, "onRemoval");
        Objects.requireNonNull(rate, "rate");
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static ErasureConfig of(ObjectTree tree) {
        return new ErasureConfig(
                tree.text("zeroVolumes").map(ZeroVolumes::of),
                tree.text("onRemoval").map(OnRemoval::of),
                Fields.quantity(tree, "rate"));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        zeroVolumes.ifPresent(which -> tree.put("zeroVolumes", which.text()));
        onRemoval.ifPresent(what -> tree.put("onRemoval", what.text()));
        rate.ifPresent(quantity -> tree.put("rate", quantity.toString()));
        return tree.build();
    }

    public ZeroVolumes effectiveZeroVolumes() {
        return zeroVolumes.orElse(ZeroVolumes.BLOCK);
    }

    /** Returns what happens to the content of a removed volume. */
    public OnRemoval effectiveOnRemoval() {
        return onRemoval.orElse(OnRemoval.NONE);
    }

    /** Returns the most bytes in a second. */
    public long effectiveRateBytes() {
        return rate.orElse(DEFAULT_RATE).bytes();
    }
}
