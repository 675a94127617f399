package lvms.node.volume;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.node.copy.VolumeCopying;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.erasure.Marks;
import lvms.node.erasure.Quarantine;
import lvms.node.erasure.StillErasing;
import lvms.node.erasure.VolumeZeroing;
import lvms.node.snapshot.Dependents;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes, grows and removes logical volumes. An interrupted call may be repeated: the name is final
 * from the first command on, and an existing volume is changed to match the request. Any thread may
 * call.
 */
public final class VolumeOperations {
    private static final System.Logger LOG = System.getLogger(VolumeOperations.class.getName());

    private final GroupLedgers groups;
    private final VolumeZeroing zeroing;
    private final VolumeCopying copying;
    private final boolean activation;
    private final InstantSource clock;

    /** For a machine with a device-mapper. */
    public VolumeOperations(GroupLedgers groups) {
        this(groups, true, InstantSource.system());
    }

    /**
     * @param activation whether volumes are active on this machine; if false, only metadata is
     *     managed
     */
    public VolumeOperations(GroupLedgers groups, boolean activation) {
        this(groups, activation, InstantSource.system());
    }

    VolumeOperations(GroupLedgers groups, boolean activation, InstantSource clock) {
        this.groups = groups;
        this.zeroing = new VolumeZeroing(groups, groups.erasures());
        this.copying =
                new VolumeCopying(
                        groups,
                        groups.erasures(),
                        groups.snapshots(),
                        groups.formats(),
                        VolumeCopying.NOTING);
        this.activation = activation;
        this.clock = clock;
    }

    /** A change in LVM; the devices of its group may have changed since they were read. */
    private interface Change<T> {
        T apply(Lvm lvm) throws LvmException, VolumeRefused, InterruptedException;
    }

    /**
     * Has the thin pool of a class zero what its volumes begin to use, unless the class leaves that
     * to people. Call it before a volume is made or grown there.
     */
    public void zeroNewBlocks(NodeDeviceClass deviceClass)
            throws LvmException, InterruptedException {
        var vg = deviceClass.volumeGroup();
        if (deviceClass.thin().isEmpty()
                || deviceClass.erasure().zeroVolumes() == ZeroVolumes.NONE) {
            return;
        }
        var pool = new LvName(vg, deviceClass.thin().get().pool());
        boolean old =
                groups.report(vg)
                        .flatMap(report -> report.logicalVolume(pool.lv()))
                        .filter(lv -> lv.isThinPool() && !lv.attributes().zeroesNewBlocks())
                        .isPresent();
        if (old) {
            LOG.log(
                    WARNING,
                    () -> "the thin pool did not zero new blocks, from now on it does lv=" + pool);
            var lvm = groups.limitedTo(vg);
            lvm.pools().zeroNewChunks(identify(pool, lvm));
            groups.refresh(vg);
        }
    }

    /** Finds or makes a volume, and sets its size, permission and activation. */
    public LogicalVolume make(NewVolume wanted)
            throws LvmException, VolumeRefused, InterruptedException {
        var made =
                reserving(
                        wanted.name(),
                        wanted.pool(),
                        wanted.sizeBytes(),
                        lvm -> new Making(wanted, lvm, activation, clock).findOrMake());
        if (made.isThickSnapshot()) {
            groups.snapshots().follow(made);
        }
        return made;
    }

    /**
     * Makes a volume under a name that nobody has yet, for callers whose names are not unique by
     * themselves: an existing volume is never taken over. If a later step fails, what was made is
     * removed again, so nobody finds a half-made volume.
     *
     * @throws LvmException.AlreadyExists if the name is taken
     */
    public LogicalVolume create(NewVolume wanted)
            throws LvmException, VolumeRefused, InterruptedException {
        return reserving(
                wanted.name(),
                wanted.pool(),
                wanted.sizeBytes(),
                lvm -> new Making(wanted, lvm, activation, clock).makeOrUndo());
    }

    /**
     * Finds or takes snapshots of volumes of one group, all of one instant, or none. {@link #make}
     * sets what is missing of each.
     */
    void takeAtOnce(List<NewVolume.Snapshot> snapshots)
            throws LvmException, VolumeRefused, InterruptedException {
        var requests = snapshots.stream().map(NewVolume.Snapshot::request).toList();
        for (var wanted : snapshots) {
            if (wanted instanceof NewVolume.Copy copy) {
                groups.admit(copy.name(), copy.thin(), copy.sizeBytes());
            }
        }
        try {
            for (var wanted : snapshots) {
                if (wanted instanceof NewVolume.Copy copy) {
                    groups.reserve(copy.name(), copy.thin(), copy.sizeBytes());
                }
            }
            var vg = requests.getFirst().name().vg();
            for (var made : change(vg, lvm -> lvm.snapshots().createAtOnce(requests))) {
                groups.confirm(made, poolOf(made, snapshots));
            }
        } catch (LvmException | VolumeRefused | InterruptedException | RuntimeException e) {
            snapshots.forEach(wanted -> groups.release(wanted.name()));
            throw e;
        }
    }

