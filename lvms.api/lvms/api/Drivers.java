package lvms.api;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Optional;

/**
 * The drivers that a process serves.
 *
 * @param all all the drivers, in no particular order
 */
public record Drivers(List<Driver> all) {
    /** The annotation of the old CSIDriver; its value is the group of the LogicalVolumes. */
    public static final String CONVERTED_MARK = Driver.TOPOLVM.group() + "/logicalvolumes-in";

    private static final ObjectKey OLD = ObjectKey.cluster(Driver.LEGACY.name());

    /** The drivers of a new cluster. */
    public static final Drivers DEFAULT = of(Driver.TOPOLVM);

    /** Checks that there is at least one, and none twice. */
    public Drivers {
        all = List.copyOf(all);
        if (all.isEmpty() || all.stream().distinct().count() < all.size()) {
            throw new IllegalArgumentException(
                    "expected at least one driver and each once, found " + all);
        }
    }

    /**
     * Returns the drivers that whoever serves one has to serve: that one, and with ours the old
     * one, too, if its LogicalVolumes were converted. PersistentVolumes keep that driver for ever,
     * so its CSIDriver stays, and a mark on it says who serves it: without, somebody else may.
     */
    public static Drivers servedWith(KubeClient kube, Driver driver)
            throws ApiException, InterruptedException {
        boolean converted =
                driver.equals(Driver.TOPOLVM)
                        && kube.find(Types.CSI_DRIVER, OLD)
                                .filter(Drivers::isConverted)
                                .isPresent();
        return converted ? of(driver, Driver.CONVERTED) : of(driver);
    }

    /**
     * Returns the drivers whose volumes may be in a cluster, whoever serves them: ours, and the old
     * one if it is registered, with the group that its LogicalVolumes are in.
     */
    public static Drivers inCluster(KubeClient kube) throws ApiException, InterruptedException {
        return registered(kube.find(Types.CSI_DRIVER, OLD).stream().toList());
    }

    /** Returns the same by the CSIDrivers of the cluster. */
    public static Drivers registered(List<KubeObject> csiDrivers) {
        return csiDrivers.stream()
                .filter(csiDriver -> csiDriver.key().equals(OLD))
                .findFirst()
                .map(old -> of(Driver.TOPOLVM, isConverted(old) ? Driver.CONVERTED : Driver.LEGACY))
                .orElse(DEFAULT);
    }

    /** Returns those whose LogicalVolumes are in a group; there must be one. */
    public Drivers ofGroup(String group) {
        return new Drivers(all.stream().filter(driver -> driver.group().equals(group)).toList());
    }

    /** Returns the kinds of LogicalVolumes, one for each group. */
    public List<ResourceType> logicalVolumes() {
        return all.stream().map(Driver::logicalVolumes).distinct().toList();
    }

    /** Returns the driver of a PersistentVolume, empty if it is none of these. */
    public Optional<Driver> ofVolume(KubeObject persistentVolume) {
        return persistentVolume.text("spec", "csi", "driver").flatMap(this::named);
    }

    /** Returns whether the mark on a CSIDriver says that its LogicalVolumes are ours. */
    public static boolean isConverted(KubeObject csiDriver) {
        return csiDriver.key().equals(OLD)
                && csiDriver
                        .annotation(CONVERTED_MARK)
                        .filter(Driver.TOPOLVM.group()::equals)
                        .isPresent();
    }

    /** Returns the set of these drivers. */
    public static Drivers of(Driver... drivers) {
        return new Drivers(List.of(drivers));
    }

    /**
     * Returns the driver of this name, empty if somebody else serves it. StorageClasses and claims
     * give the name as their provisioner, PersistentVolumes and snapshots as their driver.
     */
    public Optional<Driver> named(String name) {
        return all.stream().filter(driver -> driver.name().equals(name)).findFirst();
    }

    /** Returns whether one of them has this name. */
    public boolean serve(String name) {
        return named(name).isPresent();
    }
}
