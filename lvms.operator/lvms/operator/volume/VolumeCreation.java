package lvms.operator.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.snapshot.SnapshotGroup;
import lvms.api.snapshot.StoreSize;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.operator.claim.ClaimMark;
import lvms.operator.claim.VolumeNaming;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The passes that make volumes and snapshots. The caller holds the lock of the name. */
final class VolumeCreation {
    private final VolumeSettings settings;
    private final VolumeStore store;
    private final NodeChoice choice;
    private final Ledger ledger;
    private final VolumeAdjustment adjustment;

    VolumeCreation(
            VolumeSettings settings,
            VolumeStore store,
            NodeChoice choice,
            Ledger ledger,
            VolumeAdjustment adjustment) {
        this.settings = settings;
        this.store = store;
        this.choice = choice;
        this.ledger = ledger;
        this.adjustment = adjustment;
    }

    Progress<LogicalVolume> volume(String name, VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        var existing = store.find(name);
        var volume = existing.isPresent() ? existing.get() : submit(fresh(name, request));
        requireSameClaim(volume, request);
        return resume(volume, fits(volume, request))
                        instanceof Progress.Converged<LogicalVolume> done
                ? adjustment.adjust(done.result(), request.attributes())
                : new Progress.Pending<>(name);
    }

    Progress<LogicalVolume> snapshot(String name, String sourceId, StoreSize room)
            throws VolumeException, ApiException, InterruptedException {
        var existing = store.find(name);
        var snapshot =
                existing.isPresent()
                        ? existing.get()
                        : submit(freshSnapshot(name, sourceId, room, Map.of()));
        requireContent(snapshot);
        return resume(snapshot, isSnapshotOf(snapshot, sourceId));
    }

    /** One of several snapshots that are of one instant. */
    Progress<LogicalVolume> member(
            String name, String sourceId, StoreSize room, SnapshotGroup group)
            throws VolumeException, ApiException, InterruptedException {
        var existing = store.find(name);
        var mark = Map.of(settings.driver().snapshotGroupAnnotation(), group.text());
        var snapshot =
                existing.isPresent()
                        ? existing.get()
                        : submit(freshSnapshot(name, sourceId, room, mark));
        return resume(snapshot, isSnapshotOf(snapshot, sourceId));
    }

    private Progress<LogicalVolume> resume(LogicalVolume volume, boolean fits)
            throws VolumeException, ApiException, InterruptedException {
        switch (volume.state()) {
            case TERMINATING -> {
                return new Progress.Pending<>(volume.name()); // until the name is free again
            }
            case FAILED -> {
                if (!volume.restored()) {
                    store.delete(volume);
                }
                throw new VolumeException(volume.status().code(), failure(volume));
            }
            case PENDING, READY -> {
                if (!fits) {
                    throw new VolumeException(
                            StatusCode.ALREADY_EXISTS,
                            volume.name()
                                    + " exists, but with another size, node, device class or"
                                    + " source");
                }
            }
        }
        return volume.state() == LogicalVolume.State.READY
                ? new Progress.Converged<>(volume)
                : new Progress.Pending<>(volume.name());
    }

    /** A part of a UID may be that of two claims, and no claim gets the volume of another. */
    private void requireSameClaim(LogicalVolume volume, VolumeRequest request)
            throws VolumeException {
        var mark = settings.driver().claimAnnotation();
        var claim = Optional.ofNullable(request.annotations().get(mark)).flatMap(ClaimMark::parse);
        var owner = ClaimMark.of(volume.object(), settings.driver());
        boolean same =
                claim.isEmpty()
                        || owner.map(o -> o.uid().equals(claim.get().uid()))
                                .orElseGet(
                                        () ->
                                                VolumeNaming.proves(
                                                        volume.name(), claim.get().uid()));
        if (!same) {
            throw new VolumeException(
                    StatusCode.ALREADY_EXISTS,
                    volume.name()
                            + " is the volume of another claim; names with more of the claim's UID"
                            + " (--volume-name-uuid-length) keep them apart");
        }
    }

