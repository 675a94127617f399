package lvms.node.copy;

import lvms.api.Names;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThickSnapshot;
import lvms.node.erasure.Erasable;
import lvms.node.erasure.Erasure;
import lvms.node.erasure.Erasures;
import lvms.node.erasure.Erasures.Urgency;
import lvms.node.erasure.Groups;
import lvms.node.erasure.Marks;
import lvms.node.erasure.StillErasing;
import lvms.node.format.BeingFormatted;
import lvms.node.format.ContentMark;
import lvms.node.format.Formats;
import lvms.node.snapshot.SnapshotKeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Fills a new volume before it is handed out. A call that is not done in a moment says so, and the
 * same call later continues, also that of another process. Any thread may call.
 *
 * @param formats where filesystems are made; no volume is held still meanwhile
 * @param noting how often it is written down how far a copy is: a process that is killed loses as
 *     much of its work
 */
public record VolumeCopying(
        Groups groups,
        Erasures erasures,
        SnapshotKeeper snapshots,
        Formats formats,
        Duration noting) {
    /** A note costs an LVM command, and a flush of the disk. */
    public static final Duration NOTING = Duration.ofSeconds(15);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    /**
     * Sees to it that a volume has the content of its source. Does nothing if it has, or was made
     * without the mark.
     *
     * @param rateBytes most bytes in a second
     * @return the volume, without the mark
     * @throws LvmException.OutOfSpace if a volume that is in use cannot be held still for so long,
     *     since the snapshot of it overflowed
     */
    public LogicalVolume filled(LogicalVolume target, CopySource source, long rateBytes)
            throws LvmException, StillErasing, InterruptedException {
        var name = target.name();
        var lvm = groups.limitedTo(name.vg());
        if (target.tags().contains(Marks.UNFILLED)) {
            requireHeldStill(lvm, name);
            fill(target, source, rateBytes);
        }
        end(lvm, name);
        return lvm.volumes()
                .find(name)
                .filter(volume -> !volume.tags().contains(Marks.UNFILLED))
                .orElseThrow(() -> new LvmException.Unavailable(name + " is not filled", null));
    }

    private void requireHeldStill(Lvm lvm, LvName target)
            throws LvmException, InterruptedException {
        var held = Marks.heldStill(target);
        var why = snapshots.whyLost(held);
        if (why.isPresent()) {
            end(lvm, target);
            throw new LvmException.OutOfSpace("the volume cannot be copied: " + why.get());
        }
    }

    private void fill(LogicalVolume target, CopySource source, long rateBytes)
            throws LvmException, StillErasing, InterruptedException {
        var work =
                erasures.copy(target, progress -> fill(target.name(), source, rateBytes, progress));
        if (!work.await(MOMENT)) {
            throw new StillErasing(work);
        }
        if (work.failed()) {
            erasures.copy(target, _ -> {}); // says why
        }
    }

    private void fill(LvName name, CopySource source, long rateBytes, Erasure progress)
            throws LvmException, IOException, InterruptedException {
        var target = new Erasable(groups).find(name);
        if (target.filter(volume -> volume.tags().contains(Marks.UNFILLED)).isEmpty()) {
            return;
        }
        var volume = target.get();
        var snapshot = snapshot(volume, source);
        new ContentCopy(
                        snapshot,
                        volume,
                        erasures.pieces(name, rateBytes, Urgency.AWAITED),
                        noting,
                        bytes -> note(name, new CopyProgress(bytes >> 20, snapshot.uuid())))
                .run(progress, CopyProgress.bytes(volume.tags(), snapshot.uuid()));
        complete(volume, snapshot);
    }

    /**
     * The content is that of the snapshot, which may have got a filesystem since it was planned.
     */
    private void complete(LogicalVolume volume, LogicalVolume snapshot)
            throws LvmException, InterruptedException {
        var add = new HashSet<String>();
        var remove = new HashSet<>(Set.of(Marks.UNFILLED, Marks.UNERASED));
        var planned = ContentMark.of(volume.tags());
        if (planned.equals(Optional.of(ContentMark.NO_FILESYSTEM))
                && !ContentMark.of(snapshot.tags()).equals(planned)) {
            add.add(ContentMark.FILESYSTEM.tag());
            remove.addAll(ContentMark.FILESYSTEM.others());
        }
        boolean wholly =
                volume.tags().contains(Marks.UNERASED) // what it has more is zeroed
                        || volume.sizeBytes() <= snapshot.originSizeBytes();
        if (snapshot.tags().contains(Marks.ZEROED) && wholly) {
            add.add(Marks.ZEROED);
        }
        changeTags(volume.name(), add, remove);
    }

    private void note(LvName name, CopyProgress progress)
            throws LvmException, InterruptedException {
        changeTags(name, Set.of(progress.tag()), Set.of());
    }

    /** Whatever is added, an earlier note goes. */
    private void changeTags(LvName name, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException {
        var volumes = groups.limitedTo(name.vg()).volumes();
        var there =
                volumes.find(name).orElseThrow(() -> new LvmException.NotFound(name + " is gone"));
        var gone = new HashSet<>(CopyProgress.in(there.tags()));
        gone.addAll(remove);
        gone.removeAll(add);
        volumes.changeTags(there.identity(), add, gone);
    }

    private LogicalVolume snapshot(LogicalVolume target, CopySource source)
            throws LvmException, IOException, InterruptedException {
        var vg = target.name().vg();
        var lvm = groups.limitedTo(vg);
        var found =
                switch (source) {
                    case CopySource.Snapshot(var lv) -> existing(lvm, new LvName(vg, lv));
                    case CopySource.Volume volume -> heldStill(lvm, target, volume);
                };
        if (found.snapshot().filter(details -> details.invalid()).isPresent()) {
            throw new IOException("snapshot " + found.name() + " is lost");
        }
        return found.active() ? found : lvm.volumes().activate(found.identity());
    }

    private static LogicalVolume existing(Lvm lvm, LvName name)
            throws LvmException, InterruptedException {
        return lvm.volumes()
                .find(name)
                .filter(LogicalVolume::isThickSnapshot)
                .orElseThrow(() -> new LvmException.NotFound("no snapshot " + name));
    }

    private LogicalVolume heldStill(Lvm lvm, LogicalVolume target, CopySource.Volume source)
            throws LvmException, InterruptedException {
        LogicalVolume made;
        try (var _ = formats.copying(Set.of(source.lv()))) {
            made = lvm.snapshots().createThick(heldStill(target.name(), source));
        } catch (BeingFormatted e) { // begun since the caller has looked
            throw new LvmException.Unavailable(e.getMessage(), e);
        }
        snapshots.follow(made);
        groups.changed(target.name().vg());
        return made;
    }

    /** The snapshot remembers what its source is at that moment. */
    private NewThickSnapshot heldStill(LvName target, CopySource.Volume source)
            throws LvmException, InterruptedException {
        var tags = new HashSet<>(Set.of(Names.VOLUME_GROUP_TAG, Marks.HELD_STILL));
        var there =
                groups.report(target.vg())
                        .flatMap(report -> report.logicalVolume(source.lv()))
                        .map(LogicalVolume::tags)
                        .orElse(Set.of());
        ContentMark.of(there).ifPresent(mark -> tags.add(mark.tag()));
        if (there.contains(Marks.ZEROED)) {
            tags.add(Marks.ZEROED);
        }
        return new NewThickSnapshot(
                Marks.heldStill(target), source.lv(), source.storeBytes(), false, tags);
    }

    /** Removes the snapshot that held the source of a volume still, if there is one. */
    public void end(Lvm lvm, LvName target) throws LvmException, InterruptedException {
        var name = Marks.heldStill(target);
        var there =
                groups.report(name.vg())
                        .flatMap(report -> report.logicalVolume(name.lv()))
                        .filter(Marks::isHeldStill);
        if (there.isPresent()) {
            lvm.volumes().remove(there.get().identity());
            groups.changed(target.vg());
        }
        snapshots.forget(name);
    }
}
