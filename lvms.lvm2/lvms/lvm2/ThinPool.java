package lvms.lvm2;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One thin pool. Sizes are bytes. {@link #volume} says how full it is (percent, as of the last
 * commit); {@link lvms.lvm2.device.DeviceMapper} reads it more cheaply, without a command.
 *
 * @param volume the pool as a logical volume
 * @param chunkSizeBytes its chunk size
 * @param metadataSizeBytes size of its metadata volume
 * @param zero whether new chunks are zeroed
 * @param discards {@code ignore}, {@code nopassdown} or {@code passdown}
 * @param whenFull {@code error} or {@code queue}; empty if LVM does not say
 * @param thinVolumes number of thin volumes in it, snapshots included
 * @param transactionId LVM's transaction counter of the pool
 */
public record ThinPool(
        LogicalVolume volume,
        long chunkSizeBytes,
        long metadataSizeBytes,
        boolean zero,
        String discards,
        String whenFull,
        long thinVolumes,
        long transactionId) {
    public LvName name() {
        return volume.name();
    }

    public Identity<LvName> identity() {
        return volume.identity();
    }

    /** Returns the use of its data in percent; empty while it is inactive. */
    public OptionalDouble dataPercent() {
        return volume.dataPercent();
    }

    /** Returns the use of its metadata in percent; empty while it is inactive. */
    public OptionalDouble metadataPercent() {
        return volume.metadataPercent();
    }

    /** Returns the first problem that LVM reports; empty if it is healthy. */
    public Optional<LvHealth> health() {
        return volume.attributes().health();
    }

    /** Returns the size of the pool's data. */
    public long sizeBytes() {
        return volume.sizeBytes();
    }
}
