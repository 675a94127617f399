package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.Mounts;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Removes a volume from a target. It needs neither the volume nor LVM, only the mount table: a pod
 * must be able to end even if a disk is dead or the volume is gone.
 */
final class Unpublisher {
    /** Where TopoLVM before 0.33 made device nodes of its own. */
    private static final Path OLD_NODES = Path.of("/dev/topolvm");

    private static final int STACK_LIMIT = 64; // repeated block publications of TopoLVM stack up
    private final Path kubelet;

    /**
     * @param kubelet kubelet's folder; below it any mount may be removed, elsewhere only those of
     *     the volume, and with them the file or folder that they were on
     */
    Unpublisher(Path kubelet) {
        this.kubelet = kubelet;
    }

    void unpublish(VolumeId volume, TargetPath target, Optional<VolumeDevice> device)
            throws VolumeException, IOException {
        boolean unmounted = unmountAll(target, device);
        if (!unmounted && VolumeMounts.exists(target)) {
            target.requireBelow(kubelet);
        }
        remove(target);
        if (VolumeMounts.exists(target) || VolumeMounts.read().at(target).isPresent()) {
            throw new VolumeException(
                    StatusCode.INTERNAL, target + " is still there after unmounting");
        }
        removeOldNode(volume);
    }

    /** Returns whether there was a mount. */
    private boolean unmountAll(TargetPath target, Optional<VolumeDevice> device)
            throws VolumeException, IOException {
        for (int i = 0; i < STACK_LIMIT; i++) {
            var mounts = VolumeMounts.read();
            var mount = mounts.at(target);
            if (mount.isEmpty()) {
                return i > 0;
            }
            requireOurs(target, mount.get(), mounts, device);
            Mounts.unmount(target.path());
        }
        throw new VolumeException(StatusCode.INTERNAL, target + " has too many mounts on it");
    }

    private void requireOurs(
            TargetPath target, Mount mount, VolumeMounts mounts, Optional<VolumeDevice> device)
            throws VolumeException, IOException {
        boolean ours =
                target.isBelow(kubelet)
                        || device.filter(d -> shows(target, mount, mounts, d)).isPresent();
        if (!ours) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    target + " is a mount point of " + mount.source() + ", not of the volume");
        }
    }

    private static boolean shows(
            TargetPath target, Mount mount, VolumeMounts mounts, VolumeDevice device) {
        return mounts.ofFilesystem(device.number()).contains(mount)
                || VolumeMounts.isNode(target.path(), device.number());
    }

    /** Removes the file or the empty folder; content is never removed. */
    private static void remove(TargetPath target) throws VolumeException, IOException {
        try {
            Files.deleteIfExists(target.path());
        } catch (DirectoryNotEmptyException _) {
            throw new VolumeException(
                    StatusCode.INTERNAL,
                    target + " is not mounted and not empty, so it is left alone");
        }
    }

    private static void removeOldNode(VolumeId volume) throws IOException {
        var node = OLD_NODES.resolve(volume.text());
        if (VolumeMounts.numberOf(node).isPresent()) {
            Files.deleteIfExists(node);
        }
    }
}
