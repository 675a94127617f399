package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.filesystem.FilesystemUsage;
import lvms.proto.csi.v1.VolumeUsage;
import lvms.proto.csi.v1.VolumeUsage.Unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures a volume where it is published. */
final class VolumeUsageReader {
    private VolumeUsageReader() {}

    /**
     * Measures bytes and inodes of a filesystem, or the bytes of a device.
     *
     * @throws VolumeException NOT_FOUND if the volume is not at that path
     */
    static List<VolumeUsage> at(String text, VolumeDevice device)
            throws VolumeException, IOException {
        var path = published(text, device);
        return Files.isDirectory(path)
                ? ofFilesystem(FilesystemUsage.of(path))
                : List.of(ofDevice(BlockDevices.sizeBytes(device.node())));
    }

    /**
     * Checks that the volume is published at a path, as filesystem or device.
     *
     * @param text {@code volume_path} of a request
     */
    static Path published(String text, VolumeDevice device) throws VolumeException, IOException {
        TargetPath target;
        try {
            target = TargetPath.of("volume_path", text).resolved();
        } catch (VolumeException e) {
            throw new VolumeException(
                    StatusCode.NOT_FOUND, e.getMessage()); // csi-sanity: no volume is there
        }
        var mounts = VolumeMounts.read();
        boolean there =
                mounts.at(target).filter(mounts.ofFilesystem(device.number())::contains).isPresent()
                        || VolumeMounts.isNode(target.path(), device.number());
        if (!there) {
            throw new VolumeException(
                    StatusCode.NOT_FOUND, "the volume is not published at " + target);
        }
        return target.path();
    }

    static List<VolumeUsage> ofFilesystem(FilesystemUsage usage) {
        var all = new ArrayList<VolumeUsage>();
        if (usage.sizeBytes() > 0) {
            all.add(
                    VolumeUsage.newBuilder()
                            .setUnit(Unit.BYTES)
                            .setTotal(usage.sizeBytes())
                            .setUsed(usage.usedBytes())
                            .setAvailable(usage.availableBytes())
                            .build());
        }
        if (usage.inodes() > 0) { // btrfs has no fixed number
            all.add(
                    VolumeUsage.newBuilder()
                            .setUnit(Unit.INODES)
                            .setTotal(usage.inodes())
                            .setUsed(usage.inodes() - usage.freeInodes())
                            .setAvailable(usage.freeInodes())
                            .build());
        }
        return all;
    }

    private static VolumeUsage ofDevice(long sizeBytes) {
        return VolumeUsage.newBuilder().setUnit(Unit.BYTES).setTotal(sizeBytes).build();
    }
}
