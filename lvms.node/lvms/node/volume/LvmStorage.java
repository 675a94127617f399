package lvms.node.volume;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroup;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.erasure.StillErasing;
import lvms.node.format.BeingFormatted;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The volumes in this process's LVM.
 *
 * @param groupChanged told of a group that has less room than it was thought to have
 */
record LvmStorage(
        Supplier<DeviceClasses> classes,
        GroupLedgers groups,
        VolumeOperations operations,
        FormerVolumes formerVolumes,
        VolumeHomes homes,
        Consumer<String> groupChanged)
        implements NodeStorage {
    private static final System.Logger LOG = System.getLogger(LvmStorage.class.getName());

    /**
     * What the device class of a LogicalVolume says.
     *
     * @param found empty if the class was removed; its volumes stay until they are deleted
     */
    private record VolumeClass(Optional<NodeDeviceClass> found) {
        static VolumeClass of(LogicalVolume volume, DeviceClasses classes) {
            return new VolumeClass(classes.find(volume.spec().deviceClass()));
        }

        ErasurePolicy erasure() {
            return found.map(NodeDeviceClass::erasure).orElse(ErasurePolicy.NOTHING);
        }

        /** Where the volume is looked for first. */
        List<String> volumeGroups() {
            return found.stream().map(NodeDeviceClass::volumeGroup).toList();
        }
    }

    /**
     * The largest size that the caller of a CSI call accepts. LVM rounds up to whole extents, so
     * what would become larger is refused before anything is made or grown. How the types of an
     * option class round, such as those of RAID, is not foreseen.
     *
     * @param bytes empty if any size is accepted
     * @param extents how many extents LVM allocates at least together
     */
    private record SizeLimit(OptionalLong bytes, long extents) {
        static SizeLimit of(LogicalVolume volume, NodeDeviceClass deviceClass) {
            boolean striped =
                    deviceClass.thin().isEmpty() && volume.spec().lvcreateOptionClass().isEmpty();
            long stripes =
                    striped
                            ? deviceClass
                                    .striping()
                                    .map(NodeDeviceClass.Striping::stripes)
                                    .orElse(1)
                            : 1;
            return new SizeLimit(volume.sizeLimit(), stripes);
        }

        /**
         * Refuses a size that becomes larger than the limit.
         *
         * @throws VolumeRefused OUT_OF_RANGE
         */
        void admit(long sizeBytes, VolumeGroup group) throws VolumeRefused {
            long step = group.extentSizeBytes() * extents;
            long rounded = Math.ceilDiv(sizeBytes, step) * step;
            if (bytes.isPresent() && rounded > bytes.getAsLong()) {
                throw new VolumeRefused(
                        StatusCode.OUT_OF_RANGE,
                        "%d bytes become %d in volume group %s, the limit is %d"
                                .formatted(sizeBytes, rounded, group.name(), bytes.getAsLong()));
            }
        }
    }

    @Override
    public ActualVolume make(LogicalVolume volume, Optional<LogicalVolume> source)
            throws ApiException,
                    LvmException,
                    VolumeRefused,
                    StillErasing,
                    BeingFormatted,
                    InterruptedException {
        var former = formerVolumes.find(volume, classOf(volume).volumeGroups());
        if (former.isPresent()) {
            LOG.log(INFO, () -> "volume found again name=" + volume.name() + " lv=" + former.get());
            return measure(volume, former.get());
        }
        var deviceClass = NewVolume.classOf(volume, classes.get());
        if (source.isPresent()) {
            homes.require(source.get(), deviceClass.volumeGroup());
        }
        operations.zeroNewBlocks(deviceClass);
        var sources = source.stream().map(LvmStorage::id).toList();
        lvms.lvm2.LogicalVolume made;
        try (var _ = groups.formats().copying(sources)) {
            var from = source(source, deviceClass);
            var wanted = NewVolume.of(volume, from, classes.get());
            admit(volume, deviceClass, wanted.name(), wanted.sizeBytes());
            made = operations.makeWhole(wanted, deviceClass.erasure().rateBytes());
        }
        LOG.log(
                INFO,
                () ->
                        "logical volume made name="
                                + volume.name()
                                + " lv="
                                + made.name()
                                + " sizeBytes="
                                + made.sizeBytes());
        return ActualVolume.of(made);
    }

    private Optional<NewVolume.Source> source(
            Optional<LogicalVolume> object, NodeDeviceClass deviceClass)
            throws LvmException, InterruptedException {
        return object.isEmpty()
                ? Optional.empty()
                : Optional.of(source(object.get(), deviceClass.volumeGroup()));
    }

    /** Call it while no filesystem is made on the volume. */
    private NewVolume.Source source(LogicalVolume object, String vg)
            throws LvmException, InterruptedException {
        var tags =
                groups.volume(new LvName(vg, id(object)))
                        .map(lvms.lvm2.LogicalVolume::tags)
                        .orElse(Set.of());
        return new NewVolume.Source(object, tags);
    }

    private static String id(LogicalVolume source) {
        return source.status().volumeId();
    }

    @Override
    public void takeAtOnce(List<Copy> copies)
            throws ApiException, LvmException, VolumeRefused, BeingFormatted, InterruptedException {
        var vgs = new LinkedHashSet<String>();
        for (var copy : copies) {
            vgs.add(NewVolume.classOf(copy.volume(), classes.get()).volumeGroup());
        }
        if (vgs.size() > 1) {
            throw new VolumeRefused(
                    StatusCode.FAILED_PRECONDITION,
                    "snapshots of one instant need volumes of one volume group, these are in "
                            + String.join(" and ", vgs));
        }
        var vg = vgs.getFirst();
        var sources = copies.stream().map(copy -> id(copy.source())).toList();
        try (var _ = groups.formats().copying(sources)) {
            var wanted = new ArrayList<NewVolume.Snapshot>();
            for (var copy : copies) {
                homes.require(copy.source(), vg);
                wanted.add(
                        NewVolume.snapshotOf(
                                copy.volume(), source(copy.source(), vg), classes.get()));
            }
            operations.takeAtOnce(wanted);
        }
        LOG.log(INFO, () -> "snapshots taken at once vg=" + vg + " count=" + copies.size());
    }

    @Override
    public ActualVolume measure(LogicalVolume volume)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        return measure(volume, present(volume));
    }

    private ActualVolume measure(LogicalVolume volume, LvName name)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        var there = ActualVolume.of(operations.read(name));
        long wanted = NewVolume.sizeOf(volume);
        return there.sizeBytes() >= wanted ? there : grow(volume, name, wanted);
    }

    @Override
    public ActualVolume grow(LogicalVolume volume)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        return grow(volume, present(volume), NewVolume.sizeOf(volume));
    }

    private ActualVolume grow(LogicalVolume volume, LvName name, long sizeBytes)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException {
        var deviceClass = NewVolume.classOf(volume, classes.get()); // it says what is to be zeroed
        admit(volume, deviceClass, name, sizeBytes);
        operations.zeroNewBlocks(deviceClass);
        var thin = deviceClass.thin();
        var policy = deviceClass.erasure();
        var grown =
                ActualVolume.of(
                        thin.isEmpty() && policy.zeroes(NewVolume.isFilesystem(volume))
                                ? operations.growZeroed(name, sizeBytes, policy.rateBytes())
                                : operations.grow(name, thin, sizeBytes));
        LOG.log(INFO, () -> "logical volume grown lv=" + name + " sizeBytes=" + grown.sizeBytes());
        return grown;
    }

    /** A group that gives no report refuses by itself. */
    private void admit(
            LogicalVolume volume, NodeDeviceClass deviceClass, LvName name, long sizeBytes)
            throws LvmException, VolumeRefused, InterruptedException {
        var limit = SizeLimit.of(volume, deviceClass);
        var report = groups.report(name.vg());
        if (report.isPresent()) {
            limit.admit(sizeBytes, report.get().group());
        }
    }

    private LvName present(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        var name =
                operations
                        .locate(volume.volumeName(), classOf(volume).volumeGroups())
                        .orElseThrow(
                                () ->
                                        new VolumeRefused(
                                                StatusCode.NOT_FOUND,
                                                "logical volume "
                                                        + volume.volumeName()
                                                        + " is in no volume group of this node"));
        homes.require(volume, name.vg());
        return name;
    }

    /** One that nobody ever got can only be where its class makes volumes. */
    @Override
    public Optional<Found> find(LogicalVolume volume) throws LvmException, InterruptedException {
        var likely = classOf(volume).volumeGroups();
        boolean handedOut = NodeStorage.hadVolume(volume);
        for (var lv : handedOut ? List.of(volume.volumeName()) : NodeStorage.names(volume)) {
            var name =
                    handedOut || likely.isEmpty()
                            ? operations.locate(lv, likely)
                            : groups.locateIn(likely, lv);
            if (name.isPresent()) {
                return Optional.of(found(volume, name.get()));
            }
        }
        return Optional.empty();
    }

    private Found found(LogicalVolume volume, LvName name)
            throws LvmException, InterruptedException {
        var tags =
                groups.report(name.vg())
                        .flatMap(report -> report.logicalVolume(name.lv()))
                        .map(lvms.lvm2.LogicalVolume::tags);
        var deviceClass = classOf(volume).found().map(NodeDeviceClass::name);
        return new Found(name, deviceClass, tags.orElse(Set.of()));
    }

    /**
     * A volume that was not found is gone only if the group that it was in is here. A group whose
     * disks are away still has it. Only of a volume that no node has recorded a group for, and that
     * no class names one for any more, nobody knows.
     */
    @Override
    public void requireGone(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        if (VolumeHomes.isGivenUp(volume)) {
            return;
        }
        var named = classOf(volume).volumeGroups();
        if (named.isEmpty()) {
            homes.requireGone(volume, groups);
        }
        for (var vg : named) {
            var report = groups.fresh(vg);
            if (report.isEmpty()) {
                throw new VolumeRefused(
                        StatusCode.FAILED_PRECONDITION,
                        "volume group "
                                + vg
                                + " is not on this node now, so the volume in it cannot be removed;"
                                + VolumeHomes.GIVING_UP);
            }
            homes.require(volume, vg); // one that replaced it says nothing about its volumes
            for (var lv : NodeStorage.names(volume)) {
                if (report.get().logicalVolume(lv).isPresent()) {
                    throw NodeStorage.isBack(volume);
                }
            }
        }
    }

    @Override
    public void remove(LogicalVolume volume, Found found)
            throws LvmException, VolumeRefused, InterruptedException {
        homes.require(volume, found.name().vg());
        operations.remove(found.name(), classOf(volume).erasure());
    }

    @Override
    public Tuning tuning(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        return operations.tuning(present(volume));
    }

    @Override
    public Tuning tune(LogicalVolume volume, Tuning wanted)
            throws LvmException, VolumeRefused, InterruptedException {
        return operations.tune(present(volume), wanted);
    }

    @Override
    public boolean fills(LogicalVolume volume) {
        boolean thick =
                classOf(volume)
                        .found()
                        .filter(deviceClass -> deviceClass.thin().isEmpty())
                        .isPresent();
        return thick && !volume.spec().source().isEmpty() && !volume.isSnapshot();
    }

    @Override
    public void lookAfter(LogicalVolume snapshot) throws LvmException, InterruptedException {
        for (var vg : classOf(snapshot).volumeGroups()) {
            groups.snapshots().hasObject(new LvName(vg, snapshot.volumeName()));
            groups.report(vg).ifPresent(groups.snapshots()::seen);
        }
    }

    @Override
    public Optional<ThickSnapshot> thickSnapshot(LvName name)
            throws LvmException, InterruptedException {
        return groups.report(name.vg())
                .flatMap(report -> report.logicalVolume(name.lv()))
                .filter(lvms.lvm2.LogicalVolume::isThickSnapshot)
                .map(lv -> new ThickSnapshot(ActualVolume.of(lv), lv.origin().orElseThrow()));
    }

    @Override
    public Optional<String> whyLost(LogicalVolume snapshot) {
        return classOf(snapshot).volumeGroups().stream()
                .map(vg -> new LvName(vg, snapshot.volumeName()))
                .flatMap(name -> groups.snapshots().whyLost(name).stream())
                .findFirst();
    }

    /** The capacity was reported too high: a scheduler would choose this node for ever. */
    @Override
    public void noteRefusal(LogicalVolume volume, LvmException failure)
            throws LvmException, InterruptedException {
        var deviceClass = classOf(volume).found();
        boolean planned = deviceClass.filter(c -> c.thin().isEmpty()).isPresent();
        if (!(failure instanceof LvmException.OutOfSpace)) {
            return;
        }
        boolean plain = volume.spec().lvcreateOptionClass().isEmpty(); // what capacity counts
        if (planned && plain && volume.status().volumeId().isEmpty()) {
            groups.fresh(deviceClass.get().volumeGroup())
                    .ifPresent(
                            report ->
                                    groups.capacity()
                                            .refused(
                                                    deviceClass.get(),
                                                    volume.spec().size().bytes(),
                                                    report.group()));
        }
        deviceClass.ifPresent(c -> groupChanged.accept(c.volumeGroup()));
    }

    private VolumeClass classOf(LogicalVolume volume) {
        return VolumeClass.of(volume, classes.get());
    }
}
