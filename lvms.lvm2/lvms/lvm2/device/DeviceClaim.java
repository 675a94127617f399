package lvms.lvm2.device;

import lvms.lvm2.ffi.Fd;
import lvms.lvm2.system.ErrnoException;

import java.nio.file.Path;

/**
 * A block device held exclusively (O_EXCL): the kernel's own proof that it is not mounted, not
 * swap, and not part of a device-mapper or md device, for as long as this is open. It is opened for
 * reading, so that closing it raises no udev event.
 */
public final class DeviceClaim implements AutoCloseable {
    private final Fd fd;

    private DeviceClaim(Fd fd) {
        this.fd = fd;
    }

    /**
     * Claims a device. Close the claim before another program uses the device.
     *
     * @throws ErrnoException EBUSY if somebody holds it, ENOENT, ENXIO
     */
    public static DeviceClaim of(Path device) throws ErrnoException {
        return new DeviceClaim(Fd.open(device, Fd.RDONLY | Fd.EXCL | Fd.NONBLOCK | Fd.CLOEXEC));
    }

    /** Returns whether nobody holds the device at this moment. */
    public static boolean isFree(Path device) throws ErrnoException {
        try (var claim = of(device)) {
            return claim.fd.number() >= 0;
        } catch (ErrnoException e) {
            if (e.errno() == ErrnoException.EBUSY) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
