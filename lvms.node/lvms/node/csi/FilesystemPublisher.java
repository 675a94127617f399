package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.filesystem.MkfsOptions;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceClaim;
import lvms.lvm2.device.Signatures;
import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.Mounts;
import lvms.node.format.ContentMark;
import lvms.node.format.Formats;
import lvms.node.proof.DeviceUse;
import lvms.node.proof.Formatting;
import lvms.node.proof.Proofs;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Mounts a volume's filesystem at a target, making it first if the volume is proven blank.
 *
 * <p>The filesystem itself is mounted writable even for a read-only publication, and only the
 * target is read-only. So another pod of the node can have it writable, it can grow, and its
 * journal is replayed. Only a read-only device gets a read-only filesystem.
 */
final class FilesystemPublisher {
    private static final Logger LOG = System.getLogger(FilesystemPublisher.class.getName());
    private static final int CORRECTED = 1; // e2fsck(8): errors were corrected

    private final VolumeDevices devices;
    private final Formats formats;

    FilesystemPublisher(VolumeDevices devices, Formats formats) {
        this.devices = devices;
        this.formats = formats;
    }

    void publish(Publication wanted, Publication.Mounted access, VolumeDevice device)
            throws VolumeException, LvmException, IOException, InterruptedException {
        if (device.readOnly() && !access.readOnly()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "the volume is read-only: mount it with readOnly: true");
        }
        var mounts = VolumeMounts.read();
        var placement =
                MountStep.of(
                        wanted,
                        access,
                        mounts.at(wanted.target()).stream().toList(),
                        mounts.ofFilesystem(device.number()));
        switch (placement) {
            case MountStep.Converged() -> grow(access.filesystem(), device, wanted.target());
            case MountStep.Another(var source) -> bind(wanted, access, source);
            case MountStep.First() -> mountFirst(wanted, access, device);
        }
        verify(wanted, access, device);
    }

    /** A bind mount inherits the flags of its source, so they are set in any case. */
    private static void bind(Publication wanted, Publication.Mounted access, Path source)
            throws VolumeException, IOException {
        makeFolder(wanted.target());
        var arguments = MountArguments.of(access.options().options());
        var target = wanted.target().path();
        Mounts.bind(source, target, Set.of());
        boolean done = false;
        try {
            Mounts.setFlags(
                    target, access.readOnly() ? arguments.readOnlyFlags() : arguments.flags());
            done = true;
        } finally {
            if (!done) {
                Mounts.unmount(target);
            }
        }
    }

    private void mountFirst(Publication wanted, Publication.Mounted access, VolumeDevice device)
            throws VolumeException, LvmException, IOException, InterruptedException {
        prepare(wanted.volume(), access, device);
        makeFolder(wanted.target());
        var arguments = MountArguments.of(access.options().options());
        boolean frozen = device.readOnly() || access.options().leavesJournal();
        var flags = frozen ? arguments.readOnlyFlags() : arguments.flags();
        var target = wanted.target().path();
        var type = access.filesystem().type();
        Mounts.mount(device.node(), target, type, flags, arguments.data());
        boolean done = false;
        try {
            if (!frozen) {
                grow(access.filesystem(), device, wanted.target());
                FilesystemRoot.openNew(target);
                restrict(access, arguments, target);
            }
            done = true;
        } finally {
            if (!done) {
                Mounts.unmount(target); // else the next call would take it for a finished one
            }
        }
    }

    /** Makes only the target read-only. */
    private static void restrict(Publication.Mounted access, MountArguments arguments, Path target)
            throws IOException {
        if (access.readOnly()) {
            Mounts.setFlags(target, arguments.readOnlyFlags());
        }
    }

    /** Makes sure that the device holds the wanted filesystem, without errors. */
    private void prepare(VolumeId volume, Publication.Mounted access, VolumeDevice device)
            throws VolumeException, LvmException, IOException, InterruptedException {
        var filesystem = access.filesystem();
        var past = devices.past(volume, false);
        switch (DeviceContent.of(evidence(volume, filesystem, device, past), filesystem)) {
            case DeviceContent.Ready() -> {
                remember(volume, past);
                formats.whole(volume.text());
                if (Superblock.read(device.node(), filesystem)
                        .filter(Superblock::errors)
                        .isPresent()) {
                    repair(volume, device);
                }
                if (filesystem == Filesystem.BTRFS && past.copy() && !device.readOnly()) {
                    BtrfsIdentity.ensure(volume, device.node());
                }
            }
            case DeviceContent.Empty(), DeviceContent.Leftovers() -> {
                requireWritable(access);
                format(volume, access, device);
            }
            case DeviceContent.Occupied(var reason) ->
                    throw occupied(filesystem, device, past, reason);
        }
    }

    private Formatting evidence(
            VolumeId volume, Filesystem filesystem, VolumeDevice device, VolumePast past)
            throws IOException {
        var superblock = Superblock.read(device.node(), filesystem);
        var found = Signatures.probe(device.node());
        var evidence =
                new Formatting(
                        found,
                        superblock.filter(Superblock::halfMade).isPresent(),
                        formats.begun(volume.text()),
                        past.mark(),
                        past.copy(),
                        past.blocks(),
                        Optional.empty(),
                        past.permission().given());
        return evidence.asksForRemains()
                ? evidence.with(Remains.find(device, past.created(), past.zeroed()))
                : evidence;
    }

    /**
     * Has a volume with a whole filesystem remember that it has one. One that says that it has none
     * yet is not handed out before that is corrected; one without a mark is older, and may be in a
     * group that cannot be changed now.
     */
    private void remember(VolumeId volume, VolumePast past)
            throws VolumeException, LvmException, IOException, InterruptedException {
        if (past.filesystem() && past.mark().get() == ContentMark.FILESYSTEM) {
            return;
        }
        try (var _ = formats.begin(volume.text())) {
            devices.mark(volume, ContentMark.FILESYSTEM);
        } catch (LvmException e) {
            if (past.mark().isPresent()) {
                throw e;
            }
            LOG.log(
                    Level.WARNING,
                    () ->
                            "the volume cannot be told that it has a filesystem, it is mounted all"
                                    + " the same volume=%s: %s".formatted(volume, e.getMessage()));
        }
    }

    private static VolumeException occupied(
            Filesystem filesystem, VolumeDevice device, VolumePast past, String reason) {
        var permission = past.permission();
        var giveUp =
                permission.uuid().isEmpty()
                        ? ""
                        : "; only if what is on it may go: " + permission.command();
        return new VolumeException(
                StatusCode.FAILED_PRECONDITION,
                ("no %s is made, since the volume may have data: %s. Repair it on its node (%s), or"
                                + " restore a snapshot or a backup%s")
                        .formatted(filesystem.type(), reason, filesystem.repair(device), giveUp));
    }

    /** Makes the filesystem, while no copy of the volume is taken. */
    private void format(VolumeId volume, Publication.Mounted access, VolumeDevice device)
            throws VolumeException, LvmException, IOException, InterruptedException {
        var command = command(access, device);
        try (var format = formats.begin(volume.text())) {
            var past = devices.past(volume, true);
            var evidence = evidence(volume, access.filesystem(), device, past);
            var content = DeviceContent.of(evidence, access.filesystem());
            if (content instanceof DeviceContent.Occupied(var reason)) {
                throw occupied(access.filesystem(), device, past, reason);
            }
            if (content instanceof DeviceContent.Ready()) {
                throw new VolumeException(
                        StatusCode.ABORTED, volume + " has got a filesystem just now");
            }
            requireFree(device);
            format.make(
                    () -> {
                        if (past.permission().given()) {
                            devices.takePermission(volume);
                            devices.mark(volume, ContentMark.NO_FILESYSTEM);
                        }
                        if (content instanceof DeviceContent.Leftovers()) {
                            wipe(volume, device, evidence.found());
                        }
                        make(volume, access, command);
                        devices.mark(volume, ContentMark.FILESYSTEM);
                    });
        }
    }

    private static void wipe(VolumeId volume, VolumeDevice device, Signatures found)
            throws VolumeException, IOException, InterruptedException {
        LOG.log(Level.WARNING, () -> "wiping leftovers volume=" + volume + " found=" + found);
        Tools.run(List.of("wipefs", "-a", device.node().toString()));
        requireFree(device);
    }

    private static void requireWritable(Publication.Mounted access) throws VolumeException {
        if (access.readOnly()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "the volume has no filesystem, and a read-only publication does not make one");
        }
    }

    private static List<String> command(Publication.Mounted access, VolumeDevice device)
            throws VolumeException {
        var filesystem = access.filesystem();
        return filesystem.make(
                device.node(), MkfsOptions.of(filesystem.type(), access.mkfsOptions()));
    }

    private static void make(VolumeId volume, Publication.Mounted access, List<String> command)
            throws VolumeException, InterruptedException {
        try {
            Tools.run(command);
        } catch (VolumeException e) {
            throw access.mkfsOptions().isBlank() ? e : blamed(e, access.mkfsOptions());
        }
        LOG.log(
                Level.INFO,
                () -> "filesystem made volume=" + volume + " type=" + access.filesystem().type());
    }

    /** The options are in the PersistentVolume for good, so only a new one has others. */
    private static VolumeException blamed(VolumeException failure, String options) {
        return new VolumeException(
                failure.code(),
                "%s (if %s is wrong, change %s of the StorageClass and make the claim anew)"
                        .formatted(failure.getMessage(), options, MkfsOptions.PARAMETER),
                failure);
    }

    private static void requireFree(VolumeDevice device) throws VolumeException, IOException {
        var use = new DeviceUse(device.node().toString(), DeviceClaim.isFree(device.node()));
        var obstacle = Proofs.write(use);
        if (obstacle.isPresent()) {
            throw new VolumeException(StatusCode.ABORTED, obstacle.get());
        }
    }

    /** Clears errors that the kernel noted; a person must mend what e2fsck cannot. */
    private static void repair(VolumeId volume, VolumeDevice device)
            throws VolumeException, InterruptedException {
        if (device.readOnly()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "the filesystem has errors, and the volume is read-only");
        }
        Tools.run(List.of("e2fsck", "-p", device.node().toString()), CORRECTED);
        LOG.log(
                Level.WARNING,
                () -> "filesystem had errors, which e2fsck repaired volume=" + volume);
    }

    /**
     * Grows a mounted filesystem to its device.
     *
     * @param mounted a place where it is mounted writable
     */
    static void grow(Filesystem filesystem, VolumeDevice device, TargetPath mounted)
            throws VolumeException, IOException, InterruptedException {
        var before = Superblock.read(device.node(), filesystem);
        if (device.readOnly() || before.filter(s -> s.canGrow(device.sizeBytes())).isEmpty()) {
            return;
        }
        var mount = VolumeMounts.read().at(mounted);
        if (mount.filter(m -> !m.readOnly()).isEmpty()) {
            return; // only a writable mount can grow it: the next first publication will
        }
        Tools.run(filesystem.grow(device.node().toString(), mounted.toString()));
    }

    private static void makeFolder(TargetPath target) throws VolumeException, IOException {
        var path = target.path();
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new VolumeException(
                    StatusCode.ALREADY_EXISTS, target + " exists and is not a directory");
        }
        Files.createDirectories(path);
    }

    /** Checks the promise of the call: this volume's filesystem is at the target, as asked. */
    private static void verify(Publication wanted, Publication.Mounted access, VolumeDevice device)
            throws VolumeException, IOException {
        var mounts = VolumeMounts.read();
        var there = mounts.at(wanted.target());
        boolean good =
                there.filter(mounts.ofFilesystem(device.number())::contains)
                        .filter(m -> m.fsType().equals(access.filesystem().type()))
                        .filter(m -> m.readOnly() == access.readOnly())
                        .isPresent();
        if (!good) {
            throw new VolumeException(
                    StatusCode.INTERNAL,
                    "mounted "
                            + wanted.target()
                            + ", but the kernel shows there "
                            + there.map(FilesystemPublisher::text).orElse("no mount"));
        }
    }

    private static String text(Mount mount) {
        return mount.fsType() + " of " + mount.source() + (mount.readOnly() ? ", read-only" : "");
    }
}
