package lvms.operator.unit;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Types;

/**
 * Takes the finalizer off the Nodes that their agents put there: without an operator, a deleted
 * Node would wait for ever.
 *
 * @param kube writes
 * @param nodes all nodes
 */
public record NodeHoldUnit(KubeClient kube, Informer nodes) implements ReconcileUnit {
    @Override
    public String name() {
        return "nodeHold";
    }

    @Override
    public Outcome apply(LvmCluster cluster) {
        return new Outcome.Converged(); // an agent that has a class holds its Node
    }

    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var finalizer = Driver.TOPOLVM.nodeFinalizer();
        for (var node : nodes.list()) {
            if (node.finalizers().contains(finalizer)) {
                kube.removeFinalizer(Types.NODE, node, finalizer);
            }
        }
        return new Outcome.Converged();
    }
}
