package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.engine.LvmVersion;
import lvms.lvm2.lock.GroupLocks;
import lvms.lvm2.report.CommandOutput;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A {@link CommandRunner} for changes. After the death of a process that made one, the next change
 * that sees the same devices begins with a report and a look at the device-mapper; and a thin pool
 * that was left stuck by a creation cut short is freed for the change that runs into it.
 *
 * @param commands runs one command, whatever happened to those before it
 * @param mending what to do after a death
 * @param locks turns within this process
 */
record MendingRunner(CommandRunner commands, Mending mending, GroupLocks locks) {
    MendingRunner within(DeviceScope devices) {
        var narrowed = commands.within(devices);
        return new MendingRunner(narrowed, mending.with(narrowed), locks);
    }

    /** Returns a runner that sees these devices too. */
    MendingRunner seeing(Collection<Path> devices) {
        return within(commands.scope().with(devices));
    }

    /** Runs a command; its first word is its name. Returns only on success. */
    CommandOutput run(Effect effect, List<String> words) throws LvmException, InterruptedException {
        return run(effect, words, words);
    }

    /**
     * Runs a change that deactivates a volume and activates it again; if it is cut, mending does.
     */
    void runKeepingActive(Identity<LvName> volume, List<String> words)
            throws LvmException, InterruptedException {
        run(Effect.CHANGE, words, CutChanges.keepingActive(volume, words));
    }

    /** Runs an activation or a refresh, by which the kernel takes a table that is loaded. */
    void resume(LvName volume, List<String> words) throws LvmException, InterruptedException {
        resume(List.of(volume), words);
    }

    /** The same for several volumes of a group. */
    void resume(List<LvName> volumes, List<String> words)
            throws LvmException, InterruptedException {
        for (var volume : volumes) {
            mending.beforeResume(volume);
        }
        run(Effect.CHANGE, words);
    }

    /**
     * Runs a command.
     *
     * @param note what to remember of it while it runs: words that name its group
     */
    CommandOutput run(Effect effect, List<String> words, List<String> note)
            throws LvmException, InterruptedException {
        if (effect != Effect.READ) {
            mending.beforeChange(note);
        }
        try {
            return attempt(effect, words, note);
        } catch (LvmException e) {
            if (!mending.freesStuckPool(words, e)) {
                throw e;
            }
        }
        return attempt(effect, words, note);
    }

    private CommandOutput attempt(Effect effect, List<String> words, List<String> note)
            throws LvmException, InterruptedException {
        try {
            return mending.noting(effect, words, note);
        } catch (LvmException.OutcomeUnknown e) {
            mending.afterDeath(note);
            throw e;
        }
    }

    /** Returns whether the kernel never had the device of a thin volume; see {@link StuckPools}. */
    boolean neverMade(LogicalVolume volume) throws LvmException, InterruptedException {
        return new StuckPools(commands, kernel()).neverMade(volume);
    }

    /** Reports need no mending. */
    Reads reads() {
        return new Reads(commands, locks);
    }

    KernelView kernel() {
        return mending.kernel();
    }

    LvmOptions options() {
        return commands.options();
    }

    List<String> withoutPolling() {
        return commands.withoutPolling();
    }

    /** Returns the version of LVM; empty if it could not be read. */
    Optional<LvmVersion> version() {
        return commands.version();
    }
}
