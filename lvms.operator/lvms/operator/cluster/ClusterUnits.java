package lvms.operator.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
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
import lvms.operator.unit.ReconcileUnit;
import lvms.operator.unit.RetiredClassUnit;
import lvms.operator.unit.SecurityContextUnit;
import lvms.operator.unit.SnapshotClassUnit;
import lvms.operator.unit.StorageClassUnit;
import lvms.operator.unit.VolumeGroupUnit;
import lvms.operator.unit.VolumeUse;

import java.util.List;
import java.util.stream.Stream;

/**
 * All units of a cluster.
 *
 * @param toApply every unit; their order does not matter
 * @param toRemove the order in which a cluster is taken apart: the nodes clean up while the agent
 *     still runs, and the StorageClasses stay until then, since the nodes read their policies
 * @param agent the unit of the node agents, which work until the nodes have cleaned up
 * @param retired the unit that knows what is in use
 */
record ClusterUnits(
        List<ReconcileUnit> toApply,
        List<ReconcileUnit> toRemove,
        ReconcileUnit agent,
        RetiredClassUnit retired) {

    /** Makes units; asks for the premises the first time. */
    static ClusterUnits of(
            KubeClient kube,
            Applier applier,
            OperatorInformers in,
            Premises premises,
            AgentSettings agents)
            throws ApiException, InterruptedException {
        var type = premises.type();
        var constraints = new SecurityContextUnit(applier, kube, in.constraints());
        var policies = new NetworkPolicyUnit(applier, in.networkPolicies(), type);
        var driver = new CsiDriverUnit(applier, in.csiDrivers());
        var daemonSet =
                new AgentUnit(applier, kube, in.daemonSets(), premises.image(), agents, type);
        var volumeGroups = new VolumeGroupUnit(applier, kube, in.volumeGroups());
        var nodeStatuses =
                new NodeStatusUnit(applier, kube, in.nodes(), in.nodeStatuses(), agents.nodes());
        var storageClasses = new StorageClassUnit(applier, in.storageClasses());
        var snapshotClasses = new SnapshotClassUnit(applier, kube, in.snapshotClasses());
        var registrations = new CsiNodeUnit(kube, in.nodes(), in.csiNodes(), agents);
        var use = new VolumeUse(kube, in);
        var retired = new RetiredClassUnit(use, storageClasses, snapshotClasses, volumeGroups);
        var toApply =
                List.<ReconcileUnit>of(
                        policies,
                        driver,
                        daemonSet,
                        volumeGroups,
                        nodeStatuses,
                        storageClasses,
                        snapshotClasses,
                        registrations,
                        retired);
        var toRemove =
                List.<ReconcileUnit>of(
                        volumeGroups,
                        daemonSet,
                        new NodeHoldUnit(kube, in.nodes()),
                        nodeStatuses,
                        storageClasses,
                        snapshotClasses,
                        driver,
                        registrations,
                        policies);
        boolean constrained = type != ClusterType.OTHER;
        return new ClusterUnits(
                constrained ? and(toApply, constraints) : toApply,
                constrained ? and(toRemove, constraints) : toRemove,
                daemonSet,
                retired);
    }

    private static List<ReconcileUnit> and(List<ReconcileUnit> units, ReconcileUnit last) {
        return Stream.concat(units.stream(), Stream.of(last)).toList();
    }
}
