package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The thin pool of a device class.
 *
 * @param name name of the thin pool's logical volume
 * @param sizePercent percent of the volume group's free space that the pool takes when it is made
 * @param overprovisionRatio how many times its size the pool may promise
 * @param chunkSizePolicy who chooses the chunk size
 * @param chunkSize bytes of a chunk; absent means {@link #DEFAULT_CHUNK_SIZE} with STATIC
 * @param metadataSizePolicy who chooses the size of the pool's metadata
 * @param metadataSize bytes of the metadata; absent means {@link #DEFAULT_METADATA_SIZE} with
 *     STATIC
 * @param thresholdPercent from this use of data or metadata on, a pool that cannot grow gets no new
 *     volumes
 * @param growthStepPercent by how many percent of its size the data grows, 0 never; absent means
 *     {@link #DEFAULT_GROWTH_STEP_PERCENT} for a pool that the node agent made, and 0 for others
 * @param growthLimit bytes of data beyond which it does not grow; absent means as far as the volume
 *     group reaches
 * @param whenFull what becomes of writes to a full pool; absent leaves it as it is
 * @param trim how its filesystems give back what they no longer use; absent means never
 */
public record ThinPoolConfig(
        String name,
        int sizePercent,
        int overprovisionRatio,
        SizePolicy chunkSizePolicy,
        Optional<Quantity> chunkSize,
        SizePolicy metadataSizePolicy,
        Optional<Quantity> metadataSize,
        int thresholdPercent,
        OptionalInt growthStepPercent,
        Optional<Quantity> growthLimit,
        Optional<WhenFull> whenFull,
        Optional<Trim> trim) {
    /** Percent of the free space that a pool takes unless the spec says otherwise. */
    public static final int DEFAULT_SIZE_PERCENT = 90;

    /** Chunk size of a STATIC policy without a size: 128 KiB. */
    public static final Quantity DEFAULT_CHUNK_SIZE = Quantity.ofBytes(128L << 10);

    /** Metadata size of a STATIC policy without a size: 1 GiB. */
    public static final Quantity DEFAULT_METADATA_SIZE = Quantity.ofBytes(1L << 30);

    /** Use of data or metadata, in percent, from which on a pool counts as nearly full. */
    public static final int DEFAULT_THRESHOLD_PERCENT = 80;

    /** By how many percent a pool grows that the node agent made. */
    public static final int DEFAULT_GROWTH_STEP_PERCENT = 20;

    /** What becomes of writes that need space in a full pool. */
    public enum WhenFull implements WireText {
        /** They wait for space, as long as the kernel lets them (a minute by default). */
        QUEUE("Queue"),
        /** They fail at once. */
        ERROR("Error");

        private final String text;

        WhenFull(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }

        private static Optional<WhenFull> of(ObjectTree tree) {
            var text = Fields.text(tree, "whenFull");
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(WireText.of(WhenFull.class, text));
        }
    }

    /**
     * How the mounted filesystems in a thin pool give back what they no longer use.
     *
     * @param intervalHours hours between two passes over the pool; absent means {@link
     *     #DEFAULT_INTERVAL_HOURS}
     * @param rate most bytes that are discarded in a second on a node; absent means {@link
     *     #DEFAULT_RATE}
     */
    public record Trim(OptionalInt intervalHours, Optional<Quantity> rate) {
        /** A week, as systemd's fstrim.timer. */
        public static final int DEFAULT_INTERVAL_HOURS = 168;

        /** Below what SSDs discard by far, since they serve others meanwhile. */
        public static final Quantity DEFAULT_RATE = Quantity.parse("1Gi");

        /** A pass with less would not end. */
        public static final Quantity LEAST_RATE = Quantity.parse("1Mi");

        public Trim {
            Objects.requireNonNull(intervalHours, "intervalHours");
            Objects.requireNonNull(rate, "rate");
        }

        static Trim of(ObjectTree tree) {
            return new Trim(Fields.integer(tree, "intervalHours"), Fields.quantity(tree, "rate"));
        }

        ObjectTree json() {
            var tree = ObjectTree.builder();
            intervalHours.ifPresent(hours -> tree.put("intervalHours", hours));
            rate.ifPresent(quantity -> tree.put("rate", quantity.toString()));
            return tree.build();
        }

        public Duration effectiveInterval() {
            return Duration.ofHours(intervalHours.orElse(DEFAULT_INTERVAL_HOURS));
        }

        /** Returns the most bytes in a second; whoever has no webhook may have asked for none. */
        public long effectiveRateBytes() {
            return Math.max(LEAST_RATE.bytes(), rate.orElse(DEFAULT_RATE).bytes());
        }
    }

    public ThinPoolConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(chunkSizePolicy, "chunkSizePolicy");
        Objects.requireNonNull(chunkSize, "chunkSize");
        Objects.requireNonNull(metadataSizePolicy, "metadataSizePolicy");
        Objects.requireNonNull(metadataSize, "metadataSize");
        Objects.requireNonNull(growthStepPercent, "growthStepPercent");
        Objects.requireNonNull(growthLimit, "growthLimit");
        Objects.requireNonNull(whenFull, "whenFull");
        Objects.requireNonNull(trim, "trim");
    }

    /**
     * Reads the JSON form; objects that are older than a field get its default.
     *
     * @throws IllegalArgumentException if a policy is unknown or a size is not a quantity
     */
    public static ThinPoolConfig of(ObjectTree tree) {
        return new ThinPoolConfig(
                Fields.text(tree, "name"),
                Fields.integer(tree, "sizePercent").orElse(DEFAULT_SIZE_PERCENT),
                Fields.integer(tree, "overprovisionRatio").orElse(1),
                policy(tree, "chunkSizeCalculationPolicy", SizePolicy.STATIC),
                Fields.quantity(tree, "chunkSize"),
                policy(tree, "metadataSizeCalculationPolicy", SizePolicy.HOST),
                Fields.quantity(tree, "metadataSize"),
                Fields.integer(tree, "thresholdPercent").orElse(DEFAULT_THRESHOLD_PERCENT),
                Fields.integer(tree, "growthStepPercent"),
                Fields.quantity(tree, "growthLimit"),
                WhenFull.of(tree),
                Fields.object(tree, "trim", Trim::of));
    }

    private static SizePolicy policy(ObjectTree tree, String name, SizePolicy absent) {
        var text = Fields.text(tree, name);
        return text.isEmpty() ? absent : SizePolicy.of(text);
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        tree.put("sizePercent", sizePercent);
        tree.put("overprovisionRatio", overprovisionRatio);
        tree.put("chunkSizeCalculationPolicy", chunkSizePolicy.text());
        chunkSize.ifPresent(size -> tree.put("chunkSize", size.toString()));
        tree.put("metadataSizeCalculationPolicy", metadataSizePolicy.text());
        metadataSize.ifPresent(size -> tree.put("metadataSize", size.toString()));
        tree.put("thresholdPercent", thresholdPercent);
        growthStepPercent.ifPresent(percent -> tree.put("growthStepPercent", percent));
        growthLimit.ifPresent(size -> tree.put("growthLimit", size.toString()));
        whenFull.ifPresent(policy -> tree.put("whenFull", policy.text()));
        trim.ifPresent(config -> tree.put("trim", config.json()));
        return tree.build();
    }

    /** Returns the chunk size to ask LVM for, empty where LVM chooses. */
    public Optional<Quantity> effectiveChunkSize() {
        return chunkSizePolicy == SizePolicy.HOST
                ? Optional.empty()
                : Optional.of(chunkSize.orElse(DEFAULT_CHUNK_SIZE));
    }

    /** Returns the metadata size to ask LVM for, empty where LVM chooses. */
    public Optional<Quantity> effectiveMetadataSize() {
        return metadataSizePolicy == SizePolicy.HOST
                ? Optional.empty()
                : Optional.of(metadataSize.orElse(DEFAULT_METADATA_SIZE));
    }
}
