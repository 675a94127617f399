package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.Mounts;
import lvms.lvm2.filesystem.Mounts.Flag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Bind mounts a volume's device node onto a file. A read-only publication gets a read-only mount.
 * That does not keep a container from writing, since a device on a read-only mount can still be
 * opened for writing. The device permission that the container runtime sets does.
 */
final class DevicePublisher {
    private static final String FILE_MODE = "rwxr-xr-x"; // as TopoLVM leaves it

    void publish(Publication wanted, VolumeDevice device) throws VolumeException, IOException {
        boolean readOnly = wanted.access().readOnly();
        if (device.readOnly() && !readOnly) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "the volume is read-only: mount it with readOnly: true");
        }
        if (isThere(wanted, device, VolumeMounts.read())) {
            return;
        }
        makeFile(wanted.target());
        Mounts.bind(
                device.node(),
                wanted.target().path(),
                readOnly ? Set.of(Flag.READ_ONLY) : Set.of());
        if (!isThere(wanted, device, VolumeMounts.read())) {
            throw new VolumeException(
                    StatusCode.INTERNAL, wanted.target() + " is not the device after mounting");
        }
    }

    /** Returns whether the target is the device already; refuses anything else that is there. */
    private static boolean isThere(Publication wanted, VolumeDevice device, VolumeMounts mounts)
            throws VolumeException {
        var there = mounts.at(wanted.target());
        if (there.isEmpty()) {
            requireAlone(wanted, device, mounts);
            return false;
        }
        if (!VolumeMounts.isNode(wanted.target().path(), device.number())) {
            throw new VolumeException(
                    StatusCode.ALREADY_EXISTS,
                    wanted.target() + " is a mount point of " + there.get().source());
        }
        boolean readOnly = there.get().options().contains("ro");
        if (readOnly != wanted.access().readOnly()) {
            throw new VolumeException(
                    StatusCode.ALREADY_EXISTS,
                    wanted.target() + " is published " + (readOnly ? "ro" : "rw"));
        }
        return true;
    }

    private static void requireAlone(Publication wanted, VolumeDevice device, VolumeMounts mounts)
            throws VolumeException {
        var others = mounts.ofNode(device.number());
        if (wanted.exclusive() && !others.isEmpty()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "volume is published at "
                            + others.getFirst().mountPoint()
                            + ", and its access mode allows only one target");
        }
    }

    /**
     * Returns whether there is a device node that is nobody's mount: NativeStor makes one for each
     * pod. It outlives a boot, after which its number may be another disk's.
     */
    private static boolean isNode(Path path) {
        return !Files.isSymbolicLink(path) && VolumeMounts.numberOf(path).isPresent();
    }

    /** Makes the file to mount on; a file that exists is neither opened nor truncated. */
    private static void makeFile(TargetPath target) throws VolumeException, IOException {
        var path = target.path();
        if (isNode(path)) {
            Files.delete(path);
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new VolumeException(
                        StatusCode.ALREADY_EXISTS, target + " exists and is not a file");
            }
            return;
        }
        if (!Files.isDirectory(path.getParent())) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION, "the parent folder is missing: " + target);
        }
        Files.createFile(
                path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(FILE_MODE)));
    }
}
