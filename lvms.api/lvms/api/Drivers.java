package lvms.api;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The drivers that a process serves.
 *
 * @param all all the drivers, in no particular order
 */
public record Drivers(List<Driver> all) {
    /** The annotation of the old CSIDriver, once we serve it: the group of its LogicalVolumes. */
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
     * Returns the drivers that an operator serves whose users come from NativeStor: ours, and the
     * old one, unless somebody else serves that. Its LogicalVolumes are in our group, but for a
     * cluster that was taken over: there, the mark says so.
     */
    public static Drivers servedAfterNativeStor(KubeClient kube)
            throws ApiException, InterruptedException {
        var old = kube.find(Types.CSI_DRIVER, OLD);
        return isForeign(old)
                ? of(Driver.TOPOLVM)
                : of(Driver.TOPOLVM, old.flatMap(Drivers::marked).orElse(Driver.CONVERTED));
    }

    /**
     * Returns the drivers that a node agent serves: ours, and the old one if a mark says that it is
     * ours to serve.
     */
    public static Drivers servedByAgent(KubeClient kube) throws ApiException, InterruptedException {
        return kube.find(Types.CSI_DRIVER, OLD)
                .flatMap(Drivers::marked)
                .map(old -> of(Driver.TOPOLVM, old))
                .orElse(DEFAULT);
    }

    /** Returns whether somebody else serves the old driver, by its CSIDriver, if there is one. */
    public static boolean isForeign(Optional<KubeObject> old) {
        return old.filter(csiDriver -> marked(csiDriver).isEmpty()).isPresent();
    }

    /**
     * Returns the old driver as the mark on its CSIDriver says that we serve it: with
     * LogicalVolumes of our group, or with those of its own. Empty if there is no mark that we
     * know.
     */
    public static Optional<Driver> marked(KubeObject csiDriver) {
        return Stream.of(Driver.CONVERTED, Driver.LEGACY)
                .filter(old -> csiDriver.key().equals(OLD))
                .filter(
                        old ->
                                csiDriver
                                        .annotation(CONVERTED_MARK)
                                        .filter(old.group()::equals)
                                        .isPresent())
                .findFirst();
    }

    /** Returns the old driver as a mark among the CSIDrivers of a cluster says that we serve it. */
    public static Optional<Driver> oldServed(List<KubeObject> csiDrivers) {
        return csiDrivers.stream().flatMap(found -> marked(found).stream()).findFirst();
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

    /** Returns these and another one. */
    public Drivers and(Driver another) {
        return new Drivers(Stream.concat(all.stream(), Stream.of(another)).toList());
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
        return marked(csiDriver).filter(Driver.CONVERTED::equals).isPresent();
    }

    /** Returns the old driver, if it is served beside ours. */
    public Optional<Driver> oldBesideOurs() {
        return all.contains(Driver.TOPOLVM) ? named(Driver.LEGACY.name()) : Optional.empty();
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
