package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.snapshot.StoreSize;
import lvms.k8s.object.Quantity;
import lvms.lvm2.LvName;
import lvms.lvm2.NewSnapshot;
import lvms.lvm2.NewThickSnapshot;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewThinVolume;
import lvms.lvm2.Snapshots;
import lvms.node.copy.CopySource;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.erasure.Marks;
import lvms.node.format.ContentMark;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A logical volume that somebody asks for. */
public sealed interface NewVolume {
    /** TopoLVM, and so every size of a claim, counts in units of this many bytes. */
    long UNIT_BYTES = 4096;

    /**
     * A thick volume.
     *
     * @param unused whether its object says that nobody has got it yet
     * @param source what it is filled with
     */
    record Thick(NewThickVolume request, boolean unused, Optional<CopySource> source)
            implements NewVolume {
        /** One that is filled with nothing. */
        public Thick(NewThickVolume request, boolean unused) {
            this(request, unused, Optional.empty());
        }

        @Override
        public LvName name() {
            return request.name();
        }

        @Override
        public Set<String> tags() {
            return request.tags();
        }

        @Override
        public long sizeBytes() {
            return request.sizeBytes();
        }

        /** The same under the name that it has until its content is complete. */
        Thick unfinished() {
            return new Thick(request.named(Marks.unfinished(request.name())), unused, source);
        }
    }

    record ThinVolume(NewThinVolume request, Thin thin) implements NewVolume {
        @Override
        public LvName name() {
            return request.name();
        }

        @Override
        public Set<String> tags() {
            return request.tags();
        }

        @Override
        public long sizeBytes() {
            return request.virtualSizeBytes();
        }

        @Override
        public Optional<Thin> pool() {
            return Optional.of(thin);
        }
    }

    /** What LVM makes as a snapshot. */
    sealed interface Snapshot extends NewVolume permits ThickSnapshot, Copy {
        Snapshots.Request request();
    }

    /** A snapshot of a thick volume, as large as that. */
    record ThickSnapshot(NewThickSnapshot request) implements Snapshot {
        @Override
        public LvName name() {
            return request.name();
        }

        @Override
        public Set<String> tags() {
            return request.tags();
        }

        @Override
        public long sizeBytes() {
            return 0;
        }

        @Override
        public boolean writable() {
            return false;
        }
    }

    /**
     * A snapshot, restore or clone of a thin volume.
     *
     * @param sizeBytes size it has to get; 0 for the source's
     * @param writable whether it stays writable: a snapshot does not
     */
    record Copy(NewSnapshot request, long sizeBytes, boolean writable, Thin thin)
            implements Snapshot {
        @Override
        public LvName name() {
            return request.name();
        }

        @Override
        public Set<String> tags() {
            return request.tags();
        }

        @Override
        public Optional<Thin> pool() {
            return Optional.of(thin);
        }
    }

    /**
     * What a volume is a copy of.
     *
     * @param object its object
     * @param tags its tags in LVM, read while no filesystem is made on it
     */
    record Source(LogicalVolume object, Set<String> tags) {
        Optional<ContentMark> mark() {
            return ContentMark.of(tags);
        }

        /** Whether it shows nothing of volumes that had its extents before. */
        boolean zeroed() {
            return tags.contains(Marks.ZEROED);
        }
    }

    /** Its name in LVM. */
    LvName name();

    /** Its least size; 0 takes the source's. */
    long sizeBytes();

    Set<String> tags();

    /** Whether it is to be zeroed before somebody gets it, as its tags say. */
    default boolean isZeroed() {
        return this instanceof Thick thick && thick.request().tags().contains(Marks.UNERASED);
    }

    /** Whether it is zeroed or filled before somebody gets it. */
    default boolean isOverwritten() {
        return isZeroed() || this instanceof Thick thick && thick.source().isPresent();
    }

    /** Its thin pool; empty for thick ones. */
    default Optional<Thin> pool() {
        return Optional.empty();
    }

    /** Whether it stays writable: a snapshot does not. */
    default boolean writable() {
        return true;
    }

    /**
     * Plans the volume that a LogicalVolume object asks for.
     *
     * @param source what it is a copy of, if it is one
     * @throws VolumeRefused if this node cannot make it
     */
    static NewVolume of(LogicalVolume wanted, Optional<Source> source, DeviceClasses classes)
            throws VolumeRefused {
        var deviceClass = classOf(wanted, classes);
        try {
            if (source.isEmpty()) {
                return fresh(wanted, deviceClass, classes);
            }
            if (deviceClass.thin().isPresent()) {
                var thin = deviceClass.thin().get();
                return copy(wanted, source.get(), deviceClass, thin, classes);
            }
            return writable(wanted.spec().accessType())
                    ? filled(wanted, source.get(), deviceClass, classes)
                    : thickSnapshot(wanted, source.get(), deviceClass, classes);
        } catch (IllegalArgumentException e) { // LVM's grammar, or lvcreate options
            throw new VolumeRefused(StatusCode.INVALID_ARGUMENT, e.getMessage());
        }
    }

