package lvms.operator.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.unit.AgentSettings;
import lvms.operator.unit.AgentUnit;
import lvms.operator.unit.Applier;
import lvms.operator.unit.CsiDriverUnit;
import lvms.operator.unit.CsiNodeUnit;
import lvms.operator.unit.NodeHoldUnit;
import lvms.operator.unit.NodeStatusUnit;
import lvms.operator.unit.ReconcileUnit;
import lvms.operator.unit.RetiredClassUnit;
import lvms.operator.unit.SnapshotClassUnit;
import lvms.operator.unit.StorageClassUnit;
import lvms.operator.unit.VolumeGroupUnit;
import lvms.operator.unit.VolumeUse;

import java.util.List;

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

    static ClusterUnits of(
            KubeClient kube, Applier applier, OperatorInformers in, AgentSettings agent) {
        var driver = new CsiDriverUnit(applier, in.csiDrivers());
        var daemonSet = new AgentUnit(applier, kube, in.daemonSets(), agent);
        var volumeGroups = new VolumeGroupUnit(applier, kube, in.volumeGroups());
        var nodeStatuses = new NodeStatusUnit(applier, kube, in.nodes(), in.nodeStatuses());
        var storageClasses = new StorageClassUnit(applier, in.storageClasses());
        var snapshotClasses = new SnapshotClassUnit(applier, kube);
        var registrations = new CsiNodeUnit(in.nodes(), in.csiNodes(), agent.kubeletRoot());
        var use = new VolumeUse(kube, in);
        var retired = new RetiredClassUnit(use, storageClasses, snapshotClasses, volumeGroups);
        return new ClusterUnits(
                List.of(
                        driver,
                        daemonSet,
                        volumeGroups,
                        nodeStatuses,
                        storageClasses,
                        snapshotClasses,
                        registrations,
                        retired),
                List.of(
                        volumeGroups,
                        daemonSet,
                        new NodeHoldUnit(kube, in.nodes()),
                        nodeStatuses,
                        storageClasses,
                        snapshotClasses,
                        driver,
                        registrations),
                daemonSet,
                retired);
    }

    /** Makes units; reads the image of the operator the first time. */
    static ClusterUnits of(
            KubeClient kube,
            Applier applier,
            OperatorInformers informers,
            AgentImage image,
            ClusterSettings settings)
            throws ApiException, InterruptedException {
        return of(
                kube,
                applier,
                informers,
                new AgentSettings(image.get(), settings.agentCommand(), settings.kubeletRoot()));
    }
}
