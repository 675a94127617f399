package lvms.api;

import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;
import java.util.Optional;

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
 */
public record ThinPoolConfig(
        String name,
        int sizePercent,
        int overprovisionRatio,
        SizePolicy chunkSizePolicy,
        Optional<Quantity> chunkSize,
        SizePolicy metadataSizePolicy,
        Optional<Quantity> metadataSize) {
    /** Percent of the free space that a pool takes unless the spec says otherwise. */
    public static final int DEFAULT_SIZE_PERCENT = 90;

    /** Chunk size of a STATIC policy without a size: 128 KiB. */
    public static final Quantity DEFAULT_CHUNK_SIZE = Quantity.ofBytes(128L << 10);

    /** Metadata size of a STATIC policy without a size: 1 GiB. */
    public static final Quantity DEFAULT_METADATA_SIZE = Quantity.ofBytes(1L << 30);

    public ThinPoolConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(chunkSizePolicy, "chunkSizePolicy");
        Objects.requireNonNull(chunkSize, "chunkSize");
        Objects.requireNonNull(metadataSizePolicy, "metadataSizePolicy");
        Objects.requireNonNull(metadataSize, "metadataSize");
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
                Fields.quantity(tree, "metadataSize"));
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
