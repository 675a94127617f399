package lvms.lvm2;

import java.util.List;

/**
 * One segment of a logical volume. Sizes are bytes.
 *
 * @param volume the logical volume
 * @param type segment type, such as {@code linear}, {@code striped}, {@code raid1}, {@code thin}
 * @param startBytes where it starts in the volume
 * @param sizeBytes its size
 * @param stripes number of its stripes or images
 * @param stripeSizeBytes stripe size, 0 if it has none
 * @param chunkSizeBytes chunk size of a pool, 0 if it has none
 * @param devices what is under it: a device path or the name of a hidden volume, each with the
 *     first extent in parentheses, as in {@code /dev/sdb(0)}
 */
public record Segment(
        LvName volume,
        String type,
        long startBytes,
        long sizeBytes,
        long stripes,
        long stripeSizeBytes,
        long chunkSizeBytes,
        List<String> devices) {
    public Segment {
        devices = List.copyOf(devices);
    }
}
