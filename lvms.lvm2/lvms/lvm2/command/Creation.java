package lvms.lvm2.command;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.report.FailureKind;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the creation of every kind of volume has in common.
 *
 * @param pool where the volume is made, if in a thin pool
 */
record Creation(MendingRunner runner, Reads reads, Optional<LvName> pool) {
    private static final System.Logger LOG = System.getLogger(Creation.class.getName());
    private static final Optional<Identity<LvName>> NONE = Optional.empty();

    Creation(MendingRunner runner) {
        this(runner, runner.reads(), Optional.empty());
    }

    Creation in(LvName thinPool) {
        return new Creation(runner, reads, Optional.of(thinPool));
    }

    /** A creation that can be repeated. */
    @FunctionalInterface
    interface Making {
        void make() throws LvmException, InterruptedException;
    }

    /** How a new volume is described to the caller. */
    @FunctionalInterface
    interface ReadBack {
        LogicalVolume made() throws LvmException, InterruptedException;
    }

    /**
     * One command creates the volume under its final name; if the name is taken, the existing
     * volume is checked afterwards.
     *
     * @param shape the command without name, tags and place
     * @param where the group, or the source of a snapshot
     * @param same whether the existing volume is what was asked for, apart from its tags
     */
    LogicalVolume create(
            LvName name,
            List<String> shape,
            Set<String> tags,
            List<String> where,
            ReadBack readBack,
            Predicate<LogicalVolume> same)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(shape);
        words.addAll(List.of("-n", name.lv()));
        words.addAll(Words.options("--addtag", tags));
        words.addAll(where);
        try (var _ = runner.locks().change(name.vg())) {
            try {
                make(words);
                if (pool.isPresent() && runner.options().activation()) {
                    new OldContent(runner, reads).replace(name, pool.get(), () -> make(words));
                }
                new ImagesApart(runner, reads).require(name, words);
                return readBack.made().justMade();
            } catch (LvmException.AlreadyExists e) {
                var found = reads.existing(name);
                if (!same.test(found) || !found.tags().containsAll(tags)) {
                    throw e;
                }
                return awake(found, words);
            }
        }
    }

    /** LVM deactivates an active pool before it makes the first volume in it. */
    private void make(List<String> words) throws LvmException, InterruptedException {
        var active = pool.isPresent() ? runner.kernel().identity(pool.get()) : NONE;
        if (active.isPresent()) {
            runner.runKeepingActive(active.get(), words);
        } else {
            runner.run(Effect.CHANGE, words);
        }
    }

    /**
     * A creation that was killed may have written the metadata but made no device. If it is proven
     * that nobody can have used it, there is no data to lose, and it is created again. An active
     * one may lack its node below /dev: without udev, LVM makes the node last.
     */
    private LogicalVolume awake(LogicalVolume found, List<String> creation)
            throws LvmException, InterruptedException {
        if (!runner.options().activation()) {
            return found;
        }
        if (found.active()) {
            runner.run(Effect.CHANGE, List.of("vgmknodes", found.name().toString()));
            return found;
        }
        try {
            activate(found.identity());
        } catch (LvmException.CommandFailed e) {
            if (!neverMade(found, e)) {
                throw e;
            }
            runner.run(Effect.CHANGE, Words.only(found.identity(), "lvremove", "-y"));
            make(creation);
        }
        return reads.existing(found.name());
    }

    /**
     * The kernel's pool knows which thin volumes it had. The metadata volumes of a RAID volume are
     * hidden at the end of its creation, and LVM activates none that has visible ones.
     */
    private boolean neverMade(LogicalVolume found, LvmException.CommandFailed refusal)
            throws LvmException, InterruptedException {
        var name = found.name();
        return found.isThin()
                ? FailureKind.of(refusal.status(), refusal.errors()) == FailureKind.NO_DEVICE
                        && runner.neverMade(found)
                : reads.layers(name.vg()).neverActive(name.lv());
    }

    /** Activates a volume, even one that is marked to be skipped. */
    void activate(Identity<LvName> volume) throws LvmException, InterruptedException {
        runner.resume(volume.name(), runner.commands().activation(volume));
    }

    /**
     * Activates what can be activated of these volumes, even ones that are marked to be skipped.
     */
    void activateAll(Collection<Identity<LvName>> volumes)
            throws LvmException, InterruptedException {
        var words = runner.commands().activation(volumes);
        try {
            runner.resume(volumes.stream().map(Identity::name).toList(), words);
        } catch (LvmException e) {
            if (e.passing()) {
                throw e;
            }
            LOG.log(Level.DEBUG, () -> "not all volumes were activated: " + e.getMessage());
        }
    }

    /**
     * Words that make LVM wipe the start of a thick volume; without a device-mapper there is only
     * metadata.
     */
    List<String> wiped() {
        return runner.options().activation() ? List.of("-Wy", "-Zy") : List.of("-an", "-Wn", "-Zn");
    }

    /** Without a device-mapper only metadata can be made. */
    List<String> inactive() {
        return runner.options().activation() ? List.of() : List.of("-an");
    }
}
