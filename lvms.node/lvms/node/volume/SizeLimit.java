package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.lvm2.VolumeGroup;
import lvms.node.deviceclass.NodeDeviceClass;

import java.util.OptionalLong;

/**
 * The largest size that the caller of a CSI call accepts. LVM rounds up to whole extents, so what
 * would become larger is refused before anything is made or grown. How the types of an option class
 * round, such as those of RAID, is not foreseen.
 *
 * @param bytes empty if any size is accepted
 * @param extents how many extents LVM allocates at least together
 */
record SizeLimit(OptionalLong bytes, long extents) {
    static SizeLimit of(LogicalVolume volume, NodeDeviceClass deviceClass) {
        boolean striped =
                deviceClass.thin().isEmpty() && volume.spec().lvcreateOptionClass().isEmpty();
        long stripes =
                striped
                        ? deviceClass.striping().map(NodeDeviceClass.Striping::stripes).orElse(1)
                        : 1;
        return new SizeLimit(volume.sizeLimit(), stripes);
    }

    /**
     * Refuses a size that becomes larger than the limit.
     *
     * @throws VolumeRefused OUT_OF_RANGE
     */
    void admit(long sizeBytes, VolumeGroup group) throws VolumeRefused {
        long step = group.extentSizeBytes() * extents;
        long rounded = Math.ceilDiv(sizeBytes, step) * step;
        if (bytes.isPresent() && rounded > bytes.getAsLong()) {
            throw new VolumeRefused(
                    StatusCode.OUT_OF_RANGE,
                    "%d bytes become %d in volume group %s, the limit is %d"
                            .formatted(sizeBytes, rounded, group.name(), bytes.getAsLong()));
        }
    }
}