    private static Optional<Thin> poolOf(LogicalVolume made, List<NewVolume.Snapshot> snapshots) {
        return snapshots.stream()
                .filter(wanted -> wanted.name().equals(made.name()))
                .flatMap(wanted -> wanted.pool().stream())
                .findFirst();
    }

    /** Makes a volume larger, unless it is large enough. */
    public LogicalVolume grow(LvName name, Optional<Thin> thin, long sizeBytes)
            throws LvmException, VolumeRefused, InterruptedException {
        return reserving(
                name,
                thin,
                sizeBytes,
                lvm -> {
                    if (thin.isEmpty()) {
                        forgetZeroed(lvm, name, sizeBytes);
                    }
                    return lvm.volumes().extend(identify(name, lvm), sizeBytes);
                });
    }

    /** What it grows by shows what was there before. */
    private void forgetZeroed(Lvm lvm, LvName name, long sizeBytes)
            throws LvmException, InterruptedException {
        var zeroed =
                lvm.volumes()
                        .find(name)
                        .filter(volume -> volume.tags().contains(Marks.ZEROED))
                        .filter(volume -> volume.sizeBytes() < sizeBytes);
        if (zeroed.isPresent()) {
            groups.retagged(
                    lvm.volumes()
                            .changeTags(zeroed.get().identity(), Set.of(), Set.of(Marks.ZEROED)));
        }
    }

