package lvms.operator.cluster;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.operator.agent.AgentSettings;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.unit.AgentUnit;
import lvms.operator.unit.Applier;
import lvms.operator.unit.ClusterType;
import lvms.operator.unit.CsiDriverUnit;
import lvms.operator.unit.CsiNodeUnit;
import lvms.operator.unit.NetworkPolicyUnit;
import lvms.operator.unit.NodeHoldUnit;
import lvms.operator.unit.NodeStatusUnit;
import lvms.operator.unit.RawDriverUnit;
import lvms.operator.unit.RawVolumeHold;
import lvms.operator.unit.ReconcileUnit;
import lvms.operator.unit.SecurityContextUnit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The units of what every cluster needs, whatever its kind: the node agents and what they run with.
 *
 * @param holds what keeps a cluster from going, before anything of it is removed
 * @param ofNodes those of the nodes, in the order in which they are removed
 * @param ofDriver those of the driver, which go after everything else
 */
public record SharedUnits(
        List<ReconcileUnit> holds, List<ReconcileUnit> ofNodes, List<ReconcileUnit> ofDriver) {
    private static final ObjectKey RAW_DRIVER = ObjectKey.cluster(RawDevice.DRIVER.name());

    public SharedUnits {
        holds = List.copyOf(holds);
        ofNodes = List.copyOf(ofNodes);
        ofDriver = List.copyOf(ofDriver);
    }

    /** Makes units; asks for the premises the first time. */
    static SharedUnits of(
            KubeClient kube,
            Applier applier,
            OperatorInformers in,
            Premises premises,
            AgentSettings agents)
            throws ApiException, InterruptedException {
        var type = premises.type();
        var ofNodes =
                List.<ReconcileUnit>of(
                        new AgentUnit(
                                applier, kube, in.daemonSets(), premises.image(), agents, type),
                        new NodeHoldUnit(kube, in.nodes()),
                        new NodeStatusUnit(
                                applier, kube, in.nodes(), in.nodeStatuses(), agents.nodes()));
        var ofDriver =
                new ArrayList<ReconcileUnit>(
                        List.of(
                                new CsiDriverUnit(applier, in.csiDrivers()),
                                new CsiNodeUnit(kube, in.nodes(), in.csiNodes(), agents),
                                new NetworkPolicyUnit(applier, in.networkPolicies(), type)));
        boolean raw = agents.features().rawDevices();
        var holds = new ArrayList<ReconcileUnit>();
        if (raw || in.csiDrivers().get(RAW_DRIVER).isPresent()) {
            holds.add(new RawVolumeHold(kube, in.csiDrivers()));
            ofDriver.add(new RawDriverUnit(kube, applier, in.csiDrivers(), raw));
        }
        if (type != ClusterType.OTHER) {
            ofDriver.add(new SecurityContextUnit(applier, kube, in.constraints()));
        }
        return new SharedUnits(holds, ofNodes, ofDriver);
    }

    SharedUnits each(UnaryOperator<ReconcileUnit> change) {
        return new SharedUnits(
                holds.stream().map(change).toList(),
                ofNodes.stream().map(change).toList(),
                ofDriver.stream().map(change).toList());
    }

    /** Returns the unit of the node agents, which work until the nodes have cleaned up. */
    public ReconcileUnit agent() {
        return ofNodes.getFirst();
    }

    /** Returns all of them, in the order in which they are removed. */
    public List<ReconcileUnit> all() {
        return Stream.of(holds, ofNodes, ofDriver).flatMap(List::stream).toList();
    }
}
