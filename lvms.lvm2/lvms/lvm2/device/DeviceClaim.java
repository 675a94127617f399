package lvms.lvm2.device;

import lvms.lvm2.ffi.Fd;
import lvms.lvm2.system.ErrnoException;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A block device held exclusively (O_EXCL): the kernel's own proof that it is not mounted, not
 * swap, and not part of a device-mapper or md device, for as long as this is open. It is opened for
 * reading, so that closing it raises no udev event.
 */
public final class DeviceClaim implements AutoCloseable {
    private static final Duration LOCK_POLL = Duration.ofMillis(50);

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

    /**
     * Waits until no program has locked the device (flock), as udev does while it looks at a disk,
     * and others do while they partition or format one.
     *
     * @return whether nobody has it locked now
     * @throws ErrnoException if it cannot be opened
     */
    public static boolean awaitUnlocked(Path device, Duration patience)
            throws ErrnoException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try (var fd = Fd.open(device, Fd.RDONLY | Fd.NONBLOCK | Fd.CLOEXEC)) {
                fd.lock(Fd.LOCK_EX | Fd.LOCK_NB);
                return true;
            } catch (ErrnoException e) {
                if (e.errno() != ErrnoException.EAGAIN) {
                    throw e;
                }
            }
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(LOCK_POLL);
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