    static String failure(LogicalVolume volume) {
        return volume.status().message().isEmpty()
                ? "node " + volume.spec().nodeName() + " could not make " + volume.name()
                : "node " + volume.spec().nodeName() + ": " + volume.status().message();
    }

    private boolean fits(LogicalVolume volume, VolumeRequest request) throws VolumeException {
        var source =
                store.byId(request.origin().map(Origin::id).orElse("")).map(LogicalVolume::name);
        boolean sameSource =
                request.origin().isEmpty()
                        ? volume.spec().source().isEmpty()
                        : source.isEmpty() || source.get().equals(volume.spec().source());
        return !volume.isSnapshot()
                && sameSource
                && sameClass(volume.spec().deviceClass(), request.deviceClass())
                && request.range().accepts(volume.bytes())
                && request.placement().allows(volume.spec().nodeName());
    }

    private boolean isSnapshotOf(LogicalVolume snapshot, String sourceId) throws VolumeException {
        var kept = snapshot.object().annotation(settings.driver().sourceVolumeAnnotation());
        return snapshot.isSnapshot()
                && (kept.isPresent()
                        ? kept.get().equals(sourceId)
                        : store.byId(sourceId)
                                .map(LogicalVolume::name)
                                .orElse("")
                                .equals(snapshot.spec().source()));
    }

    private boolean sameClass(String a, String b) {
        return settings.canonicalClass(a).equals(settings.canonicalClass(b));
    }

    private KubeObject fresh(String name, VolumeRequest request) throws VolumeException {
        request.access().requireKnown();
        if (request.origin().isPresent()) {
            return copy(name, request, request.origin().get());
        }
        long bytes = bytes(request.range(), request.access());
        var node = choice.reserve(name, request.placement(), request.deviceClass(), bytes);
        var spec =
                new LogicalVolume.Spec(
                        name,
                        node,
                        Quantity.ofBytes(bytes),
                        request.deviceClass(),
                        request.optionClass(),
                        "",
                        "");
        return LogicalVolume.create(settings.driver(), spec, annotations(request));
    }

    /** The node has to know who will read the volume: a filesystem hides what was there before. */
    private Map<String, String> annotations(VolumeRequest request) {
        var annotations = new HashMap<>(request.annotations());
        var mode = request.access() instanceof Access.Block ? "Block" : "Filesystem";
        annotations.put(settings.driver().volumeModeAnnotation(), mode);
        if (!request.attributes().isEmpty()) {
            annotations.put(settings.driver().attributesAnnotation(), request.attributes().text());
        }
        if (request.range().limitBytes() > 0) {
            annotations.put(
                    settings.driver().sizeLimitAnnotation(),
                    Long.toString(request.range().limitBytes()));
        }
        return annotations;
    }

    /** Returns how large a new volume will be made. */
    long bytes(CapacityRange range, Access access) throws VolumeException {
        return SizeRules.normalise(settings.sizes().raised(range, access));
    }

