package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;

import java.util.Optional;
import java.util.TreeMap;

/**
 * Tells whether the CSIDriver of our name is somebody else's, such as TopoLVM's. Two provisioners
 * and two node plugins with one name would work on the same claims and volumes, so the later one
 * waits.
 */
public final class ForeignDriver {
    private static final String OWNER_KIND = Names.OWNED_BY_PREFIX + "kind";

    private ForeignDriver() {}

    /**
     * Returns why nothing may be done, empty if nothing is in the way.
     *
     * @param csiDriver the CSIDriver, if there is one
     */
    public static Optional<String> of(Optional<KubeObject> csiDriver) {
        return csiDriver.filter(driver -> !isOurs(driver)).map(ForeignDriver::sentence);
    }

    /** Returns whether an LVMCluster, perhaps of the predecessor or one that is gone, made it. */
    static boolean isOurs(KubeObject csiDriver) {
        return csiDriver.label(OWNER_KIND).filter(LvmCluster.TYPE.kind()::equals).isPresent();
    }

    private static String sentence(KubeObject driver) {
        return "CSIDriver "
                + driver.name()
                + " belongs to another installation (labels "
                + new TreeMap<>(driver.labels())
                + "); remove that installation and its CSIDriver first";
    }
}
