package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.report.Columns;
import lvms.lvm2.report.CommandOutput;
import lvms.lvm2.report.FailureKind;
import lvms.lvm2.watchdog.Watchdog;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What happens after the death of a process that made a change: its devices are mended and LVM's
 * metadata is read again. If the change was cut short between two copies of the metadata, the older
 * copies are brought up to date. Until a report about it has been read, nothing in doubt is
 * changed.
 *
 * @param commands runs the cures, and is not mended itself
 * @param kernel says which devices are unfinished
 * @param doubts groups and devices of which a change died and nothing was read since; shared by all
 *     views
 * @param watchdog knows of each change, so that I/O goes on if this process dies in it
 */
record Mending(CommandRunner commands, KernelView kernel, Set<String> doubts, Watchdog watchdog) {
    private static final System.Logger LOG = System.getLogger(Mending.class.getName());

    /** Changes of other programs suspend devices too, for a few milliseconds. */
    private static final Duration PASSING = Duration.ofSeconds(1);

    /** How often a cure, or the look for what to mend, is tried. */
    private static final int TIMES = 3;

    /** Without a watchdog: what a killed process leaves waits for the next one. */
    Mending(CommandRunner commands, KernelView kernel, Set<String> doubts) {
        this(commands, kernel, doubts, Watchdog.NONE);
    }

    /** Returns the same for commands that see other devices. */
    Mending with(CommandRunner others) {
        return new Mending(others, kernel, doubts, watchdog);
    }

    /**
     * Runs a command; a change is noted until it has ended, so that its death is known.
     *
     * @param note the words, and perhaps what {@link CutChanges#keepingActive} adds
     */
    CommandOutput noting(Effect effect, List<String> words, List<String> note)
            throws LvmException, InterruptedException {
        if (effect == Effect.READ || !commands.options().activation()) {
            return commands.run(effect, words);
        }
        var running = begun(note);
        try (var _ = running) {
            var output = commands.run(effect, words);
            running.ended();
            return output;
        } catch (LvmException.OutcomeUnknown e) {
            throw e;
        } catch (LvmException | InterruptedException e) {
            running.ended();
            throw e;
        }
    }

    /** Notes that a change of several commands begins. */
    CutChanges.Running begun(List<String> words) throws LvmException {
        return begun(words, Optional.empty());
    }

    /**
     * Notes that a change begins that holds the I/O of volumes. If this process dies or hangs, the
     * watchdog lets it go on.
     *
     * @param longest how long this process holds it at most
     */
    CutChanges.Running holding(Collection<LvName> volumes, Duration longest) throws LvmException {
        return begun(CutChanges.holding(volumes), Optional.of(longest));
    }

    private CutChanges.Running begun(List<String> words, Optional<Duration> longest)
            throws LvmException {
        try {
            return cut().begin(words, watchdog, longest);
        } catch (IOException e) { // LVM could not take a lock there either
            throw new LvmException.Unavailable("cannot note that a change begins: " + e, e);
        }
    }

    CutChanges cut() {
        return CutChanges.of(commands.options());
    }

    /** Mends at once what can be mended; what cannot is left to the next change. */
    void afterDeath(List<String> killed) throws InterruptedException {
        doubts.addAll(Words.subjects(killed));
        try {
            readAnew(killed);
        } catch (LvmException e) {
            LOG.log(Level.WARNING, () -> "state could not be read after a change was killed: " + e);
        }
    }

    /**
     * A change must not build on a state that nobody has read. What another group needs is left to
     * whoever has the turn of that group.
     */
    void beforeChange(List<String> next) throws LvmException, InterruptedException {
        if (!Collections.disjoint(doubts, Words.subjects(next))) {
            readAnew(next);
        }
    }

    /** Frees the stuck pool on which a change failed; returns whether to make the change again. */
    boolean freesStuckPool(List<String> change, LvmException failure)
            throws LvmException, InterruptedException {
        var pool = FailureKind.stuckPool(failure);
        return pool.isPresent()
                && Recovery.concerns(change, pool.get().device())
                && new StuckPools(commands, kernel).free(pool.get());
    }

