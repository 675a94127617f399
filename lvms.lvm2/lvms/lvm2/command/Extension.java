package lvms.lvm2.command;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.Grammar;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.instant.HeldDevices;
import lvms.lvm2.report.RaidGrowth;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Growth of a volume, or of a pool's data.
 *
 * @param runner runs it
 * @param found the volume as it is now, smaller
 * @param data name of the volume that has the extents: the volume itself, or a pool's hidden one
 */
record Extension(MendingRunner runner, LogicalVolume found, String data) {
    private static final int NO_STATUS = 0;

    /** As for snapshots of several volumes. */
    private static final Duration LONGEST_HOLD = Duration.ofSeconds(10);

    /** By these LVM puts an image's extents where that image already is. */
    private static final Set<AllocationPolicy> APART =
            Set.of(AllocationPolicy.CONTIGUOUS, AllocationPolicy.CLING);

    /**
     * Grows the volume to this size.
     *
     * @throws LvmException.OutOfSpace also if there is room, but LVM might put two images of a RAID
     *     volume on one device
     */
    void to(long sizeBytes) throws LvmException, InterruptedException {
        run(commands(sizeBytes));
    }

    /**
     * The same for a volume that may have thick snapshots; see {@link #atRest}. What is to be done
     * is known before anything is changed.
     */
    void to(long sizeBytes, Creation creation) throws LvmException, InterruptedException {
        var commands = commands(sizeBytes);
        atRest(creation, () -> run(commands));
    }

    private void run(List<List<String>> commands) throws LvmException, InterruptedException {
        for (var words : commands) {
            runner.run(Effect.CHANGE, words);
        }
    }

    /** A change that makes the volume larger. */
    interface Growth {
        void run() throws LvmException, InterruptedException;
    }

    /**
     * Makes a growth. LVM grows the origin of thick snapshots only while it is inactive, and its
     * snapshots with it; they keep the size that it had. Any other volume stays active.
     *
     * <p>Half an origin must not stay: what is written to it while a snapshot is missing in the
     * kernel is missing in that snapshot for ever. So all of it is one change, and whoever mends it
     * completes the origin.
     *
     * @throws LvmException.InUse if it has thick snapshots, and it or one of them is open
     */
    void atRest(Creation creation, Growth growth) throws LvmException, InterruptedException {
        if (!found.isThickOrigin() || !found.active()) {
            growth.run();
            return;
        }
        var words = Words.only(found.identity(), "lvchange", "-y", "-an");
        var note = CutChanges.keepingActive(found.identity(), words);
        try (var running = runner.mending().begun(note)) {
            deactivate(words, running);
            try {
                growth.run();
            } finally {
                creation.activate(found.identity());
                running.ended();
            }
        } catch (LvmException.OutcomeUnknown e) {
            runner.mending().afterDeath(note);
            throw e;
        }
    }

    private void deactivate(List<String> words, CutChanges.Running running)
            throws LvmException, InterruptedException {
        try {
            runner.run(Effect.CHANGE, words);
        } catch (LvmException.InUse e) {
            running.ended(); // LVM has looked at all of them before it touched one
            throw new LvmException.InUse(
                    "lvextend %s: a volume with thick snapshots grows only while nobody uses it or"
                                    .formatted(found.name())
                            + " them; stop its pods, or delete its snapshots");
        }
    }

    /**
     * Grows the store of a thick snapshot while the I/O of its origin waits. LVM would suspend the
     * origin itself, and have its filesystem write what is in memory before, which alone may fill
     * the store. A device that is suspended it leaves as it is, and resumes it in the end.
     *
     * <p>The note of the change is what makes the watchdog resume the origin if this process dies.
     */
    void whileHeld(LvName origin, long sizeBytes) throws LvmException, InterruptedException {
        var words = List.of("lvextend", "-y", "-L", sizeBytes + "b", found.name().toString());
        try (var running = runner.mending().holding(List.of(origin), LONGEST_HOLD)) {
            var held = HeldDevices.unfrozen(LONGEST_HOLD);
            try {
                hold(held, origin);
                runner.run(Effect.CHANGE, words);
            } finally {
                if (held.release()) {
                    running.ended();
                }
            }
        }
    }

    /** If the origin is not active, nobody writes to it. */
    private void hold(HeldDevices held, LvName origin) throws LvmException, InterruptedException {
        try {
            var device =
                    runner.kernel()
                            .deviceMapper()
                            .outline(Grammar.deviceMapperName(origin))
                            .map(DeviceMapper.State::name);
            held.hold(device.stream().toList());
        } catch (IOException e) {
            throw new LvmException.CommandFailed(
                    "hold the I/O of " + origin + ": " + e.getMessage(), NO_STATUS, List.of());
        }
    }

    private List<List<String>> commands(long sizeBytes) throws LvmException, InterruptedException {
        var volume = found.name().toString();
        var plain = List.of("lvextend", "-y", "-L", sizeBytes + "b", volume);
        boolean raid = found.layout().contains("raid") || found.isThinPool();
        if (!raid) {
            return List.of(plain);
        }
        var report =
                runner.reads()
                        .report(found.name().vg())
                        .orElseThrow(() -> new LvmException.NotFound(found.name().vg()));
        var growth = RaidGrowth.of(report, data);
        var policy = policy(report.group());
        boolean refused = ImagesApart.byLvm(runner);
        boolean shared = policy == AllocationPolicy.ANYWHERE; // whoever sets this accepts it
        if (!growth.isRaid() || APART.contains(policy) || shared && !refused) {
            return List.of(plain);
        }
        var steps = commands(growth, report.group().extentSizeBytes(), sizeBytes);
        if (steps.isEmpty() && !refused) {
            throw new LvmException.OutOfSpace(
                    "lvextend "
                            + volume
                            + ": not enough devices with room to keep its images apart; add a"
                            + " device for each image");
        }
        return steps.orElse(List.of(plain));
    }

    private AllocationPolicy policy(VolumeGroup group) {
        var own = found.attributes().allocation();
        return own == AllocationPolicy.INHERIT ? group.allocation() : own;
    }

    private Optional<List<List<String>>> commands(RaidGrowth growth, long extent, long sizeBytes) {
        long stripes = Math.max(1, found.sizeBytes() / extent / growth.imageExtents());
        long more = Math.ceilDiv(sizeBytes - found.sizeBytes(), extent * stripes);
        var commands = new ArrayList<List<String>>();
        long image = growth.imageExtents();
        for (var step : growth.steps(more)) {
            image += step.moreExtents();
            long size = Math.min(sizeBytes, image * stripes * extent);
            commands.add(step.words(size + "b", found.name().toString()));
        }
        return commands.isEmpty() ? Optional.empty() : Optional.of(commands);
    }
}
