package lvms.lvm2;

import lvms.lvm2.device.Program;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * A thin pool in which LVM can change nothing any more: the creation of a volume was cut when the
 * kernel had made the device and LVM had not noted that yet. With every command LVM sends the same
 * message again, and the kernel says that the device exists.
 *
 * <p>Nobody can have used the device: LVM activates it only after the message, and the kernel
 * removes no device that is open. So it is removed, and LVM's next attempt makes it anew.
 *
 * @param device device-mapper name of the pool
 * @param deviceId the thin device in it
 */
record StuckPool(String device, int deviceId) {
    private static final System.Logger LOG = System.getLogger(StuckPool.class.getName());
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Removes the device from the pool; returns whether that worked. */
    boolean free() throws InterruptedException {
        try {
            var result =
                    Program.of(DEADLINE, "dmsetup", "message", device, "0", "delete " + deviceId)
                            .run();
            LOG.log(
                    Level.WARNING,
                    () ->
                            "device of a cut creation removed from its thin pool pool=%s id=%d status=%d %s"
                                    .formatted(
                                            device,
                                            deviceId,
                                            result.status(),
                                            result.stderr().strip()));
            return result.succeeded();
        } catch (IOException | TimeoutException e) {
            LOG.log(Level.ERROR, () -> "a thin pool stays stuck pool=" + device + ": " + e);
            return false;
        }
    }
}
