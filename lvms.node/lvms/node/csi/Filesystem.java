package lvms.node.csi;

import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.filesystem.MkfsOptions;
import lvms.node.format.XfsFeatures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The filesystems a volume can be published with, and how each is made and grown. */
enum Filesystem {
    /**
     * {@code -m0}: no blocks reserved for root, so a pod gets what it asked for. The image's
     * mke2fs.conf keeps features out that older kernels and programs do not know.
     */
    EXT4("ext4") {
        @Override
        List<String> make() {
            return List.of("mkfs.ext4", "-F", "-m0");
        }

        @Override
        List<String> grow(String device, String mountPoint) {
            return List.of("resize2fs", device);
        }

        /** mke2fs.conf: blocks of 1 KiB below 512 MiB, of 4 KiB from there on. */
        @Override
        String repair(VolumeDevice device) {
            boolean small = device.sizeBytes() < 512L << 20;
            return "e2fsck -b " + (small ? "8193 " : "32768 ") + device.node();
        }

        @Override
        boolean showsLiveSize() {
            return true;
        }
    },
    /** Clones share the UUID, so it is always mounted with {@code nouuid}. */
    XFS("xfs") {
        @Override
        List<String> make() {
            return List.of("mkfs.xfs", "-f");
        }

        @Override
        List<String> features(MkfsOptions asked) {
            return XfsFeatures.ofThisKernel().words(asked);
        }

        @Override
        List<String> grow(String device, String mountPoint) {
            return List.of("xfs_growfs", "-d", mountPoint);
        }

        @Override
        String repair(VolumeDevice device) {
            return "xfs_repair " + device.node();
        }

        @Override
        List<String> ownOptions() {
            return List.of("nouuid");
        }
    },
    /**
     * Grown through the mount point, since the tool cannot grow it offline. A copy gets an fsid of
     * its own ({@link BtrfsIdentity}).
     */
    BTRFS("btrfs") {
        @Override
        List<String> make() {
            return List.of("mkfs.btrfs");
        }

        @Override
        List<String> grow(String device, String mountPoint) {
            return List.of("btrfs", "filesystem", "resize", "max", mountPoint);
        }

        @Override
        String repair(VolumeDevice device) {
            return "btrfs rescue super-recover " + device.node();
        }
    };

    private final String type;

    Filesystem(String type) {
        this.type = type;
    }

    /** Name of the type, as mount(8), blkid(8) and {@code fs_type} use it. */
    String type() {
        return type;
    }

    /** The command, without options of a class, that makes it where there is no filesystem. */
    abstract List<String> make();

    /** Options that choose features which the options of the class leave to us. */
    List<String> features(MkfsOptions asked) {
        return List.of();
    }

    /** The command that makes it on a device without a filesystem. */
    List<String> make(Path device, MkfsOptions options) {
        var command = new ArrayList<>(make());
        command.addAll(features(options));
        command.addAll(options.words()); // behind ours, so that of two values theirs counts
        command.add(device.toString());
        return command;
    }

    /** The command that grows the mounted filesystem to its device. */
    abstract List<String> grow(String device, String mountPoint);

    /** The command by which a person repairs one whose first superblock is lost. */
    abstract String repair(VolumeDevice device);

    /** Options that this driver always mounts it with. */
    List<String> ownOptions() {
        return List.of();
    }

    /**
     * Whether the superblock on the device shows the size of the mounted filesystem at once. ext4
     * keeps it in the page cache of the device; xfs and btrfs write it some time later.
     */
    boolean showsLiveSize() {
        return false;
    }

    static Optional<Filesystem> named(String type) {
        for (var filesystem : values()) {
            if (filesystem.type.equals(type)) {
                return Optional.of(filesystem);
            }
        }
        return Optional.empty();
    }

    /** Reads {@code fs_type} of a request; empty asks for ext4. */
    static Filesystem requested(String type) throws VolumeException {
        if (type.isEmpty()) {
            return EXT4;
        }
        return named(type)
                .orElseThrow(
                        () ->
                                new VolumeException(
                                        StatusCode.INVALID_ARGUMENT,
                                        "fs_type is not one of "
                                                + String.join(", ", Names.FILESYSTEMS)
                                                + ": "
                                                + Quoted.of(type)));
    }
}
