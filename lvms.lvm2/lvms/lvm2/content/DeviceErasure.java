package lvms.lvm2.content;

import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceType;
import lvms.lvm2.device.DeviceWipe;
import lvms.lvm2.device.LvmUuid;
import lvms.lvm2.ffi.Fd;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The device of one logical volume, or a disk, held exclusively while its content is erased. A call
 * blocks in the kernel as long as the device takes, so callers bring a platform thread and short
 * ranges. One thread at a time.
 *
 * <p>The caller must know that nobody needs the content: this proves only that it is the volume
 * which was meant, and that no filesystem or other device holds it.
 */
public final class DeviceErasure implements AutoCloseable {
    private final Path device;
    private final Fd fd;
    private final boolean partitioned;

    private DeviceErasure(Path device, Fd fd, boolean partitioned) {
        this.device = device;
        this.fd = fd;
        this.partitioned = partitioned;
    }

    /**
     * Claims the device of an active volume.
     *
     * @param device its node, such as {@code /dev/VG/LV}
     * @param lvUuid LVM's UUID of the volume, as LVM prints it
     * @throws IOException if it is another volume's device, or somebody holds it
     */
    public static DeviceErasure claim(Path device, String lvUuid) throws IOException {
        var fd = open(device);
        try {
            requireVolume(device, lvUuid); // its number cannot be given away while it is open
            return new DeviceErasure(device, fd, false);
        } catch (IOException | RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    /**
     * Claims a device that is no volume of LVM.
     *
     * @param seen the device as it was seen when the decision was made
     * @throws IOException if another one has its name now, or somebody holds it
     */
    public static DeviceErasure claim(BlockDevice seen) throws IOException {
        var fd = open(seen.path());
        try {
            DeviceWipe.requireSame(seen, BlockDevices.system());
            boolean partitioned = seen.type() != DeviceType.PARTITION && seen.hasChildren();
            return new DeviceErasure(seen.path(), fd, partitioned);
        } catch (IOException | RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    private static Fd open(Path device) throws IOException {
        try {
            return Fd.open(device, Fd.RDWR | Fd.EXCL | Fd.NONBLOCK | Fd.CLOEXEC);
        } catch (ErrnoException e) {
            if (e.errno() == ErrnoException.EBUSY) {
                throw new IOException("erase " + device + ": it is mounted or held", e);
            }
            throw e;
        }
    }

    private static void requireVolume(Path device, String lvUuid) throws IOException {
        var seen = BlockDevices.system().find(device);
        boolean same =
                seen.flatMap(BlockDevice::dmUuid)
                        .flatMap(LvmUuid::of)
                        .filter(uuid -> uuid.volume().equals(lvUuid) && uuid.layer().isEmpty())
                        .isPresent();
        if (!same) {
            throw new IOException(
                    "erase %s: it is not the device of logical volume %s, but %s"
                            .formatted(device, lvUuid, seen.flatMap(BlockDevice::dmUuid)));
        }
    }

    public long sizeBytes() throws IOException {
        return BlockDevices.sizeBytes(device);
    }

    /** Makes a range read as zeros; offset and length are bytes, multiples of 4096. */
    public void zero(long offset, long bytes) throws IOException {
        fd.zeroOut(offset, bytes);
    }

    /**
     * Gives a range back to the device below; offset and length are bytes, multiples of 4096.
     *
     * @return false if the device cannot do that
     */
    public boolean discard(long offset, long bytes) throws IOException {
        try {
            fd.discard(offset, bytes);
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == ErrnoException.EOPNOTSUPP) {
                return false;
            }
            throw e;
        }
    }

    /** Returns when what was erased is so after a power cut, too. */
    public void flush() throws IOException {
        fd.sync();
        if (partitioned) {
            fd.rereadPartitions(); // their table is gone
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
