package lvms.lvm2.command;

import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.report.Columns;
import lvms.lvm2.report.FailureKind;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What happens after the death of a process that made a change: its devices are mended, LVM's
 * metadata is read anew, and where the copies on the physical volumes differ, since the change was
 * cut between two of them, the older are brought up to date. Until a report was read, no change is
 * made through the same scope.
 */
record Mending(CommandRunner runner) {
    private static final System.Logger LOG = System.getLogger(Mending.class.getName());

    /** A change of another program suspends devices too, for some milliseconds. */
    private static final Duration PASSING = Duration.ofSeconds(1);

    /** Mends at once what can be mended; what cannot is left to the next change. */
    void afterDeath(Command killed) throws InterruptedException {
        runner.doubts().add(runner.scope());
        try {
            readAnew(killed);
        } catch (LvmException e) {
            LOG.log(Level.WARNING, () -> "nothing could be read after a change died: " + e);
        }
    }

    /** Nothing is built on what nobody has read. */
    void beforeChange(Command next) throws LvmException, InterruptedException {
        if (runner.doubts().contains(runner.scope())) {
            readAnew(next);
        }
    }

    private void readAnew(Command about) throws LvmException, InterruptedException {
        devices(vg -> Recovery.names(about, vg)); // before the report, which may need them
        try {
            metadata(vg -> Recovery.names(about, vg));
        } catch (LvmException.LockBusy | LvmException.Unavailable e) {
            throw e; // still nothing was read
        } catch (LvmException e) {
            LOG.log(Level.WARNING, () -> "a group is not well after a change died: " + e);
        }
        runner.doubts().remove(runner.scope());
    }

    private void devices(Predicate<String> groups) throws InterruptedException {
        for (var cure : cures(groups)) {
            make(cure);
        }
    }

    private void metadata(Predicate<String> groups) throws LvmException, InterruptedException {
        var report = runner.report("vgs", "vg_name,vg_uuid,vg_seqno", List.of());
        for (var vg : FailureKind.inconsistentGroups(report.warnings())) {
            if (groups.test(vg)) {
                make(List.of("vgck", "--updatemetadata", vg));
            }
        }
        for (var row : report.rows("vg")) {
            if (groups.test(Columns.text(row, "vg_name"))) {
                leftovers(Columns.text(row, "vg_name"));
            }
        }
    }

    private void leftovers(String vg) throws LvmException, InterruptedException {
        if (runner.options().activation()) {
            new Leftovers(runner).remove(vg);
            new StuckPools(runner).removeForgotten(vg);
        }
    }

    private Set<List<String>> cures(Predicate<String> groups) throws InterruptedException {
        return runner.options().activation()
                ? Recovery.commands(groups, runner.kernel().deviceMapper())
                : Set.of();
    }

    /** Returns whether the device-mapper shows something unfinished in a group. */
    boolean unfinished(String vg) throws InterruptedException {
        return !cures(vg::equals).isEmpty();
    }

    /** Mends what is unfinished in a group now and a moment later; the caller has its turn. */
    void mend(String vg) throws InterruptedException {
        var cures = cures(vg::equals);
        if (!cures.isEmpty()) {
            Thread.sleep(PASSING);
            cures.retainAll(cures(vg::equals));
            for (var cure : cures) {
                make(cure);
            }
        }
        try {
            metadata(vg::equals);
        } catch (LvmException e) {
            LOG.log(Level.WARNING, () -> "cannot look for unfinished metadata: " + e);
        }
    }

    /**
     * LVM may say no and still take a half-made device away, so the status only goes to the log.
     */
    private void make(List<String> cure) throws InterruptedException {
        try {
            int status = runner.attempt(Effect.CHANGE, cure).status();
            LOG.log(
                    Level.WARNING,
                    () ->
                            "mended what a killed command left command=\"%s\" status=%d"
                                    .formatted(String.join(" ", cure), status));
        } catch (LvmException e) {
            LOG.log(Level.ERROR, () -> "something stays unfinished cure=" + cure, e);
        }
    }
}
