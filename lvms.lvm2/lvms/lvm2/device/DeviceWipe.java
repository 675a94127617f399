package lvms.lvm2.device;

import lvms.lvm2.ffi.Blkid;
import lvms.lvm2.ffi.Fd;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.util.List;

/**
 * Destroys every signature and partition table that libblkid finds on a device. It takes three
 * proofs: the device is still the one that the caller saw; nothing visible uses it; and the kernel
 * gives it to us exclusively, until everything is wiped, so that nobody can start to use it
 * meanwhile.
 *
 * <p>The caller must know whether the content may be lost: this proves only that nobody uses it.
 */
public final class DeviceWipe {
    private DeviceWipe() {}

    /**
     * Wipes the device. Wipe partitions before their disk. Succeeds if nothing is there.
     *
     * @param seen the device as it was seen when the decision was made
     * @return types of what was wiped, in order
     * @throws IOException if a proof is missing (the message says which; nothing was changed), or
     *     if a write failed
     */
    public static List<String> wipe(BlockDevice seen) throws IOException {
        return wipe(seen, BlockDevices.system());
    }

    static List<String> wipe(BlockDevice seen, BlockDevices devices) throws IOException {
        try (var fd = claim(seen)) {
            requireSame(seen, devices);
            var wiped = Blkid.wipe(fd, seen.path().toString());
            fd.sync(); // until then a write that failed looks like one that did not
            var left = SignatureProbe.of(fd, seen.path().toString());
            if (!(left instanceof Signatures.Blank)) {
                throw new IOException("wipe " + seen.path() + ": there is still " + left);
            }
            if (seen.type() != DeviceType.PARTITION && !wiped.isEmpty()) {
                fd.rereadPartitions();
            }
            return wiped;
        }
    }

    private static Fd claim(BlockDevice seen) throws IOException {
        if (seen.readOnly() || seen.suspended() || !seen.holders().isEmpty()) {
            throw new IOException(
                    "wipe %s: it is read-only, suspended, or has devices on it: %s"
                            .formatted(seen.path(), seen.holders()));
        }
        try {
            return Fd.open(seen.path(), Fd.RDWR | Fd.EXCL | Fd.NONBLOCK | Fd.CLOEXEC);
        } catch (ErrnoException e) {
            if (e.errno() == ErrnoException.EBUSY) {
                throw new IOException(
                        "wipe " + seen.path() + ": it is held by the kernel or another program", e);
            }
            throw e;
        }
    }

    /** While it is open, its number cannot be given to another device. */
    public static void requireSame(BlockDevice seen, BlockDevices devices) throws IOException {
        var now = devices.find(seen.path());
        boolean same =
                now.isPresent()
                        && now.get().number().equals(seen.number())
                        && now.get().sequence() == seen.sequence()
                        && now.get().sizeBytes() == seen.sizeBytes()
                        && now.get().wwn().equals(seen.wwn())
                        && now.get().serial().equals(seen.serial())
                        && now.get().dmUuid().equals(seen.dmUuid())
                        && now.get().backingFile().equals(seen.backingFile());
        if (!same) {
            throw new IOException(seen.path() + ": another device has this name now");
        }
        if (now.get().readOnly() || !now.get().holders().isEmpty()) {
            throw new IOException(seen.path() + ": it came into use meanwhile");
        }
    }
}
