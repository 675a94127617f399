package lvms.operator.volume;

import lvms.api.Driver;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.operator.informer.OperatorInformers;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One {@link VolumeService} for each driver that the process serves. Claims, PersistentVolumes and
 * snapshots name their driver, which leads to the service that may touch them.
 *
 * @param all the services, one for each driver
 */
public record VolumeServices(List<VolumeService> all) {
    /** Keeps a private copy. */
    public VolumeServices {
        all = List.copyOf(all);
    }

    /**
     * Returns the services of all drivers that the informers follow. They have one ledger, since
     * they hand out the same volume groups.
     *
     * @param defaultDeviceClass name of the default device class, where it is known
     */
    public static VolumeServices of(
            KubeClient kube,
            OperatorInformers informers,
            SizeRules sizes,
            Supplier<Optional<String>> defaultDeviceClass,
            InstantSource clock) {
        var all = new ArrayList<VolumeService>();
        var ledger = new Ledger(clock);
        for (var driver : informers.drivers().all()) {
            var settings = new VolumeSettings(driver, sizes, defaultDeviceClass);
            all.add(VolumeService.of(kube, settings, informers, ledger, clock));
        }
        return new VolumeServices(all);
    }

    /** Returns the services for the sidecars' work, whose calls are measured as theirs. */
    public VolumeServices measured(MetricsRegistry metrics) {
        return new VolumeServices(all.stream().map(service -> service.measured(metrics)).toList());
    }

    /** Returns the service of the driver of this name, empty if somebody else serves it. */
    public Optional<VolumeService> named(String driver) {
        return all.stream().filter(service -> service.driver().name().equals(driver)).findFirst();
    }

    /** Returns the service of a PersistentVolume, empty if somebody else serves it. */
    public Optional<VolumeService> ofVolume(KubeObject persistentVolume) {
        return persistentVolume.text("spec", "csi", "driver").flatMap(this::named);
    }

    /** Returns the service of a driver of the set. */
    public VolumeService of(Driver driver) {
        return named(driver.name()).orElseThrow();
    }
}
