package lvms.lvm2;

import lvms.lvm2.device.FileLock;
import lvms.lvm2.device.Program;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
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
        var rows = PoolRows.of(runner, pool.vg());
        boolean known = rows.deviceIds(pool.lv()).anyMatch(id -> id == deviceId);
        return runner.kernel()
                .deviceMapper()
                .thinPool(pool)
                .flatMap(use -> message(use.transactionId(), rows.transaction(pool.lv()), known));
    }

    /**
     * Removes what a cut removal left in the pools of a group: LVM has forgotten the volume, and
     * the kernel still has the device under the number that LVM gives to the next volume. If that
     * one's creation is cut before the message to the kernel, and the volume is then activated, it
     * shows what the removed one held.
     *
     * <p>LVM's own lock is held from the look at the pool to the removal, and the pool's
     * transaction must still be the one of LVM's report: so nobody has made a device beyond the
     * last volume's in between. The kernel removes none that is active.
     */
    static void removeForgotten(CommandRunner runner, String vg)
            throws LvmException, InterruptedException {
        var rows = PoolRows.of(runner, vg);
        if (rows.pools().isEmpty()) {
            return;
        }
        var root = runner.options().hostPid();
        var lockFile =
                Path.of(
                        root.isPresent() ? "/proc/" + root.getAsLong() + "/root" : "/",
                        "run/lock/lvm",
                        "V_" + vg);
        try (var lock = FileLock.tryLock(lockFile).orElse(null)) {
            if (lock == null) {
                return; // whoever changes the group now sends the pool's messages anew
            }
            for (var pool : rows.pools()) {
                removeForgotten(runner, new LvName(vg, pool), rows);
            }
        } catch (IOException | TimeoutException e) {
            LOG.log(Level.WARNING, () -> "cannot look for thin devices of nobody vg=" + vg, e);
        }
    }

    private static void removeForgotten(CommandRunner runner, LvName pool, PoolRows rows)
            throws IOException, TimeoutException, InterruptedException {
        var use = runner.kernel().deviceMapper().thinPool(pool);
        long counted = rows.transaction(pool.lv());
        boolean same = use.filter(now -> isLast(now.transactionId(), counted)).isPresent();
        var next =
                new StuckPool(
                        Grammar.deviceMapperName(pool) + "-tpool",
                        rows.deviceIds(pool.lv()).max().orElse(0) + 1);
        if (same && next.message("delete " + next.deviceId).succeeded()) {
            LOG.log(Level.WARNING, () -> "removed a thin device of no volume " + next);
        }
    }

    /**
     * LVM counts first; a transaction that was cut is one ahead. Where the kernel counts none, LVM
     * has never removed anything: what is in such a pool is another program's, which manages it by
     * itself.
     */
    static boolean isLast(long kernel, long counted) {
        return kernel > 0 && (counted == kernel || counted == kernel + 1);
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
        boolean forgotten = !known && counted == kernel && isLast(kernel, counted);
        return forgotten ? Optional.of("delete " + deviceId) : Optional.empty();
    }

    private boolean send(String message)
            throws IOException, TimeoutException, InterruptedException {
        var result = message(message);
        LOG.log(
                Level.WARNING,
                () ->
                        "a cut creation was brought to its end pool=%s message=\"%s\" status=%d %s"
                                .formatted(
                                        device, message, result.status(), result.stderr().strip()));
        return result.succeeded();
    }

    private Program.Result message(String message)
            throws IOException, TimeoutException, InterruptedException {
        return Program.of(DEADLINE, "dmsetup", "message", device, "0", message).run();
    }
}
