package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.report.PoolRows;
import lvms.lvm2.report.StuckPool;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

/** Frees thin pools in which LVM can no longer change anything; see {@link StuckPool}. */
record StuckPools(CommandRunner commands, KernelView kernel) {
    private static final System.Logger LOG = System.getLogger(StuckPools.class.getName());
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Ends the transaction, or removes the device; returns whether LVM may try again. */
    boolean free(StuckPool stuck) throws LvmException, InterruptedException {
        var pool = Recovery.volumeOf(stuck.device());
        try {
            var message = pool.isPresent() ? message(stuck, pool.get()) : Optional.<String>empty();
            boolean free = message.isPresent() && send(stuck, message.get());
            if (free) {
                pending().end(pool.get().vg(), Set.of(pool.get().lv()));
            }
            return free;
        } catch (IOException | TimeoutException e) {
            LOG.log(
                    Level.ERROR,
                    () -> "a thin pool could not be repaired pool=" + stuck.device() + ": " + e);
            return false;
        }
    }

    private Optional<String> message(StuckPool stuck, LvName pool)
            throws LvmException, IOException, InterruptedException {
        var rows = rows(pool.vg());
        boolean known = rows.deviceIds(pool.lv()).anyMatch(id -> id == stuck.deviceId());
        long counted = rows.transaction(pool.lv());
        return kernel.deviceMapper()
                .thinPool(pool)
                .flatMap(use -> stuck.message(use.transactionId(), counted, known));
    }

    /**
     * Returns whether it is proven that the kernel never had the device of a thin volume, so that
     * nobody can have written to it. That the kernel cannot load it proves nothing: a sector of the
     * pool's metadata may be unreadable, or a repair may have lost the device.
     */
    boolean neverMade(LogicalVolume volume) throws LvmException, InterruptedException {
        var name = volume.name();
        if (volume.pool().isEmpty()) {
            return false;
        }
        var pool = new LvName(name.vg(), volume.pool().get());
        activate(pool); // the failed activation may have ended the pool's
        return neverMade(name, pool, rows(name.vg()));
    }

    boolean neverMade(LvName volume, LvName pool, PoolRows rows) throws InterruptedException {
        long counted = rows.transaction(pool.lv());
        long made = rows.transaction(volume.lv());
        try {
            return kernel.deviceMapper()
                    .thinPool(pool)
                    .filter(use -> StuckPool.neverMade(use.transactionId(), counted, made))
                    .isPresent();
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "cannot read the state of a thin pool pool=" + pool, e);
            return false;
        }
    }

    void activate(LvName pool) throws LvmException, InterruptedException {
        var activation = new ArrayList<>(List.of("lvchange", "-y", "-ay"));
        activation.addAll(commands.withoutPolling());
        activation.add(pool.toString());
        commands.run(Effect.CHANGE, activation);
    }

    /**
     * Ends what changes that were cut short left in pools of a group: in those that a change of
     * ours was about, and in the caller's. Others may be used by programs that number devices
     * themselves, such as containerd, and device {@code max + 1} is theirs.
     *
     * @param pools names of the caller's thin pools
     */
    void mend(String vg, Set<String> pools) throws LvmException, InterruptedException {
        var rows = rows(vg);
        var mine = new TreeSet<>(pools);
        mine.addAll(named(vg, rows));
        mine.retainAll(rows.pools());
        if (!mine.isEmpty()) {
            removeForgotten(vg, mine, pending().end(vg, mine) ? rows(vg) : rows);
        }
    }

    /** The pools that changes which were cut short name, or whose volumes they name. */
    private Set<String> named(String vg, PoolRows rows) {
        var named = new HashSet<String>();
        for (var word : CutChanges.of(commands.options()).words(vg)) {
            var name = word.startsWith(vg + "/") ? word.substring(vg.length() + 1) : word;
            named.add(name);
            rows.thin(name).ifPresent(thin -> named.add(thin.pool()));
        }
        return named;
    }

    private PendingMessages pending() {
        return new PendingMessages(commands, this);
    }

    /**
     * Removes what a removal that was cut short left in the pools of a group: LVM has forgotten the
     * volume, but the kernel still has the device, under the number that LVM gives to the next
     * volume. If the creation of that volume is cut short before the message to the kernel, and the
     * volume is then activated, it shows the removed volume's data.
     *
     * <p>LVM's own lock is held from the look at the pool to the removal, and the pool's
     * transaction must still be the one in LVM's report: so nobody made another device in between.
     * The kernel does not remove an active device.
     */
    private void removeForgotten(String vg, Set<String> pools, PoolRows rows)
            throws InterruptedException {
        var file = CutChanges.lockFolder(commands.options()).resolve("V_" + vg);
        try (var lock = FileLock.tryLock(file).orElse(null)) {
            if (lock == null) {
                return; // whoever changes the group now sends the pool's messages again
            }
            for (var pool : pools) {
                removeForgotten(new LvName(vg, pool), rows);
            }
        } catch (IOException | TimeoutException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "cannot look for thin devices without a volume vg=" + vg,
                    e);
        }
    }

    private void removeForgotten(LvName pool, PoolRows rows)
            throws IOException, TimeoutException, InterruptedException {
        var use = kernel.deviceMapper().thinPool(pool);
        long counted = rows.transaction(pool.lv());
        boolean same =
                use.filter(now -> StuckPool.isLast(now.transactionId(), counted)).isPresent();
        var next =
                new StuckPool(
                        Grammar.deviceMapperName(pool) + "-tpool",
                        rows.deviceIds(pool.lv()).max().orElse(0) + 1);
        if (same && dmsetup(next, "delete " + next.deviceId()).succeeded()) {
            LOG.log(Level.WARNING, () -> "removed a thin device without a volume " + next);
        }
    }

    PoolRows rows(String vg) throws LvmException, InterruptedException {
        return PoolRows.of(commands.report("lvs", PoolRows.COLUMNS, List.of("-a", vg)));
    }

    private static boolean send(StuckPool stuck, String message)
            throws IOException, TimeoutException, InterruptedException {
        var result = dmsetup(stuck, message);
        LOG.log(
                Level.WARNING,
                () ->
                        "finished an interrupted creation pool=%s message=\"%s\" status=%d %s"
                                .formatted(
                                        stuck.device(),
                                        message,
                                        result.status(),
                                        result.stderr().strip()));
        return result.succeeded();
    }

    private static Program.Result dmsetup(StuckPool stuck, String message)
            throws IOException, TimeoutException, InterruptedException {
        return Program.of(DEADLINE, "dmsetup", "message", stuck.device(), "0", message).run();
    }
}