    private LogicalVolume origin(Origin origin) throws VolumeException {
        boolean snapshot = origin instanceof Origin.FromSnapshot;
        var found =
                store.byId(origin.id())
                        .filter(volume -> volume.isSnapshot() == snapshot)
                        .filter(volume -> volume.state() == LogicalVolume.State.READY)
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.NOT_FOUND,
                                                (snapshot ? "snapshot " : "volume ")
                                                        + origin.id()
                                                        + " does not exist"));
        requireContent(found);
        return found;
    }

    private static void requireContent(LogicalVolume origin) throws VolumeException {
        if (origin.lost()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    origin.name() + ": " + origin.status().message());
        }
    }

    /** Returns how pods see what a copy is made from, whoever says so; empty if nobody does. */
    private Optional<String> sourceMode(Origin from, LogicalVolume origin) {
        if (from instanceof Origin.FromSnapshot(_, var mode) && mode.isPresent()) {
            return mode;
        }
        return mode(origin)
                .or(
                        () ->
                                Optional.of(origin.spec().source())
                                        .filter(name -> !name.isEmpty())
                                        .flatMap(store::find)
                                        .flatMap(this::mode));
    }

    private Optional<String> mode(LogicalVolume volume) {
        return volume.object().annotation(settings.driver().volumeModeAnnotation());
    }

    private KubeObject copy(String name, VolumeRequest request, Origin from)
            throws VolumeException {
        var origin = origin(from);
        var range = request.range().any() ? CapacityRange.atLeast(origin.bytes()) : request.range();
        long bytes = bytes(range, request.access());
        if (bytes < origin.bytes()) {
            throw new VolumeException(
                    StatusCode.OUT_OF_RANGE,
                    bytes + " bytes are fewer than the " + origin.bytes() + " bytes of the source");
        }
        if (!sameClass(origin.spec().deviceClass(), request.deviceClass())) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "a copy must be in the device class of its source, "
                            + origin.spec().deviceClass());
        }
        if (!request.placement().allows(origin.spec().nodeName())) {
            throw new VolumeException(
                    StatusCode.RESOURCE_EXHAUSTED,
                    "a copy must be on the node of its source, " + origin.spec().nodeName());
        }
        var node = origin.spec().nodeName();
        var deviceClass = origin.spec().deviceClass();
        boolean heldStill = choice.thick(node, deviceClass) && !origin.isSnapshot();
        long store = heldStill ? StoreSize.DEFAULT.bytes(origin.bytes()) : 0;
        choice.reserve(name, Placement.on(node), deviceClass, bytes + store);
        var spec =
                new LogicalVolume.Spec(
                        name,
                        node,
                        Quantity.ofBytes(bytes),
                        deviceClass,
                        request.optionClass(),
                        origin.name(),
                        LogicalVolume.WRITABLE);
        var annotations = annotations(request);
        sourceMode(from, origin)
                .ifPresent(mode -> annotations.put(settings.driver().sourceModeAnnotation(), mode));
        if (heldStill) { // while it is copied, and only then
            annotations.put(settings.driver().snapshotStoreAnnotation(), Long.toString(store));
        }
        return LogicalVolume.create(settings.driver(), spec, annotations);
    }

    private KubeObject freshSnapshot(
            String name, String sourceId, StoreSize room, Map<String, String> marks)
            throws VolumeException {
        var source = source(sourceId);
        var node = source.spec().nodeName();
        var deviceClass = source.spec().deviceClass();
        boolean thick = choice.thick(node, deviceClass);
        long bytes = thick ? room.bytes(source.bytes()) : source.bytes();
        choice.reserveBeside(name, node, deviceClass, bytes);
        var spec =
                new LogicalVolume.Spec(
                        name,
                        node,
                        Quantity.ofBytes(source.bytes()),
                        deviceClass,
                        "",
                        source.name(),
                        LogicalVolume.READ_ONLY);
        var annotations = new HashMap<>(marks);
        annotations.put(settings.driver().sourceVolumeAnnotation(), sourceId);
        if (thick) {
            annotations.put(settings.driver().snapshotStoreAnnotation(), Long.toString(bytes));
        }
        return LogicalVolume.create(settings.driver(), spec, annotations);
    }

    /** Finds the volume that is to be snapshot. The id of a snapshot is that of no volume. */
    LogicalVolume source(String id) throws VolumeException {
        return store.byId(id)
                .filter(volume -> !volume.isSnapshot())
                .filter(volume -> volume.state() == LogicalVolume.State.READY)
                .orElseThrow(
                        () ->
                                new VolumeException(
                                        StatusCode.NOT_FOUND, "volume " + id + " does not exist"));
    }

    /** Writes the object; if the outcome is unknown, the bytes stay reserved until it is seen. */
    private LogicalVolume submit(KubeObject object)
            throws VolumeException, ApiException, InterruptedException {
        try {
            return store.create(object);
        } catch (ApiException.AlreadyExists e) {
            ledger.release(object.name());
            return store.read(object.name())
                    .orElseThrow(() -> new VolumeException(StatusCode.ABORTED, e.getMessage()));
        } catch (ApiException e) {
            if (!e.outcomeUnknown()) {
                ledger.release(object.name());
            }
            throw e;
        }
    }
}
