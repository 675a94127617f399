package lvms.node.lvmd;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewThinVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.capacity.ClassCapacity;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.erasure.Marks;
import lvms.node.volume.NewVolume;
import lvms.node.volume.VolumeLayout;
import lvms.node.volume.VolumeRefused;
import lvms.proto.lvmd.CreateLVRequest;

import java.util.HashSet;
import java.util.Set;

/** TopoLVM's rules for what may be made, in TopoLVM's order. */
final class Admission {
    /** Unit of thick volumes; TopoLVM leaves thin ones to LVM. */
    private static final long SIZE_UNIT = 4096;

    private Admission() {}

    /** The volume that a request asks for, with the layout of its class or of an option class. */
    static NewVolume wanted(
            CreateLVRequest request, NodeDeviceClass deviceClass, DeviceClasses classes)
            throws VolumeRefused {
        var layout = VolumeLayout.of(request.getLvcreateOptionClass(), deviceClass, classes);
        var name = new LvName(deviceClass.volumeGroup(), request.getName());
        var tags = Set.copyOf(request.getTagsList());
        long size = request.getSizeBytes();
        if (deviceClass.thin().isPresent()) {
            var thin = deviceClass.thin().get();
            var volume = new NewThinVolume(name, thin.pool(), size, tags, layout.options());
            return new NewVolume.ThinVolume(volume, thin);
        }
        if (size % SIZE_UNIT != 0) {
            throw new IllegalArgumentException("size is not a multiple of 4096 bytes: " + size);
        }
        var marked = new HashSet<>(tags);
        if (deviceClass.erasure().zeroes(false)) { // a caller does not say what it is for
            marked.add(Marks.UNERASED);
        }
        return new NewVolume.Thick(
                new NewThickVolume(
                        name,
                        size,
                        marked,
                        layout.stripes(),
                        layout.stripeSizeBytes(),
                        layout.options()),
                false);
    }

    /** Returns the volume to copy: it must be in the pool that the copy counts against. */
    static LogicalVolume source(String name, Thin thin, VolumeGroupReport report)
            throws VolumeException {
        var source =
                report.logicalVolume(name)
                        .orElseThrow(
                                () ->
                                        ClassVolumes.refused(
                                                StatusCode.NOT_FOUND,
                                                "source logical volume " + name + " is not found"));
        if (!source.isThin()) {
            throw ClassVolumes.refused(
                    StatusCode.UNIMPLEMENTED, "only thin volumes have snapshots, not " + name);
        }
        var pool = source.pool().orElse("");
        if (!pool.equals(thin.pool())) {
            throw ClassVolumes.refused(
                    StatusCode.INVALID_ARGUMENT,
                    "source logical volume "
                            + name
                            + " is in thin pool "
                            + pool
                            + ", the device class in "
                            + thin.pool());
        }
        return source;
    }

    /** Returns the size of a copy: its source's, unless the request asks for a larger one. */
    static long copySize(long wanted, LogicalVolume source) throws VolumeException {
        long size = wanted == 0 ? source.sizeBytes() : wanted;
        if (Long.compareUnsigned(size, source.sizeBytes()) < 0) {
            throw ClassVolumes.refused(
                    StatusCode.OUT_OF_RANGE,
                    "requested size "
                            + size
                            + " is smaller than the source: "
                            + source.sizeBytes());
        }
        return size;
    }

    /** Returns whether a copy may be written. */
    static boolean writable(String accessType) {
        return switch (accessType) {
            case "ro" -> false;
            case "rw" -> true;
            default ->
                    throw new IllegalArgumentException(
                            "access type is neither ro nor rw: \"" + accessType + '"');
        };
    }

    /**
     * Returns the free bytes that admission compares with: the spare may be used, and only LVM
     * knows what a layout costs.
     */
    static long freeBytes(
            NodeDeviceClass deviceClass, VolumeGroupReport report, ClassCapacity capacity) {
        return deviceClass.thin().isPresent()
                ? capacity.of(deviceClass, report)
                : report.group().freeBytes();
    }

    /** Sizes are unsigned on the way to LVM, so a negative one is far too large. */
    static void admit(long bytes, long free) throws VolumeException {
        if (Long.compareUnsigned(bytes, free) > 0) {
            throw ClassVolumes.refused(
                    StatusCode.RESOURCE_EXHAUSTED,
                    "not enough space left on VG: free="
                            + free
                            + ", requested="
                            + Long.toUnsignedString(bytes));
        }
    }
}
