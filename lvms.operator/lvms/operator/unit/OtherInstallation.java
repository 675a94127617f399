package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.Optional;

/**
 * Tells whether somebody else is at work with our driver's name, of whatever generation. Where
 * nobody is, that costs one request: the objects of an earlier operator are as our own.
 *
 * @param kube asks the server
 * @param namespace where we are
 */
public record OtherInstallation(KubeClient kube, String namespace) {
    /** The node part of LVMS up to 4.15; its controller is never without it. */
    private static final String OLD_NODE_PART = "topolvm-node";

    /**
     * Returns why nothing may be done, empty if nothing is in the way.
     *
     * @param csiDriver the CSIDriver, if there is one
     */
    public Optional<String> of(Optional<KubeObject> csiDriver)
            throws ApiException, InterruptedException {
        var foreign = ForeignDriver.of(csiDriver);
        if (foreign.isPresent() || csiDriver.isEmpty()) {
            return foreign;
        }
        var elsewhere = elsewhere(csiDriver.get());
        return elsewhere.isPresent() ? elsewhere : olderGeneration();
    }

    private Optional<String> elsewhere(KubeObject driver)
            throws ApiException, InterruptedException {
        var owner = ObjectKey.of(label(driver, "namespace"), label(driver, "name"));
        if (owner.namespace().equals(namespace)) {
            return Optional.empty();
        }
        return kube.find(LvmCluster.TYPE, owner)
                .filter(cluster -> cluster.uid().equals(label(driver, "uid")))
                .map(
                        _ ->
                                "CSIDriver "
                                        + driver.name()
                                        + " belongs to LVMCluster "
                                        + owner
                                        + ": install the operator in that namespace instead (lvms"
                                        + " takeover plan --from lvms), or delete that LVMCluster");
    }

    private static String label(KubeObject driver, String name) {
        return driver.label(Names.OWNED_BY_PREFIX + name).orElse("");
    }

    private Optional<String> olderGeneration() throws ApiException, InterruptedException {
        return kube.find(Types.DAEMON_SET, ObjectKey.of(namespace, OLD_NODE_PART))
                .map(
                        daemonSet ->
                                "DaemonSet "
                                        + daemonSet.key()
                                        + " of an earlier LVMS is still at work: lvms takeover run"
                                        + " --from lvms takes its place");
    }
}
