package lvms.operator.topolvmcluster;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.nativestor.NativeStor;
import lvms.operator.nativestor.SettingKey;
import lvms.operator.unit.Applier;
import lvms.operator.unit.CsiDriverUnit;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The CSIDriver by whose name NativeStor's StorageClasses and PersistentVolumes call their driver.
 * Its mark says in which group its LogicalVolumes are: ours, or where NativeStor's place was taken,
 * its own.
 *
 * @param applier writes
 * @param informers CSIDrivers, StorageClasses and PersistentVolumes
 * @param stor says whether it was switched off
 */
record OldDriver(Applier applier, OperatorInformers informers, NativeStor stor) {
    private static final String NAME = Driver.CONVERTED.name();
    private static final int NAMED = 5;
    private static final String OWNER_KIND = Names.OWNED_BY_PREFIX + "kind";

    /** Returns why nothing may be done, empty if nothing is in the way. */
    Optional<String> obstacle() {
        if (Drivers.isForeign(stor.oldDriver())) {
            return Optional.of(
                    "CSIDriver "
                            + NAME
                            + " belongs to another installation: give its volumes to this one with"
                            + " lvms takeover, or remove that installation and its CSIDriver");
        }
        var served = informers.drivers().named(NAME);
        var marked = stor.oldDriver().flatMap(Drivers::marked);
        return served.isPresent() && marked.filter(d -> !served.get().equals(d)).isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "CSIDriver "
                                + NAME
                                + " was another installation's when this operator started: restart"
                                + " Deployment "
                                + Names.OPERATOR);
    }

    /**
     * Makes it, or lets it go if that is asked for and nothing uses it.
     *
     * @param cluster whose labels it gets
     */
    void apply(LvmCluster cluster) throws ApiException, InterruptedException {
        if (stor.settings().now().topolvm()) {
            stor.settings().follow(SettingKey.TOPOLVM_ENABLE);
            if (stor.oldDriver().filter(driver -> !isOurs(driver)).isEmpty()) {
                applier.apply(desired(cluster), informers.csiDrivers());
            }
            return;
        }
        var users = users();
        if (users.isEmpty() || stor.oldDriver().isEmpty()) {
            stor.settings().follow(SettingKey.TOPOLVM_ENABLE);
            remove();
        } else {
            stor.settings()
                    .refuse(
                            SettingKey.TOPOLVM_ENABLE,
                            "TOPOLVM_ENABLE counts as true while CSIDriver %s is used by %s"
                                    .formatted(NAME, String.join(", ", users)));
        }
    }

    /** Deletes it if we made it and nothing uses it; volumes need it as long as they live. */
    void remove() throws ApiException, InterruptedException {
        var present = stor.oldDriver().filter(OldDriver::isOurs);
        if (present.isPresent() && users().isEmpty()) {
            applier.delete(Types.CSI_DRIVER, present.get());
        }
    }

    /** The one that a conversion of an old TopoLVM left is a person's. */
    private static boolean isOurs(KubeObject driver) {
        return driver.label(OWNER_KIND).filter(TopolvmCluster.TYPE.kind()::equals).isPresent();
    }

    private List<String> users() {
        var classes =
                informers.storageClasses().list().stream()
                        .filter(c -> c.text("provisioner").filter(NAME::equals).isPresent())
                        .map(c -> "StorageClass " + c.name());
        var volumes =
                informers.persistentVolumes().list().stream()
                        .filter(
                                v ->
                                        v.text("spec", "csi", "driver")
                                                .filter(NAME::equals)
                                                .isPresent())
                        .map(v -> "PersistentVolume " + v.name());
        return Stream.concat(classes, volumes).sorted().limit(NAMED).toList();
    }

    // NativeStor had the mode Ephemeral, too. Generic ephemeral volumes took the place of such
    // volumes; they have claims, and need no mode of a driver.
    private KubeObject desired(LvmCluster cluster) {
        var driver = informers.drivers().named(NAME).orElseThrow();
        return CsiDriverUnit.desired(cluster, driver)
                .with(driver.group(), "metadata", "annotations", Drivers.CONVERTED_MARK);
    }
}
