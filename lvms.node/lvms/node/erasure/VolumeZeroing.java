package lvms.node.erasure;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.node.erasure.Erasures.Urgency;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Zeroes a new volume before it is handed out, and the extents onto which a volume grows before it
 * gets them. A call that is not done in a moment says so, and the same call later continues. Any
 * thread may call.
 */
public final class VolumeZeroing {
    /** A small volume, or a disk that zeroes by itself, needs no second call. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Groups groups;
    private final Erasures erasures;

    public VolumeZeroing(Groups groups, Erasures erasures) {
        this.groups = groups;
        this.erasures = erasures;
    }

    /**
     * Sees to it that a volume shows nothing of what was there before. Does nothing if it has been
     * zeroed, or was made without the mark.
     *
     * @param rateBytes most bytes in a second
     * @return the volume, without the mark
     */
    public LogicalVolume zeroed(LogicalVolume made, long rateBytes)
            throws LvmException, StillErasing, InterruptedException {
        if (!made.tags().contains(Marks.UNERASED)) {
            return made;
        }
        zero(made, made.name(), rateBytes);
        return requireZeroed(made.name(), groups.limitedTo(made.name().vg()));
    }

    /** An erasure may end without a failure and without its work: when the process ends. */
    private static LogicalVolume requireZeroed(LvName name, Lvm lvm)
            throws LvmException, InterruptedException {
        return lvm.volumes()
                .find(name)
                .filter(volume -> !volume.tags().contains(Marks.UNERASED))
                .orElseThrow(() -> new LvmException.Unavailable(name + " is not zeroed", null));
    }

    private void zero(LogicalVolume content, LvName waiting, long rateBytes)
            throws LvmException, StillErasing, InterruptedException {
        var erasure =
                erasures.start(
                        content,
                        waiting,
                        Urgency.AWAITED,
                        progress -> zero(content.name(), rateBytes, progress));
        if (!erasure.await(MOMENT)) {
            throw new StillErasing(erasure);
        }
        if (erasure.failure().isPresent()) {
            erasures.start(content, waiting, Urgency.AWAITED, _ -> {}); // says why
        }
    }

    private void zero(LvName name, long rateBytes, Erasure progress)
            throws LvmException, IOException, InterruptedException {
        var volume = new Erasable(groups).find(name);
        if (volume.filter(v -> v.tags().contains(Marks.UNERASED)).isPresent()) {
            ContentErasure.of(volume.get(), erasures.pieces(name, rateBytes, Urgency.AWAITED))
                    .zero(progress);
            var zeroed = Marks.isGrowth(volume.get()) ? Set.<String>of() : Set.of(Marks.ZEROED);
            groups.limitedTo(name.vg())
                    .volumes()
                    .changeTags(volume.get().identity(), zeroed, Set.of(Marks.UNERASED));
        }
    }

    /**
     * Makes a volume larger by extents that read as zeros.
     *
     * @param rateBytes most bytes in a second
     */
    public LogicalVolume grow(Lvm lvm, LvName name, long sizeBytes, long rateBytes)
            throws LvmException, StillErasing, InterruptedException {
        var volume =
                lvm.volumes()
                        .find(name)
                        .orElseThrow(() -> new LvmException.NotFound("no logical volume " + name));
        var reserve = reserve(lvm, volume.identity(), sizeBytes);
        if (reserve.isEmpty()) {
            return volume;
        }
        var zeroed = reserve.get();
        if (zeroed.tags().contains(Marks.UNERASED)) {
            zero(zeroed, name, rateBytes);
            requireZeroed(zeroed.name(), lvm);
        }
        try {
            return lvm.volumes().extendOnto(volume.identity(), sizeBytes, zeroed.identity());
        } finally {
            groups.changed(name.vg());
        }
    }

    /** Gives back the extents that were taken for the growth of a volume, zeroed or not. */
    public void endGrowth(Lvm lvm, Identity<LvName> volume)
            throws LvmException, InterruptedException {
        var growth = Marks.growth(volume);
        var reserve =
                groups.report(growth.vg())
                        .flatMap(report -> report.logicalVolume(growth.lv()))
                        .filter(Marks::isGrowth);
        if (reserve.isPresent()) {
            end(lvm, reserve.get());
        }
    }

    private void end(Lvm lvm, LogicalVolume reserve) throws LvmException, InterruptedException {
        erasures.stop(reserve.identity());
        lvm.volumes().remove(reserve.identity());
    }

    /** A reserve of another size was for a growth that has been overtaken. */
    private Optional<LogicalVolume> reserve(Lvm lvm, Identity<LvName> volume, long sizeBytes)
            throws LvmException, InterruptedException {
        var growth = Marks.growth(volume);
        var tags = Set.of(Marks.UNERASED, Marks.GROWING);
        try {
            return lvm.volumes().reserveGrowth(volume, sizeBytes, growth, tags);
        } catch (LvmException.AlreadyExists e) {
            var other = lvm.volumes().find(growth).filter(Marks::isGrowth).orElseThrow(() -> e);
            end(lvm, other);
            return lvm.volumes().reserveGrowth(volume, sizeBytes, growth, tags);
        } finally {
            groups.changed(growth.vg());
        }
    }
}
