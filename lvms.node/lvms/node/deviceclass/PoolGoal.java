package lvms.node.deviceclass;

import lvms.api.Names;
import lvms.api.SizePolicy;
import lvms.api.ThinPoolConfig;
import lvms.api.ThinPoolConfig.Trim;
import lvms.api.ThinPoolConfig.WhenFull;
import lvms.k8s.object.Quantity;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThinPool;
import lvms.lvm2.PoolSize;
import lvms.lvm2.ThinPool;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the thin pool of a class asks of LVM.
 *
 * @param config the pool of the class
 */
public record PoolGoal(ThinPoolConfig config) {
    public String name() {
        return config.name();
    }

    /**
     * Returns the request that makes the pool. The pattern names every field of a pool, so that a
     * new field does not compile until somebody decides what LVM has to do about it.
     */
    public NewThinPool request(String vg) {
        return switch (config) {
            case ThinPoolConfig(
                            String name,
                            int sizePercent,
                            int _, // the node's ledger limits overprovisioning, not LVM
                            SizePolicy _,
                            Optional<Quantity> _, // see effectiveChunkSize
                            SizePolicy _,
                            Optional<Quantity> _, // see effectiveMetadataSize
                            int _,
                            OptionalInt _,
                            Optional<Quantity> _, // PoolPolicy has what makes it grow
                            Optional<WhenFull> _, // see errorWhenFull
                            Optional<Trim> _) -> // its filesystems are trimmed, not LVM's pool
                    new NewThinPool(
                            new LvName(vg, name),
                            new PoolSize.PercentOfFree(sizePercent),
                            bytes(config.effectiveChunkSize()),
                            metadataBytes(),
                            Set.of(Names.POOL_TAG));
        };
    }

    /** Returns the least size of its metadata; empty leaves it to LVM. */
    public OptionalLong metadataBytes() {
        return bytes(config.effectiveMetadataSize());
    }

    /** Returns whether writes to the full pool have to fail at once; empty if it may stay. */
    public Optional<Boolean> errorWhenFull() {
        return config.whenFull().map(WhenFull.ERROR::equals);
    }

    private static OptionalLong bytes(Optional<Quantity> size) {
        return size.map(s -> OptionalLong.of(s.bytes())).orElse(OptionalLong.empty());
    }

    /** Says which property of an existing pool differs, if LVM can no longer change it. */
    public Optional<String> contradiction(ThinPool pool) {
        return config.effectiveChunkSize()
                .filter(wanted -> wanted.bytes() != pool.chunkSizeBytes())
                .map(
                        wanted ->
                                "chunk size of thin pool %s is %d, not %d bytes"
                                        .formatted(
                                                pool.name(),
                                                pool.chunkSizeBytes(),
                                                wanted.bytes()));
    }

    /**
     * Returns how large the pool should become: its share of the whole group, as far as the free
     * extents reach, and never less than it has.
     */
    public long targetBytes(long poolBytes, long groupBytes, long freeBytes, long extentBytes) {
        long share = groupBytes / extentBytes * config.sizePercent() / 100 * extentBytes;
        long reachable = poolBytes + freeBytes / extentBytes * extentBytes;
        return Math.max(poolBytes, Math.min(share, reachable));
    }
}
