package lvms.operator.backend;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.volume.NodeCapacities;
import lvms.operator.volume.NodeTopology;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeRequest;
import lvms.operator.volume.VolumeService;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Volumes that are logical volumes.
 *
 * @param service makes them
 */
record LogicalVolumeBackend(VolumeService service) implements VolumeBackend {
    @Override
    public Driver driver() {
        return service.driver();
    }

    @Override
    public Informer objects() {
        return service.store().informer();
    }

    @Override
    public Optional<BegunVolume> volume(KubeObject object) {
        return Optional.of(begun(LogicalVolume.tolerant(object)));
    }

    private BegunVolume begun(LogicalVolume volume) {
        return BegunVolume.of(volume, driver());
    }

    private static LogicalVolume of(BegunVolume volume) {
        return LogicalVolume.tolerant(volume.object());
    }

    @Override
    public Optional<BegunVolume> find(String name) {
        return service.store().find(name).map(this::begun);
    }

    @Override
    public List<BegunVolume> ofClaim(ObjectKey claim) {
        return service.store().ofClaim(claim).stream().map(this::begun).toList();
    }

    @Override
    public Optional<String> objection(Claim claim) {
        return Optional.empty();
    }

    @Override
    public Optional<Copying> copying() {
        return Optional.of(new Copies(service));
    }

    private record Copies(VolumeService service) implements Copying {
        @Override
        public String sourceId(BegunVolume copy) {
            return service.store()
                    .find(copy.source())
                    .map(source -> source.status().volumeId())
                    .orElse("");
        }

        @Override
        public long bytes(VolumeRequest request) throws VolumeException {
            return service.bytes(request);
        }
    }

    @Override
    public Progress<BegunVolume> create(VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        return switch (service.create(request)) {
            case Progress.Converged<LogicalVolume>(var made) ->
                    new Progress.Converged<>(begun(made));
            case Progress.Pending<LogicalVolume>(var name) -> new Progress.Pending<>(name);
        };
    }

    @Override
    public void unmark(BegunVolume volume) throws ApiException, InterruptedException {
        service.store().unmark(of(volume));
    }

    @Override
    public Progress<Boolean> discard(BegunVolume volume)
            throws VolumeException, ApiException, InterruptedException {
        return service.delete(of(volume));
    }

    @Override
    public Progress<Boolean> reclaim(KubeObject persistentVolume, boolean seen)
            throws VolumeException, ApiException, InterruptedException {
        var id = persistentVolume.text("spec", "csi", "volumeHandle").orElse("");
        var progress = service.delete(id);
        if (progress instanceof Progress.Pending || seen) {
            return progress; // the deletion of the object brings the next pass
        }
        // perhaps the cache just did not show it
        var present =
                service.store()
                        .read(persistentVolume.name())
                        .filter(volume -> volume.status().volumeId().equals(id));
        return present.isPresent() ? service.delete(present.get()) : progress;
    }

    @Override
    public NodeSpace space() {
        return new Space(service);
    }

    private record Space(VolumeService service) implements NodeSpace {
        private NodeCapacities capacities() {
            return service.capacities();
        }

        private String deviceClass(StorageClass storageClass) {
            return storageClass.deviceClass(service.driver());
        }

        @Override
        public NodeTopology topology() {
            return capacities().topology();
        }

        @Override
        public Optional<Free> free(String node, StorageClass storageClass) {
            var bytes = capacities().free(node, deviceClass(storageClass));
            return bytes.isPresent() ? Optional.of(Free.of(bytes.getAsLong())) : Optional.empty();
        }

        @Override
        public boolean reserves(String node, StorageClass storageClass) {
            return capacities().reserves(node, deviceClass(storageClass));
        }

        @Override
        public void onMoreRoom(Consumer<String> listener) {
            capacities().onMoreRoom(listener);
        }

        @Override
        public void onChange(Consumer<String> listener) {
            capacities().onReservation(listener);
        }
    }
}
