package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;

/**
 * One kind of object that an LVMCluster consists of.
 *
 * <p>A pass can run at any time, twice, or after a crash in the middle. One that finds nothing to
 * change writes nothing.
 */
public interface ReconcileUnit {
    /** Returns the name in logs, conditions and metrics, in camelCase. */
    String name();

    /** Brings the objects closer to the spec. */
    Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException;

    /** Brings the objects closer to being gone; converged means that they are. */
    Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException;

    /**
     * Leaves the objects to somebody who needs them after the cluster is gone; converged means that
     * none is the cluster's any more.
     */
    default Outcome handOver(LvmCluster cluster, LvmCluster heir)
            throws ApiException, InterruptedException {
        apply(heir);
        return new Outcome.Converged();
    }
}
