package lvms.node.lvmd;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewSnapshot;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.erasure.Erasure;
import lvms.node.erasure.Marks;
import lvms.node.erasure.StillErasing;
import lvms.node.volume.GroupLedgers;
import lvms.node.volume.NewVolume;
import lvms.node.volume.VolumeOperations;
import lvms.node.volume.VolumeRefused;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.CreateLVSnapshotRequest;
import lvms.proto.lvmd.ResizeLVRequest;
import lvms.proto.lvmd.WatchResponse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls of lvmd: TopoLVM's admission and status codes around the agent's operations. Admission
 * and change are one step: changes of a group wait for each other. Any thread may call.
 */
public final class ClassVolumes {
    private final LiveDeviceClasses classes;
    private final GroupLedgers groups;
    private final VolumeOperations operations;
    private final Map<String, ReentrantLock> turns = new ConcurrentHashMap<>();

    /**
     * @param activation whether volumes are active on this machine; if false, only metadata is
     *     managed
     */
    public ClassVolumes(LiveDeviceClasses classes, GroupLedgers groups, boolean activation) {
        this.classes = classes;
        this.groups = groups;
        this.operations = new VolumeOperations(groups, activation);
    }

    LogicalVolume create(CreateLVRequest request) throws VolumeException, InterruptedException {
        var now = known();
        var deviceClass = find(now, request.getDeviceClass());
        return Patience.until(
                waited ->
                        inTurn(
                                deviceClass.volumeGroup(),
                                () ->
                                        Patience.Step.of(
                                                before ->
                                                        created(request, deviceClass, now, before),
                                                waited)));
    }

    /** A repeated call finds the volume that an earlier one began to zero. */
    private LogicalVolume created(
            CreateLVRequest request,
            NodeDeviceClass deviceClass,
            DeviceClasses now,
            Optional<Erasure> waited)
            throws VolumeException,
                    LvmException,
                    VolumeRefused,
                    StillErasing,
                    InterruptedException {
        long rate = deviceClass.erasure().rateBytes();
        var report = report(deviceClass);
        var done =
                report.logicalVolume(request.getName())
                        .filter(volume -> !Marks.isHidden(volume))
                        .filter(
                                volume ->
                                        waited.map(Erasure::contentUuid)
                                                .filter(volume.uuid()::equals)
                                                .isPresent());
        if (done.isPresent()) {
            return done.get();
        }
        var begun = begun(request, report);
        if (begun.isEmpty()) {
            Admission.admit(request.getSizeBytes(), freeBytes(deviceClass, report));
        }
        var wanted = Admission.wanted(request, deviceClass, now);
        if (begun.isPresent() && wanted instanceof NewVolume.Thick thick) {
            return operations.whole(thick, begun.get(), rate);
        }
        operations.zeroNewBlocks(deviceClass);
        return operations.createWhole(wanted, rate);
    }

    /** What an earlier call, or a version before this one, has begun and not ended. */
    private static Optional<LogicalVolume> begun(
            CreateLVRequest request, VolumeGroupReport report) {
        return report.logicalVolume(Marks.unfinished(request.getName()))
                .or(() -> report.logicalVolume(request.getName()).filter(Marks::isNew))
                .filter(volume -> volume.sizeBytes() >= request.getSizeBytes());
    }

    LogicalVolume snapshot(CreateLVSnapshotRequest request)
            throws VolumeException, InterruptedException {
        var deviceClass = find(known(), request.getDeviceClass());
        var thin =
                deviceClass
                        .thin()
                        .orElseThrow(
                                () ->
                                        refused(
                                                StatusCode.UNIMPLEMENTED,
                                                "device class is not thin, and thick snapshots are"
                                                        + " not implemented: "
                                                        + deviceClass.name()));
        return inTurn(
                deviceClass.volumeGroup(),
                () -> {
                    var report = answered(() -> report(deviceClass), StatusCode.UNKNOWN);
                    var source = Admission.source(request.getSourceVolume(), thin, report);
                    long size = Admission.copySize(request.getSizeBytes(), source);
                    Admission.admit(size, freeBytes(deviceClass, report));
                    boolean writable = Admission.writable(request.getAccessType());
                    operations.zeroNewBlocks(deviceClass);
                    var copy =
                            new NewSnapshot(
                                    new LvName(deviceClass.volumeGroup(), request.getName()),
                                    request.getSourceVolume(),
                                    true, // growing comes first
                                    Set.copyOf(request.getTagsList()));
                    return operations.create(new NewVolume.Copy(copy, size, writable, thin));
                });
    }

    /**
     * How large a volume is now.
     *
     * @param grown whether this call made it larger
     */
    record Size(long bytes, boolean grown) {}

    Size resize(ResizeLVRequest request) throws VolumeException, InterruptedException {
        var deviceClass = find(known(), request.getDeviceClass());
        return Patience.until(
                waited ->
                        inTurn(
                                deviceClass.volumeGroup(),
                                () ->
                                        Patience.Step.of(
                                                _ -> resized(request, deviceClass), waited)));
    }

