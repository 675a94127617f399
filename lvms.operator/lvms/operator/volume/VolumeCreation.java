package lvms.operator.volume;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;

import java.util.Map;
import java.util.Optional;

/** The passes that make volumes and snapshots. The caller holds the lock of the name. */
final class VolumeCreation {
    private final VolumeSettings settings;
    private final VolumeStore store;
    private final NodeChoice choice;
    private final Ledger ledger;

    VolumeCreation(VolumeSettings settings, VolumeStore store, NodeChoice choice, Ledger ledger) {
        this.settings = settings;
        this.store = store;
        this.choice = choice;
        this.ledger = ledger;
    }

    Progress<Volume> volume(String name, VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        var existing = store.find(name);
        var volume = existing.isPresent() ? existing.get() : submit(draft(name, request));
        return resume(volume, fits(volume, request));
    }

    Progress<Volume> snapshot(String name, String sourceId)
            throws VolumeException, ApiException, InterruptedException {
        var existing = store.find(name);
        var snapshot =
                existing.isPresent() ? existing.get() : submit(snapshotDraft(name, sourceId));
        return resume(snapshot, isSnapshotOf(snapshot, sourceId));
    }

    private Progress<Volume> resume(Volume volume, boolean fits)
            throws VolumeException, ApiException, InterruptedException {
        switch (volume.state()) {
            case TERMINATING -> {
                return new Progress.Waiting<>(volume.name()); // until the name is free again
            }
            case FAILED -> {
                store.delete(volume);
                throw new VolumeException(volume.code(), failure(volume));
            }
            case PENDING, READY -> {
                if (!fits) {
                    throw new VolumeException(
                            StatusCode.ALREADY_EXISTS,
                            volume.name() + " exists with another size, place, class or source");
                }
            }
        }
        return volume.state() == Volume.State.READY
                ? new Progress.Finished<>(volume)
                : new Progress.Waiting<>(volume.name());
    }

    private static String failure(Volume volume) {
        return volume.message().isEmpty()
                ? "node " + volume.node() + " could not make " + volume.name()
                : "node " + volume.node() + ": " + volume.message();
    }

    private boolean fits(Volume volume, VolumeRequest request) {
        var source = request.origin().flatMap(origin -> store.byId(origin.id())).map(Volume::name);
        boolean sameSource =
                request.origin().isEmpty()
                        ? volume.source().isEmpty()
                        : source.isEmpty() || source.get().equals(volume.source());
        return !volume.readOnly()
                && sameSource
                && sameClass(volume.deviceClass(), request.deviceClass())
                && request.range().accepts(volume.bytes())
                && request.placement().allows(volume.node());
    }

    private boolean isSnapshotOf(Volume snapshot, String sourceId) {
        var kept = snapshot.object().annotation(settings.driver().sourceVolumeAnnotation());
        return snapshot.readOnly()
                && (kept.isPresent()
                        ? kept.get().equals(sourceId)
                        : store.byId(sourceId)
                                .map(Volume::name)
                                .orElse("")
                                .equals(snapshot.source()));
    }

    private boolean sameClass(String a, String b) {
        return settings.canonicalClass(a).equals(settings.canonicalClass(b));
    }

    private Draft draft(String name, VolumeRequest request) throws VolumeException {
        if (request.origin().isPresent()) {
            return copyDraft(name, request, origin(request.origin().get()));
        }
        long bytes = bytes(request.range(), request.access());
        var node = choice.reserve(name, request.placement(), request.deviceClass(), bytes);
        return new Draft(
                name,
                node,
                request.deviceClass(),
                request.optionClass(),
                bytes,
                Optional.empty(),
                request.annotations());
    }

    private long bytes(CapacityRange range, Access access) throws VolumeException {
        return SizeRules.normalise(settings.sizes().raised(range, access));
    }

    private Volume origin(Origin origin) throws VolumeException {
        boolean snapshot = origin instanceof Origin.FromSnapshot;
        return store.byId(origin.id())
                .filter(volume -> volume.readOnly() == snapshot)
                .filter(volume -> volume.state() == Volume.State.READY)
                .orElseThrow(
                        () ->
                                new VolumeException(
                                        StatusCode.NOT_FOUND,
                                        (snapshot ? "snapshot " : "volume ")
                                                + origin.id()
                                                + " does not exist"));
    }

    private Draft copyDraft(String name, VolumeRequest request, Volume origin)
            throws VolumeException {
        var range = request.range().any() ? CapacityRange.atLeast(origin.bytes()) : request.range();
        long bytes = bytes(range, request.access());
        if (bytes < origin.bytes()) {
            throw new VolumeException(
                    StatusCode.OUT_OF_RANGE,
                    bytes + " bytes are less than the source has, " + origin.bytes() + " bytes");
        }
        if (!sameClass(origin.deviceClass(), request.deviceClass())) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "a copy lies in the device class of its source, " + origin.deviceClass());
        }
        if (!request.placement().allows(origin.node())) {
            throw new VolumeException(
                    StatusCode.RESOURCE_EXHAUSTED,
                    "a copy lies on the node of its source, " + origin.node());
        }
        choice.reserve(name, Placement.on(origin.node()), origin.deviceClass(), bytes);
        return new Draft(
                name,
                origin.node(),
                origin.deviceClass(),
                request.optionClass(),
                bytes,
                Optional.of(new Draft.Cut(origin.name(), "rw")),
                request.annotations());
    }

    private Draft snapshotDraft(String name, String sourceId) throws VolumeException {
        var source =
                store.byId(sourceId)
                        .filter(volume -> volume.state() == Volume.State.READY)
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.NOT_FOUND,
                                                "volume " + sourceId + " does not exist"));
        choice.reserve(name, Placement.on(source.node()), source.deviceClass(), source.bytes());
        return new Draft(
                name,
                source.node(),
                source.deviceClass(),
                "",
                source.bytes(),
                Optional.of(new Draft.Cut(source.name(), "ro")),
                Map.of(settings.driver().sourceVolumeAnnotation(), sourceId));
    }

    /** Writes the object; after an unknown outcome the promise stays until the object is seen. */
    private Volume submit(Draft draft) throws VolumeException, ApiException, InterruptedException {
        try {
            return store.create(draft);
        } catch (ApiException.AlreadyExists e) {
            ledger.release(draft.name());
            return store.read(draft.name())
                    .orElseThrow(() -> new VolumeException(StatusCode.ABORTED, e.getMessage()));
        } catch (ApiException e) {
            if (!e.outcomeUnknown()) {
                ledger.release(draft.name());
            }
            throw e;
        }
    }
}
