package lvms.lvm2.report;

import java.util.Optional;

/**
 * A thin pool in which LVM can no longer change anything: the creation of a volume was cut short
 * after the kernel had made the device and before the pool's transaction number was raised. With
 * every change, LVM sends the message again, and the kernel says that the device exists.
 *
 * <p>The volume may have been activated and written to since then: an activation sends no message.
 * So a device that LVM knows is kept, and the transaction is completed in LVM's place. Only a
 * device that belongs to no volume of LVM is removed, and the kernel does not remove an open one.
 *
 * @param device device-mapper name of the pool
 * @param deviceId the thin device in it
 */
public record StuckPool(String device, int deviceId) {
    /**
     * Returns what to tell the kernel's pool.
     *
     * @param kernel the kernel's transaction
     * @param counted LVM's transaction
     * @param known whether a volume of LVM has the device
     */
    public Optional<String> message(long kernel, long counted, boolean known) {
        if (known && counted == kernel + 1) {
            return Optional.of("set_transaction_id %d %d".formatted(kernel, counted));
        }
        boolean forgotten = !known && counted == kernel && isLast(kernel, counted);
        return forgotten ? Optional.of("delete " + deviceId) : Optional.empty();
    }

    /**
     * Returns whether the creation of a volume was cut before the kernel heard of it: the pool's
     * last transaction is open, and is the one in which the volume was made. The kernel has written
     * down every transaction before, so a volume of an earlier one was there, whatever became of
     * it.
     *
     * @param kernel the kernel's transaction
     * @param counted LVM's transaction
     * @param made LVM's transaction when the volume was made
     */
    public static boolean neverMade(long kernel, long counted, long made) {
        return counted == kernel + 1 && made == kernel;
    }

    /**
     * LVM counts first, so after a transaction that was cut short LVM's number is one ahead. If the
     * kernel's number is zero, LVM never made or removed a volume in the pool: what is in it
     * belongs to another program.
     */
    public static boolean isLast(long kernel, long counted) {
        return kernel > 0 && (counted == kernel || counted == kernel + 1);
    }
}
