package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;

import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells whether the CSIDriver of our name is somebody else's, such as TopoLVM's. Two provisioners
 * and two node plugins with one name would work on the same claims and volumes, so the later one
 * waits.
 */
public final class ForeignDriver {
    private static final String OWNER_KIND = Names.OWNED_BY_PREFIX + "kind";
    private static final Set<String> OWNERS =
            Set.of(LvmCluster.TYPE.kind(), TopolvmCluster.TYPE.kind());

    private ForeignDriver() {}

    /**
     * Returns why nothing may be done, empty if nothing is in the way.
     *
     * @param csiDriver the CSIDriver, if there is one
     */
    public static Optional<String> of(Optional<KubeObject> csiDriver) {
        return csiDriver.filter(driver -> !isOurs(driver)).map(ForeignDriver::sentence);
    }

    /**
     * Returns whether a cluster, perhaps of the predecessor or one that is gone, made an object
     * that is in no namespace, such as the CSIDriver.
     */
    public static boolean isOurs(KubeObject object) {
        return object.label(OWNER_KIND).filter(OWNERS::contains).isPresent();
    }

    private static String sentence(KubeObject driver) {
        return "CSIDriver "
                + driver.name()
                + " belongs to another installation (labels "
                + new TreeMap<>(driver.labels())
                + "); remove that installation and its CSIDriver first";
    }
}
