package lvms.node.volume;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;

/**
 * A volume as LVM has it, after a step that made, read or grew it. The status of the volume's
 * object is written from it.
 *
 * @param sizeBytes its size, which LVM rounds up to whole extents
 */
record ActualVolume(LvName name, long sizeBytes) {
    static ActualVolume of(LogicalVolume volume) {
        return new ActualVolume(volume.name(), volume.sizeBytes());
    }
}
