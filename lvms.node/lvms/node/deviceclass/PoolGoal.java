package lvms.node.deviceclass;

import lvms.api.ThinPoolConfig;
import lvms.k8s.object.Quantity;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The thin pool that a class wants, with every default filled in.
 *
 * @param name name of the pool
 * @param sizePercent share of the volume group, 1 to 100
 * @param overprovisionRatio virtual bytes per byte of the pool
 * @param chunkBytes chunk size; empty leaves it to LVM
 * @param metadataBytes metadata size; empty leaves it to LVM
 */
public record PoolGoal(
        String name,
        int sizePercent,
        double overprovisionRatio,
        OptionalLong chunkBytes,
        OptionalLong metadataBytes) {
    static PoolGoal of(ThinPoolConfig config) {
        return new PoolGoal(
                config.name(),
                config.sizePercent(),
                config.overprovisionRatio(),
                bytes(config.effectiveChunkSize()),
                bytes(config.effectiveMetadataSize()));
    }

    private static OptionalLong bytes(Optional<Quantity> size) {
        return size.map(s -> OptionalLong.of(s.bytes())).orElse(OptionalLong.empty());
    }

    /**
     * Returns how large the pool of this volume group shall become: its share of the whole group,
     * as far as the free extents reach; never less than it has.
     */
    public long targetBytes(long poolBytes, long groupBytes, long freeBytes, long extentBytes) {
        long share = groupBytes / extentBytes * sizePercent / 100 * extentBytes;
        long reachable = poolBytes + freeBytes / extentBytes * extentBytes;
        return Math.max(poolBytes, Math.min(share, reachable));
    }
}