    private Size resized(ResizeLVRequest request, NodeDeviceClass deviceClass)
            throws VolumeException,
                    LvmException,
                    VolumeRefused,
                    StillErasing,
                    InterruptedException {
        long wanted = request.getSizeBytes();
        var report = report(deviceClass);
        var volume =
                report.logicalVolume(request.getName())
                        .filter(lv -> Messages.belongs(lv, deviceClass))
                        .orElseThrow(() -> notFound(request.getName()));
        long present = Messages.sizeBytes(volume);
        if (Long.compareUnsigned(wanted, present) <= 0) {
            return new Size(present, false);
        }
        var growth = Marks.growth(volume.identity());
        if (report.logicalVolume(growth.lv()).isEmpty()) { // else it has its space
            Admission.admit(wanted - present, freeBytes(deviceClass, report));
        }
        var erasure = deviceClass.erasure();
        var grown =
                deviceClass.thin().isEmpty() && erasure.zeroes(false)
                        ? operations.growZeroed(volume.name(), wanted, erasure.rateBytes())
                        : operations.grow(volume.name(), deviceClass.thin(), wanted);
        return new Size(Messages.sizeBytes(grown), true);
    }

    private long freeBytes(NodeDeviceClass deviceClass, VolumeGroupReport report) {
        return Admission.freeBytes(deviceClass, report, groups.capacity());
    }

    List<LogicalVolume> list(String name) throws VolumeException, InterruptedException {
        var deviceClass = find(known(), name);
        return answered(() -> report(deviceClass), StatusCode.UNKNOWN).logicalVolumes().stream()
                .filter(volume -> Messages.belongs(volume, deviceClass))
                .toList();
    }

    /** Returns what is free for a class, minus its spare; for thin classes too, as in TopoLVM. */
    long reportedFreeBytes(String name) throws VolumeException, InterruptedException {
        var deviceClass = find(known(), name);
        var report = answered(() -> report(deviceClass), StatusCode.INTERNAL);
        long free = groups.capacity().announced(deviceClass, report);
        return deviceClass.thin().isPresent() ? Math.max(0, free - deviceClass.spareBytes()) : free;
    }

    /** Returns the state of all classes. */
    public WatchResponse state() throws VolumeException, InterruptedException {
        var now = known();
        return answered(
                () -> {
                    var reports = new LinkedHashMap<String, VolumeGroupReport>();
                    for (var deviceClass : now.classes()) {
                        var vg = deviceClass.volumeGroup();
                        if (!reports.containsKey(vg)) {
                            groups.fresh(vg).ifPresent(report -> reports.put(vg, report));
                        }
                    }
                    return Messages.state(now, reports, groups.capacity());
                },
                StatusCode.UNKNOWN);
    }

    /** Runs a change of a group after those that came before it. */
    <T> T inTurn(String vg, Work<T> work) throws VolumeException, InterruptedException {
        return inTurn(vg, work, StatusCode.INTERNAL);
    }

    <T> T inTurn(String vg, Work<T> work, StatusCode fallback)
            throws VolumeException, InterruptedException {
        var turn = turns.computeIfAbsent(vg, _ -> new ReentrantLock(true));
        turn.lockInterruptibly();
        try {
            return answered(work, fallback);
        } finally {
            turn.unlock();
        }
    }

    /** Work that may fail in many ways. */
    interface Work<T> {
        T run() throws VolumeException, LvmException, VolumeRefused, InterruptedException;
    }

    /**
     * Turns failures into TopoLVM's codes: a full group has a code of its own, all others get that
     * of the call.
     */
    static <T> T answered(Work<T> work, StatusCode fallback)
            throws VolumeException, InterruptedException {
        try {
            return work.run();
        } catch (LvmException.OutOfSpace e) {
            throw refused(StatusCode.RESOURCE_EXHAUSTED, e.getMessage());
        } catch (LvmException | VolumeRefused | IllegalArgumentException e) {
            throw refused(fallback, e.getMessage());
        }
    }

    /**
     * Returns the classes, or refuses while they are not known: NOT_FOUND would mean that a volume
     * is gone.
     */
    DeviceClasses known() throws VolumeException {
        if (!classes.known()) {
            throw refused(StatusCode.UNAVAILABLE, "the device classes are not known yet");
        }
        return classes.current();
    }

    static NodeDeviceClass find(DeviceClasses classes, String name) throws VolumeException {
        return classes.find(name)
                .orElseThrow(
                        () -> refused(StatusCode.NOT_FOUND, "device-class not found: " + name));
    }

    private VolumeGroupReport report(NodeDeviceClass deviceClass)
            throws LvmException, VolumeException, InterruptedException {
        var vg = deviceClass.volumeGroup();
        var report = groups.fresh(vg);
        if (report.isEmpty()) {
            throw new LvmException.NotFound("volume group " + vg + " is not on this node");
        }
        var thin = deviceClass.thin();
        if (thin.isPresent() && Messages.pool(report.get(), thin.get()).isEmpty()) {
            throw refused(
                    StatusCode.INTERNAL,
                    "volume group " + vg + " has no thin pool " + thin.get().pool());
        }
        return report.get();
    }

    static VolumeException notFound(String name) {
        return refused(StatusCode.NOT_FOUND, "logical volume " + name + " is not found");
    }

    static VolumeException refused(StatusCode code, String why) {
        return new VolumeException(code, why);
    }
}
