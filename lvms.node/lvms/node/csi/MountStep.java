package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.SelinuxContext;

import java.nio.file.Path;
import java.util.List;

/** How a filesystem gets to a target, given where it is mounted already. */
sealed interface MountStep {
    /** It is there as asked. */
    record Converged() implements MountStep {}

    /** It is mounted nowhere: check its content, make it if need be, mount it. */
    record First() implements MountStep {}

    /**
     * It is mounted at another target of this node.
     *
     * @param source that target
     */
    record Another(Path source) implements MountStep {}

    /**
     * Decides as CSI 1.12 says in "NodePublishVolume". As in Kubernetes, several pods of a node may
     * use a volume unless the mode is SINGLE_NODE_SINGLE_WRITER.
     *
     * @param atTarget the topmost mount at the target, an empty list if there is none
     * @param ofDevice all mounts of the volume's filesystem
     */
    static MountStep of(
            Publication wanted,
            Publication.Mounted access,
            List<Mount> atTarget,
            List<Mount> ofDevice)
            throws VolumeException {
        if (!atTarget.isEmpty()) {
            requireSame(wanted, access, atTarget.getFirst(), ofDevice);
            return new Converged();
        }
        if (ofDevice.isEmpty()) {
            return new First();
        }
        var other = ofDevice.getFirst();
        if (wanted.exclusive()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "volume is published at "
                            + other.mountPoint()
                            + ", and its access mode allows only one target");
        }
        requireType(access, other);
        if (!access.readOnly() && other.superOptions().contains("ro")) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "the filesystem is mounted read-only at " + other.mountPoint());
        }
        requireContext(access, other, StatusCode.FAILED_PRECONDITION);
        return new Another(other.mountPoint());
    }

    private static void requireSame(
            Publication wanted, Publication.Mounted access, Mount there, List<Mount> ofDevice)
            throws VolumeException {
        if (!ofDevice.contains(there)) {
            throw new VolumeException(
                    StatusCode.ALREADY_EXISTS,
                    wanted.target() + " is a mount point of " + there.source());
        }
        requireType(access, there);
        if (there.readOnly() != access.readOnly()) {
            throw new VolumeException(
                    StatusCode.ALREADY_EXISTS,
                    wanted.target() + " is mounted " + (there.readOnly() ? "ro" : "rw"));
        }
        requireContext(access, there, StatusCode.ALREADY_EXISTS);
    }

    /**
     * The kernel has one context for a filesystem, and a bind mount would not say that it is not
     * the wanted one. Whoever asks for none may be allowed to use any.
     */
    private static void requireContext(Publication.Mounted access, Mount there, StatusCode code)
            throws VolumeException {
        var wanted = access.options().context();
        var present = SelinuxContext.among(there.superOptions());
        if (wanted.isPresent() && present.filter(wanted.get()::means).isEmpty()) {
            throw new VolumeException(
                    code,
                    ("the filesystem is mounted at %s %s, and this pod needs %s: pods"
                                    + " that share a volume on a node need the same seLinuxOptions")
                            .formatted(
                                    there.mountPoint(),
                                    present.map(context -> "with SELinux context " + context)
                                            .orElse("without an SELinux context"),
                                    wanted.get()));
        }
    }

    private static void requireType(Publication.Mounted access, Mount there)
            throws VolumeException {
        if (!there.fsType().equals(access.filesystem().type())) {
            throw new VolumeException(
                    StatusCode.ALREADY_EXISTS,
                    "volume is mounted as " + there.fsType() + " at " + there.mountPoint());
        }
    }
}