    private void readAnew(List<String> about) throws LvmException, InterruptedException {
        for (var cure : cures(vg -> Recovery.names(about, vg))) {
            make(cure); // before the report, which may need the devices
        }
        try {
            metadata(vg -> Recovery.names(about, vg), Set.of());
        } catch (LvmException.LockBusy | LvmException.Unavailable e) {
            throw e; // nothing has been read yet
        } catch (LvmException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "a volume group is not healthy after a change was killed: " + e);
        }
        doubts.removeAll(Words.subjects(about));
    }

    private void metadata(Predicate<String> groups, Set<String> pools)
            throws LvmException, InterruptedException {
        var report = commands.report("vgs", "vg_name,vg_uuid,vg_seqno,vg_exported", List.of());
        for (var vg : FailureKind.inconsistentGroups(report.warnings())) {
            if (groups.test(vg)) {
                make(List.of("vgck", "--updatemetadata", vg));
            }
        }
        for (var row : report.rows("vg")) {
            var vg = Columns.text(row, "vg_name");
            if (groups.test(vg)) {
                if (Columns.text(row, "vg_exported").isEmpty()) { // else LVM lists no volumes
                    leftovers(vg, pools);
                }
                if (!shows(vg)) {
                    cut().forget(vg);
                }
            }
        }
    }

    private void leftovers(String vg, Set<String> pools) throws LvmException, InterruptedException {
        if (commands.options().activation()) {
            if (cut().concern(vg)) {
                dropTables(vg); // they keep open what they would use
            }
            removeLeftovers(vg);
            if (cut().concern(vg)) {
                removeEndedMoves(vg);
            }
            if (!commands.options().udev() && cut().concern(vg)) {
                make(List.of("vgmknodes", vg));
                StaleNodes.of(commands.options(), kernel.deviceMapper()).remove(vg);
            }
            activateAgain(vg);
            new StuckPools(commands, kernel).mend(vg, pools);
        }
    }

    /**
     * A move that has ended leaves its mirror, without extents and under a name that is reserved,
     * for one more change of the metadata. If that was cut, LVM itself never looks for it again.
     */
    private void removeEndedMoves(String vg) throws LvmException, InterruptedException {
        var volumes = commands.report("lvs", "lv_name,lv_uuid,segtype", List.of("-a", vg));
        for (var row : volumes.rows("lv")) {
            var name = new LvName(vg, Columns.bare(Columns.text(row, "lv_name")));
            if (Recovery.isMove(name) && Columns.text(row, "segtype").equals("error")) {
                var mirror = new Identity<>(name, Columns.text(row, "lv_uuid"));
                make(Words.onlyIf("&&segtype=error", mirror, "lvremove", "-y"));
            }
        }
    }

    /** Called before LVM resumes a volume; see {@link SuspendedDevices}. */
    void beforeResume(LvName volume) throws LvmException, InterruptedException {
        if (kernel.hasLoadedTable(volume)) {
            dropTables(volume.vg());
        }
    }

    private void dropTables(String vg) throws LvmException, InterruptedException {
        var locks = CutChanges.lockFolder(commands.options());
        new SuspendedDevices(kernel.deviceMapper(), locks)
                .dropTables(vg, commands.options().lockWait());
    }

    /** Of a volume that is still there, snapshots may be gone: only a refresh makes these. */
    private void activateAgain(String vg) throws LvmException, InterruptedException {
        for (var volume : cut().keptActive(vg)) {
            if (kernel.identity(volume.name()).isEmpty()) {
                make(commands.activation(volume));
            } else if (cut().deactivated(volume)) {
                make(Recovery.refresh(volume.name()));
            }
        }
    }

    /** Removes a group's devices that LVM does not know of; see {@link Leftovers}. */
    void removeLeftovers(String vg) throws LvmException, InterruptedException {
        new Leftovers(commands, kernel).remove(vg, cut().concern(vg));
    }

    private Set<List<String>> cures(Predicate<String> groups)
            throws LvmException, InterruptedException {
        if (!commands.options().activation()) {
            return Set.of();
        }
        var cures = Recovery.commands(groups, kernel.deviceMapper(), cut()::concern);
        for (var volume : cut().resumed(groups)) {
            if (kernel.exists(Grammar.deviceMapperName(volume))) {
                cures.add(Recovery.refresh(volume));
            }
        }
        return cures;
    }

    /**
     * Returns whether the device-mapper shows something unfinished in a group, or I/O in it went on
     * before LVM had looked at what a killed change left.
     */
    boolean unfinished(String vg) throws LvmException, InterruptedException {
        return shows(vg) || commands.options().activation() && !cut().resumed(vg::equals).isEmpty();
    }

    private boolean shows(String vg) throws LvmException, InterruptedException {
        return commands.options().activation()
                && Recovery.unfinished(vg, kernel.deviceMapper(), cut()::concern);
    }

    /**
     * Mends what is unfinished in a group now and still is a moment later; the caller holds the
     * group's turn.
     *
     * @param pools names of thin pools that only the caller changes, see {@link StuckPools}
     */
    void mend(String vg, Set<String> pools) throws LvmException, InterruptedException {
        var cures = cures(vg::equals);
        if (!cures.isEmpty()) {
            Thread.sleep(PASSING);
            cures.retainAll(cures(vg::equals));
            for (var cure : cures) {
                make(cure);
            }
        }
        for (int again = TIMES - 1; ; again--) {
            try {
                metadata(vg::equals, pools);
                return;
            } catch (LvmException e) {
                int left = again;
                LOG.log(
                        Level.WARNING,
                        () -> "cannot look for unfinished metadata, tries left=" + left + ": " + e);
                if (left == 0) {
                    return;
                }
            }
        }
    }

    /**
     * LVM may fail and still remove a half-made device, so the status only goes to the log. It
     * refreshes no snapshot that is being merged, but whatever its group shows.
     */
    private void make(List<String> cure) throws InterruptedException {
        for (int i = 0; i < TIMES; i++) {
            try {
                if (cure.contains("--refresh")) {
                    dropTables(group(cure.getLast()));
                }
                var done = commands.attempt(Effect.CHANGE, cure);
                LOG.log(
                        Level.WARNING,
                        () ->
                                "mended what a killed command left command=\"%s\" status=%d %s"
                                        .formatted(
                                                String.join(" ", cure),
                                                done.status(),
                                                String.join("; ", done.errors())));
                if (done.status() != 0 && cure.containsAll(List.of("lvchange", "--refresh"))) {
                    make(Recovery.refresh(group(cure.getLast())));
                }
                return;
            } catch (LvmException e) { // whoever makes the cure may be killed too
                LOG.log(
                        Level.ERROR,
                        () -> "cannot mend what a killed command left cure=" + cure,
                        e);
            }
        }
    }

    /** The group in the last word of a command, which is the group or a volume in it. */
    private static String group(String last) {
        return last.contains("/") ? last.substring(0, last.indexOf('/')) : last;
    }
}
