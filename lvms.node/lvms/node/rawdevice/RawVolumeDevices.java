package lvms.node.rawdevice;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.nativestor.RawDevice;
import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.Disks;
import lvms.lvm2.system.DeviceNumber;
import lvms.node.csi.VolumeDevice;
import lvms.node.csi.VolumeDevices;
import lvms.node.csi.VolumeId;
import lvms.node.csi.VolumePast;
import lvms.node.format.ContentMark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The devices of raw-device volumes on this node. Each call finds the disk anew by what identifies
 * it; the path and the number in the object are only what they were when the disk was last seen.
 *
 * @param objects the RawDevices of this node
 * @param blockDevices where devices are looked for
 */
public record RawVolumeDevices(RawDevices objects, BlockDevices blockDevices)
        implements VolumeDevices {
    @Override
    public void require(VolumeId volume) throws VolumeException {
        object(volume);
    }

    @Override
    public void requireHome(VolumeId volume, Optional<String> handedOut) throws VolumeException {
        object(volume);
    }

    private RawDevice object(VolumeId volume) throws VolumeException {
        var found =
                objects.known().stream()
                        .filter(object -> object.volumeId().equals(volume.text()))
                        .findFirst();
        if (found.isEmpty() && !objects.synced()) {
            throw new VolumeException(
                    StatusCode.ABORTED, "the raw devices of this node are not known yet");
        }
        return found.orElseThrow(
                () ->
                        new VolumeException(
                                StatusCode.NOT_FOUND, "this node has no raw device " + volume));
    }

    @Override
    public VolumeDevice active(VolumeId volume) throws VolumeException, IOException {
        var object = object(volume);
        return present(object)
                .map(RawVolumeDevices::device)
                .orElseThrow(
                        () -> new VolumeException(StatusCode.FAILED_PRECONDITION, gone(object)));
    }

    /** Pods see the device itself, and nobody else. */
    @Override
    public VolumePast past(VolumeId volume, boolean anew) throws VolumeException {
        object(volume);
        return VolumePast.ofBlockDevice();
    }

    @Override
    public void mark(VolumeId volume, ContentMark mark) {
        throw new IllegalStateException("a raw device remembers nothing: " + volume);
    }

    @Override
    public void takePermission(VolumeId volume) {
        throw new IllegalStateException("a raw device gets no filesystem: " + volume);
    }

    /** Looks again: the number of a disk that was pulled may be another's by now. */
    @Override
    public void confirm(VolumeId volume, VolumeDevice published)
            throws VolumeException, IOException {
        if (!active(volume).equals(published)) {
            throw new VolumeException(
                    StatusCode.ABORTED, "the disk of the volume was plugged in anew meanwhile");
        }
    }

    /** What was published stays published when the disk is gone: then its last number counts. */
    @Override
    public Optional<VolumeDevice> find(VolumeId volume) throws VolumeException, IOException {
        var object = object(volume);
        return Optional.of(
                present(object).map(RawVolumeDevices::device).orElseGet(() -> last(object)));
    }

    @Override
    public Optional<String> trouble(VolumeId volume) throws VolumeException, IOException {
        var object = object(volume);
        var block = present(object);
        if (block.isEmpty()) {
            return Optional.of(gone(object));
        }
        return Disks.lostBelow(block.get().number())
                ? Optional.of("the disk of the volume fails: " + block.get().path())
                : Optional.empty();
    }

    private Optional<BlockDevice> present(RawDevice object) throws IOException {
        return RawDisk.of(object, blockDevices);
    }

    private static String gone(RawDevice object) {
        var identity = RawDevice.text(object.identity()).replace("\n", ", ");
        return "the disk of the volume is gone; it was "
                + object.spec().realPath()
                + (identity.isEmpty() ? "" : " (" + identity + ")");
    }

    private static VolumeDevice device(BlockDevice block) {
        return new VolumeDevice(block.path(), block.number(), block.sizeBytes(), block.readOnly());
    }

    private static VolumeDevice last(RawDevice object) {
        var spec = object.spec();
        return new VolumeDevice(
                Path.of(spec.realPath()),
                new DeviceNumber(spec.major(), spec.minor()),
                spec.sizeBytes(),
                false);
    }
}
