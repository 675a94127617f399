package lvms.lvm2;

import java.util.OptionalLong;
import java.util.Set;

/**
 * A thin pool to create.
 *
 * @param name its name
 * @param size how large its data has to be
 * @param chunkSizeBytes chunk size, 64 KiB to 1 GiB; empty lets LVM choose
 * @param metadataSizeBytes size of its metadata, 2 MiB to 16 GiB; empty lets LVM choose
 * @param tags its tags
 */
public record NewThinPool(
        LvName name,
        PoolSize size,
        OptionalLong chunkSizeBytes,
        OptionalLong metadataSizeBytes,
        Set<String> tags) {
    public NewThinPool {
        tags = Set.copyOf(tags);
        Grammar.requireLvName(name);
        Grammar.requireChunkSize(chunkSizeBytes);
        Grammar.requirePoolMetadataSize(metadataSizeBytes);
        tags.forEach(Grammar::requireTag);
    }

    /** A pool with LVM's own choice of chunk and metadata size and without tags. */
    public NewThinPool(LvName name, PoolSize size) {
        this(name, size, OptionalLong.empty(), OptionalLong.empty(), Set.of());
    }
}
