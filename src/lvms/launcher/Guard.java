package lvms.launcher;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.launcher.lvm.LvmSearch;

import java.time.Duration;

/**
 * Makes sure that the cluster refuses what a node agent must not write: its role alone would let it
 * write every Node and LogicalVolume. The server is asked without anything being written.
 *
 * @param node the node's name
 * @param report is told at each attempt what is in the way
 * @param end says whether the process has to end
 */
record Guard(KubeClient kube, String node, LvmSearch.Report report, LvmSearch.End end) {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final String LABEL = "topolvm.io/guard-check";
    private static final String MISSING =
            "this cluster lets a node agent write about other nodes; apply the policies of"
                    + " deploy/guard: kubectl apply -k deploy/guard";

    /** Waits until the policy is in force; returns false if the process is to end. */
    boolean await() throws InterruptedException {
        while (true) {
            try {
                if (!isMissing(kube, node)) {
                    return true;
                }
                report.tell(MISSING);
            } catch (ApiException e) {
                LOG.log(WARNING, () -> "the policies could not be checked: " + e.getMessage());
            }
            if (end.within(RETRY)) {
                return false;
            }
        }
    }

    /** A label of a Node decides where pods run, so the policy never lets an agent set one. */
    static boolean isMissing(KubeClient kube, String node)
            throws ApiException, InterruptedException {
        var object = kube.get(Types.NODE, ObjectKey.cluster(node));
        return kube.wouldAccept(Types.NODE, MergePatch.of(object).label(LABEL, "none"));
    }
}