    /**
     * Plans a snapshot, as {@link #of} does.
     *
     * @throws VolumeRefused also for a copy of a thick volume that is to be written
     */
    static Snapshot snapshotOf(LogicalVolume wanted, Source source, DeviceClasses classes)
            throws VolumeRefused {
        if (of(wanted, Optional.of(source), classes) instanceof Snapshot snapshot) {
            return snapshot;
        }
        throw new VolumeRefused(
                StatusCode.INVALID_ARGUMENT,
                "a group has snapshots, but " + wanted.name() + " is a copy that may be written");
    }

    /** Finds the class of a volume. */
    static NodeDeviceClass classOf(LogicalVolume wanted, DeviceClasses classes)
            throws VolumeRefused {
        var name = wanted.spec().deviceClass();
        return classes.find(name)
                .orElseThrow(
                        () ->
                                new VolumeRefused(
                                        StatusCode.NOT_FOUND,
                                        name.isEmpty()
                                                ? "this node has no default device class"
                                                : "this node has no device class " + name));
    }

    private static NewVolume fresh(
            LogicalVolume wanted, NodeDeviceClass deviceClass, DeviceClasses classes)
            throws VolumeRefused {
        var name = nameOf(wanted, deviceClass);
        long size = sizeOf(wanted);
        if (size == 0) {
            throw new VolumeRefused(StatusCode.INVALID_ARGUMENT, "size is zero");
        }
        var layout = VolumeLayout.of(wanted.spec().lvcreateOptionClass(), deviceClass, classes);
        return deviceClass
                .thin()
                .<NewVolume>map(
                        thin ->
                                new ThinVolume(
                                        new NewThinVolume(
                                                name,
                                                thin.pool(),
                                                size,
                                                tags(wanted, ContentMark.ofNew(mode(wanted))),
                                                layout.options()),
                                        thin))
                .orElseGet(
                        () ->
                                thick(
                                        name,
                                        size,
                                        wanted,
                                        tags(wanted, ContentMark.ofNew(mode(wanted))),
                                        layout,
                                        deviceClass,
                                        Optional.empty()));
    }

    private static Thick thick(
            LvName name,
            long size,
            LogicalVolume wanted,
            Set<String> known,
            VolumeLayout layout,
            NodeDeviceClass deviceClass,
            Optional<CopySource> source) {
        var tags = new HashSet<>(known);
        source.ifPresent(_ -> tags.add(Marks.UNFILLED));
        if (deviceClass.erasure().zeroes(isFilesystem(wanted))) {
            tags.add(Marks.UNERASED);
        }
        return new Thick(
                new NewThickVolume(
                        name,
                        size,
                        tags,
                        layout.stripes(),
                        layout.stripeSizeBytes(),
                        layout.options()),
                wanted.status().volumeId().isEmpty() && wanted.formerId().isEmpty(),
                source);
    }

    private static Thick filled(
            LogicalVolume wanted, Source from, NodeDeviceClass deviceClass, DeviceClasses classes)
            throws VolumeRefused {
        var source = from.object();
        requireSamePlace(source, deviceClass, classes);
        requireClean(wanted, from);
        if (source.lost()) {
            throw new VolumeRefused(
                    StatusCode.FAILED_PRECONDITION,
                    source.name() + ": " + source.status().message());
        }
        var lv = source.status().volumeId();
        return thick(
                nameOf(wanted, deviceClass),
                copySize(source, sizeOf(wanted)),
                wanted,
                tags(wanted, ContentMark.ofCopy(mode(wanted), from.mark())),
                VolumeLayout.of(wanted.spec().lvcreateOptionClass(), deviceClass, classes),
                deviceClass,
                Optional.of(
                        source.isSnapshot()
                                ? new CopySource.Snapshot(lv)
                                : new CopySource.Volume(lv, storeBytes(wanted, source.bytes()))));
    }

    /**
     * A filesystem shows its files alone. A copy of its volume that pods see as a device shows all
     * extents, also what volumes of others left in those to which nothing was written since.
     */
    private static void requireClean(LogicalVolume wanted, Source source) throws VolumeRefused {
        boolean seenWhole = mode(wanted).filter("Block"::equals).isPresent();
        if (seenWhole && !source.zeroed() && !isBlock(wanted, source)) {
            throw new VolumeRefused(
                    StatusCode.FAILED_PRECONDITION,
                    "a Block copy of "
                            + source.object().name()
                            + " would show what earlier volumes left on its disks, since it was"
                            + " made with a filesystem and was not zeroed; volumes that are made"
                            + " while their device class says erasureConfig: {zeroVolumes: all} can"
                            + " be copied so");
        }
    }

    private static boolean isBlock(LogicalVolume wanted, Source source) {
        return source.mark()
                .map(mark -> mark == ContentMark.BLOCK)
                .orElseGet(
                        () ->
                                mode(source.object())
                                        .or(() -> sourceMode(wanted))
                                        .filter("Block"::equals)
                                        .isPresent());
    }

    private static Optional<String> sourceMode(LogicalVolume wanted) {
        return wanted.object().annotation(wanted.driver().sourceModeAnnotation());
    }