    /**
     * Finds or makes a volume as {@link #make} does, with all of its content: zeroed or filled,
     * where that is asked for. Only then does it get its name.
     *
     * @param rateBytes most bytes in a second
     * @throws StillErasing if it takes longer than a moment; the same call continues
     */
    public LogicalVolume makeWhole(NewVolume wanted, long rateBytes)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        if (!(wanted instanceof NewVolume.Thick thick) || !wanted.isOverwritten()) {
            return grownZeroed(wanted, make(wanted), rateBytes);
        }
        var there = change(wanted.name().vg(), lvm -> lvm.volumes().find(wanted.name()));
        if (there.filter(volume -> !Marks.isNew(volume)).isPresent()) {
            return grownZeroed(wanted, make(wanted), rateBytes);
        }
        if (there.isPresent()) { // a version before this one began it under its name
            rename(there.get(), Marks.unfinished(wanted.name()));
        }
        return whole(thick, make(thick.unfinished()), rateBytes);
    }

    /**
     * Makes a volume as {@link #create} does, with all of its content.
     *
     * @param rateBytes most bytes in a second
     * @throws StillErasing if it takes longer than a moment; {@link #whole} continues
     */
    public LogicalVolume createWhole(NewVolume wanted, long rateBytes)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        if (!(wanted instanceof NewVolume.Thick thick) || !wanted.isOverwritten()) {
            return create(wanted);
        }
        if (change(wanted.name().vg(), lvm -> lvm.volumes().find(wanted.name())).isPresent()) {
            throw new LvmException.AlreadyExists(wanted.name() + " exists already");
        }
        return whole(thick, create(thick.unfinished()), rateBytes);
    }

    /**
     * Gives an unfinished volume its content and then its name. The tags that say what is missing
     * go first: a version before this one writes to a volume that has them.
     *
     * @param begun the volume, under whatever name it was begun
     */
    public LogicalVolume whole(NewVolume.Thick wanted, LogicalVolume begun, long rateBytes)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        var complete =
                wanted.source().isPresent()
                        ? copying.filled(begun, wanted.source().get(), rateBytes)
                        : grownZeroed(wanted, zeroing.zeroed(begun, rateBytes), rateBytes);
        return complete.name().equals(wanted.name()) ? complete : rename(complete, wanted.name());
    }

    private LogicalVolume grownZeroed(NewVolume wanted, LogicalVolume volume, long rateBytes)
            throws LvmException, StillErasing, VolumeRefused, InterruptedException {
        return wanted.isZeroed() && volume.sizeBytes() < wanted.sizeBytes()
                ? growZeroed(volume.name(), wanted.sizeBytes(), rateBytes)
                : volume;
    }

    private LogicalVolume rename(LogicalVolume volume, LvName name)
            throws LvmException, VolumeRefused, InterruptedException {
        var renamed = change(name.vg(), lvm -> lvm.volumes().rename(volume.identity(), name.lv()));
        groups.removed(volume.name());
        groups.confirm(renamed, Optional.empty());
        return renamed;
    }

    /**
     * Makes a thick volume larger, unless it is large enough, by extents that were zeroed before.
     *
     * @throws StillErasing if it takes longer than a moment; the same call continues
     */
    public LogicalVolume growZeroed(LvName name, long sizeBytes, long rateBytes)
            throws LvmException, StillErasing, VolumeRefused, InterruptedException {
        return zeroing.grow(groups.limitedTo(name.vg()), name, sizeBytes, rateBytes);
    }

    /** Reads a volume that exists. */
    LogicalVolume read(LvName name) throws LvmException, VolumeRefused, InterruptedException {
        return change(
                name.vg(),
                lvm ->
                        lvm.volumes()
                                .find(name)
                                .orElseThrow(
                                        () ->
                                                new LvmException.NotFound(
                                                        "logical volume " + name + " is missing")));
    }

    /** Reads how a volume is tuned. */
    Tuning tuning(LvName name) throws LvmException, VolumeRefused, InterruptedException {
        return change(name.vg(), lvm -> lvm.volumes().tuning(identify(name, lvm)));
    }

    /** Tunes a volume; returns how it is tuned then. */
    Tuning tune(LvName name, Tuning wanted)
            throws LvmException, VolumeRefused, InterruptedException {
        return change(name.vg(), lvm -> lvm.volumes().tune(identify(name, lvm), wanted));
    }

    /** Finds where a volume is. */
    Optional<LvName> locate(String volume, Collection<String> likely)
            throws LvmException, InterruptedException {
        return groups.locate(volume, likely);
    }

    /**
     * Removes a volume, or takes it into quarantine if its class erases what is removed. Succeeds
     * if it is gone already.
     */
    public void remove(LvName name, ErasurePolicy policy)
            throws LvmException, VolumeRefused, InterruptedException {
        change(
                name.vg(),
                lvm -> {
                    var there = lvm.volumes().identify(name);
                    if (there.isPresent()) {
                        remove(lvm, there.get(), policy);
                    }
                    return name;
                });
        groups.removed(name);
        groups.snapshots().forget(name);
    }

    private void remove(Lvm lvm, Identity<LvName> there, ErasurePolicy policy)
            throws LvmException, InterruptedException {
        groups.erasures().stop(there);
        zeroing.endGrowth(lvm, there);
        copying.end(lvm, there.name());
        var erased =
                policy.onRemoval() == OnRemoval.NONE
                        ? Optional.<LogicalVolume>empty()
                        : lvm.volumes().find(there.name()).filter(VolumeOperations::showsContent);
        try {
            if (erased.isPresent()) {
                quarantine(lvm, erased.get(), policy);
            } else {
                lvm.volumes().remove(there);
            }
        } catch (LvmException.InUse e) {
            throw new Dependents(lvm, there.name()).explain(e);
        }
    }

    /** What is erased must be nobody's: neither snapshots nor their origin need it any more. */
    private void quarantine(Lvm lvm, LogicalVolume volume, ErasurePolicy policy)
            throws LvmException, InterruptedException {
        if (volume.isThickOrigin()) {
            throw new LvmException.InUse(volume.name() + " has snapshots");
        }
        var alone = volume.isThickSnapshot() ? lvm.snapshots().split(volume.identity()) : volume;
        var writable =
                alone.writable() ? alone : lvm.volumes().changePermission(alone.identity(), true);
        new Quarantine(groups, groups.erasures())
                .take(lvm, writable, policy.onRemoval(), policy.rateBytes());
    }

    /** Whether its extents would show to the next volume what somebody wrote to this one. */
    private static boolean showsContent(LogicalVolume volume) {
        boolean clean =
                volume.tags().contains(Marks.UNERASED) && !volume.tags().contains(Marks.UNFILLED);
        return volume.pool().isEmpty() && !clean;
    }

    private static Identity<LvName> identify(LvName name, Lvm lvm)
            throws LvmException, InterruptedException {
        return lvm.volumes()
                .identify(name)
                .orElseThrow(
                        () -> new LvmException.NotFound("logical volume " + name + " is missing"));
    }

    private LogicalVolume reserving(
            LvName name, Optional<Thin> thin, long sizeBytes, Change<LogicalVolume> work)
            throws LvmException, VolumeRefused, InterruptedException {
        if (thin.isPresent()) {
            groups.admit(name, thin.get(), sizeBytes);
        }
        if (thin.isPresent() && sizeBytes > 0) {
            groups.reserve(name, thin.get(), sizeBytes);
        }
        boolean confirmed = false;
        try {
            var made = change(name.vg(), work);
            groups.confirm(made, thin);
            confirmed = true;
            return made;
        } finally {
            if (!confirmed) {
                groups.release(name);
            }
        }
    }

    private <T> T change(String vg, Change<T> change)
            throws LvmException, VolumeRefused, InterruptedException {
        try {
            return change.apply(groups.limitedTo(vg));
        } catch (LvmException.MissingDevice | LvmException.NotFound _) {
            groups.refresh(vg); // perhaps a disk was added to the group since its devices were read
            return change.apply(groups.limitedTo(vg));
        }
    }
}
