package lvms.lvm2;

import lvms.lvm2.device.Program;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A thin pool in which LVM can change nothing any more: the creation of a volume was cut when the
 * kernel had made the device and the pool's transaction was not counted up yet. With every change
 * LVM sends the message again, and the kernel says that the device exists.
 *
 * <p>The volume may have been activated and written to since then: an activation sends no message.
 * So what LVM knows of is kept, and the transaction is ended in LVM's stead. Only a device that no
 * volume of LVM has is removed, and the kernel removes none that is open.
 *
 * @param device device-mapper name of the pool
 * @param deviceId the thin device in it
 */
record StuckPool(String device, int deviceId) {
    private static final System.Logger LOG = System.getLogger(StuckPool.class.getName());
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Ends the transaction, or removes the device; returns whether LVM may try again. */
    boolean free(CommandRunner runner) throws LvmException, InterruptedException {
        var pool = Recovery.volumeOf(device);
        try {
            var message = pool.isPresent() ? message(runner, pool.get()) : Optional.<String>empty();
            return message.isPresent() && send(message.get());
        } catch (IOException | TimeoutException e) {
            LOG.log(Level.ERROR, () -> "a thin pool stays stuck pool=" + device + ": " + e);
            return false;
        }
    }

    private Optional<String> message(CommandRunner runner, LvName pool)
            throws LvmException, IOException, InterruptedException {
        var rows =
                runner.report("lvs", "lv_name,pool_lv,thin_id,transaction_id", List.of(pool.vg()))
                        .rows("lv");
        long counted =
                rows.stream()
                        .filter(row -> Columns.text(row, "lv_name").equals(pool.lv()))
                        .mapToLong(row -> Columns.number(row, "transaction_id"))
                        .findFirst()
                        .orElse(0);
        boolean known =
                rows.stream()
                        .filter(row -> Columns.text(row, "pool_lv").equals(pool.lv()))
                        .anyMatch(row -> Columns.number(row, "thin_id") == deviceId);
        return runner.kernel()
                .deviceMapper()
                .thinPool(pool)
                .flatMap(use -> message(use.transactionId(), counted, known));
    }

    /**
     * Returns what to tell the kernel's pool.
     *
     * @param kernel the kernel's transaction
     * @param counted LVM's transaction
     * @param known whether a volume of LVM has the device
     */
    Optional<String> message(long kernel, long counted, boolean known) {
        if (known && counted == kernel + 1) {
            return Optional.of("set_transaction_id %d %d".formatted(kernel, counted));
        }
        return !known && counted == kernel ? Optional.of("delete " + deviceId) : Optional.empty();
    }

    private boolean send(String message)
            throws IOException, TimeoutException, InterruptedException {
        var result = Program.of(DEADLINE, "dmsetup", "message", device, "0", message).run();
        LOG.log(
                Level.WARNING,
                () ->
                        "a cut creation was brought to its end pool=%s message=\"%s\" status=%d %s"
                                .formatted(
                                        device, message, result.status(), result.stderr().strip()));
        return result.succeeded();
    }
}