    private static long storeBytes(LogicalVolume wanted, long volumeBytes) {
        return wholeUnits(wanted.storeBytes().orElse(StoreSize.DEFAULT.bytes(volumeBytes)));
    }

    private static ThickSnapshot thickSnapshot(
            LogicalVolume wanted, Source from, NodeDeviceClass deviceClass, DeviceClasses classes)
            throws VolumeRefused {
        var source = from.object();
        requireSamePlace(source, deviceClass, classes);
        if (source.isSnapshot()) {
            throw new VolumeRefused(
                    StatusCode.INVALID_ARGUMENT, "a snapshot has no snapshots: " + source.name());
        }
        long volumeBytes = copySize(source, sizeOf(wanted));
        return new ThickSnapshot(
                new NewThickSnapshot(
                        nameOf(wanted, deviceClass),
                        source.status().volumeId(),
                        storeBytes(wanted, volumeBytes),
                        false,
                        snapshotTags(wanted, from)));
    }

    private static Copy copy(
            LogicalVolume wanted,
            Source from,
            NodeDeviceClass deviceClass,
            Thin thin,
            DeviceClasses classes)
            throws VolumeRefused {
        var source = from.object();
        boolean writable = writable(wanted.spec().accessType());
        requireSamePlace(source, deviceClass, classes);
        long need = copySize(source, sizeOf(wanted));
        var request =
                new NewSnapshot(
                        nameOf(wanted, deviceClass),
                        source.status().volumeId(),
                        true, // growing comes first, see VolumeOperations
                        tags(wanted, ContentMark.ofCopy(mode(wanted), from.mark())));
        return new Copy(request, need, writable, thin);
    }

    /**
     * Returns the size of a copy: the wanted one, or that of its source; 0 if neither is known.
     *
     * @param wantedBytes 0 for the source's
     */
    static long copySize(LogicalVolume source, long wantedBytes) throws VolumeRefused {
        long least = source.status().currentSize().map(Quantity::bytes).orElse(0L);
        if (wantedBytes > 0 && wantedBytes < least) {
            throw new VolumeRefused(
                    StatusCode.OUT_OF_RANGE,
                    wantedBytes + " bytes are less than the " + least + " of the source");
        }
        return wantedBytes > 0 ? wantedBytes : least;
    }

    /** Returns whether a copy of this access type may be written. */
    static boolean writable(String accessType) throws VolumeRefused {
        return switch (accessType) {
            case "ro" -> false;
            case "rw" -> true;
            default ->
                    throw new VolumeRefused(
                            StatusCode.INVALID_ARGUMENT,
                            "accessType is neither ro nor rw: \"" + accessType + '"');
        };
    }

    /** A thin copy shares its source's pool, a thick one its group. */
    private static void requireSamePlace(
            LogicalVolume source, NodeDeviceClass wanted, DeviceClasses classes)
            throws VolumeRefused {
        var from = classOf(source, classes);
        if (!from.volumeGroup().equals(wanted.volumeGroup())
                || !from.thin().equals(wanted.thin())) {
            throw new VolumeRefused(
                    StatusCode.INVALID_ARGUMENT,
                    "the source is in device class " + from.name() + ", not " + wanted.name());
        }
    }

    private static LvName nameOf(LogicalVolume wanted, NodeDeviceClass deviceClass) {
        return new LvName(deviceClass.volumeGroup(), wanted.object().uid());
    }

    private static Set<String> snapshotTags(LogicalVolume wanted, Source source) {
        var tags = new HashSet<>(tags(wanted, ContentMark.ofCopy(mode(wanted), source.mark())));
        if (source.zeroed()) {
            tags.add(Marks.ZEROED);
        }
        return tags;
    }

    /** Returns the tags of the volume of an object, whoever runs LVM. */
    static Set<String> tags(LogicalVolume wanted, Optional<ContentMark> mark) {
        var tags =
                new HashSet<>(
                        Set.of(Names.VOLUME_GROUP_TAG, Names.VOLUME_NAME_TAG + wanted.name()));
        mark.ifPresent(known -> tags.add(known.tag()));
        return tags;
    }

    /** Returns how pods see it; empty if its object does not say so. */
    static Optional<String> mode(LogicalVolume wanted) {
        return wanted.object().annotation(wanted.driver().volumeModeAnnotation());
    }

    /** Returns whether pods certainly see only a filesystem in it. */
    static boolean isFilesystem(LogicalVolume wanted) {
        return mode(wanted).filter("Filesystem"::equals).isPresent();
    }

    /** The size in whole units, rounded up. */
    static long sizeOf(LogicalVolume wanted) throws VolumeRefused {
        long bytes = wanted.spec().size().bytes();
        if (bytes < 0 || bytes > Long.MAX_VALUE - UNIT_BYTES) {
            throw new VolumeRefused(
                    StatusCode.INVALID_ARGUMENT, "not a size: " + wanted.spec().size());
        }
        return wholeUnits(bytes);
    }

    private static long wholeUnits(long bytes) {
        return Math.ceilDiv(bytes, UNIT_BYTES) * UNIT_BYTES;
    }
}
