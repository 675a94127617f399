package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.Mount;
import lvms.proto.csi.v1.CapacityRange;

import java.io.IOException;
import java.nio.file.Files;

/**
 * Grows the filesystem of a published volume to the size of its device, online; a raw device needs
 * nothing.
 */
final class Expander {
    /**
     * What a filesystem may leave unused at its end; ext4 may leave a whole block group of 128 MiB.
     */
    private static final long TAIL_BYTES = 128L << 20;

    private Expander() {}

    /**
     * Grows the filesystem, if there is one.
     *
     * @param path {@code volume_path} of the request
     * @return size of the device
     */
    static long expand(String path, CapacityRange range, VolumeDevice device)
            throws VolumeException, IOException, InterruptedException {
        var published = VolumeUsageReader.published(path, device);
        requireSize(range, device);
        if (Files.isDirectory(published)) {
            growFilesystem(device);
        }
        return device.sizeBytes();
    }

    /** Checks the range on its own, before anything else is looked at. */
    static void requireValid(CapacityRange range) throws VolumeException {
        if (range.getRequiredBytes() < 0 || range.getLimitBytes() < 0) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, "capacity_range is negative");
        }
        if (range.getLimitBytes() > 0 && range.getLimitBytes() < range.getRequiredBytes()) {
            throw new VolumeException(
                    StatusCode.OUT_OF_RANGE, "limit_bytes is below required_bytes");
        }
    }

    private static void requireSize(CapacityRange range, VolumeDevice device)
            throws VolumeException {
        if (device.sizeBytes() < range.getRequiredBytes()) {
            throw new VolumeException(
                    StatusCode.INTERNAL,
                    "the device has only "
                            + device.sizeBytes()
                            + " of the required "
                            + range.getRequiredBytes()
                            + " bytes");
        }
    }

    private static void growFilesystem(VolumeDevice device)
            throws VolumeException, IOException, InterruptedException {
        var mounts = VolumeMounts.read().ofFilesystem(device.number());
        var writable = mounts.stream().filter(m -> !m.readOnly()).findFirst();
        if (writable.isEmpty()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "the volume is only mounted read-only; it grows once a pod mounts it writable");
        }
        grow(writable.get(), device);
    }

    private static void grow(Mount mount, VolumeDevice device)
            throws VolumeException, IOException, InterruptedException {
        var filesystem =
                Filesystem.named(mount.fsType())
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.FAILED_PRECONDITION,
                                                "cannot grow a filesystem of type "
                                                        + mount.fsType()));
        FilesystemPublisher.grow(filesystem, device, new TargetPath(mount.mountPoint()));
        var superblock = Superblock.read(device.node(), filesystem);
        boolean stuck =
                filesystem.showsLiveSize()
                        && superblock
                                .filter(s -> s.canGrow(device.sizeBytes() - TAIL_BYTES))
                                .isPresent();
        if (stuck) {
            throw new VolumeException(
                    StatusCode.INTERNAL,
                    "the filesystem at "
                            + mount.mountPoint()
                            + " did not grow: it still has "
                            + superblock.get().sizeBytes()
                            + " bytes");
        }
    }
}
