package lvms.node.volume;

import lvms.lvm2.LogicalVolume;

/**
 * A volume as LVM has it, after a step that made, read or grew it. The status of the volume's
 * object is written from it.
 *
 * @param group its volume group; empty if only lvmd knows that
 * @param name its name in the group
 * @param sizeBytes its size, which LVM rounds up to whole extents; of a snapshot of a thick volume,
 *     what that had, whatever is kept of it
 */
public record ActualVolume(String group, String name, long sizeBytes) {
    static ActualVolume of(LogicalVolume volume) {
        long bytes = volume.isThickSnapshot() ? volume.originSizeBytes() : volume.sizeBytes();
        return new ActualVolume(volume.name().vg(), volume.name().lv(), bytes);
    }
}
