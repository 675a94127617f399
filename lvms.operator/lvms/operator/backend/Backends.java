package lvms.operator.backend;

import lvms.api.Driver;
import lvms.operator.volume.VolumeServices;

import java.util.List;
import java.util.Optional;

/**
 * One {@link VolumeBackend} for each driver whose claims are served.
 *
 * @param all the backends
 */
public record Backends(List<VolumeBackend> all) {
    public Backends {
        all = List.copyOf(all);
    }

    /** Returns those over services of logical volumes. */
    public static Backends of(VolumeServices services) {
        return new Backends(
                services.all().stream().<VolumeBackend>map(LogicalVolumeBackend::new).toList());
    }

    /** Returns the backend of the driver of this name, empty if somebody else serves it. */
    public Optional<VolumeBackend> named(String driver) {
        return all.stream().filter(backend -> backend.driver().name().equals(driver)).findFirst();
    }

    /** Returns the backend of a driver of the set. */
    public VolumeBackend of(Driver driver) {
        return named(driver.name()).orElseThrow();
    }
}
