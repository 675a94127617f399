package lvms.operator.cluster;

import lvms.k8s.client.KubeClient;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.unit.Applier;
import lvms.operator.unit.ReconcileUnit;
import lvms.operator.unit.RetiredClassUnit;
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

    /**
     * Makes units.
     *
     * @param shared those of what every cluster needs
     */
    static ClusterUnits of(
            KubeClient kube, Applier applier, OperatorInformers in, SharedUnits shared) {
        var volumeGroups = new VolumeGroupUnit(applier, kube, in.volumeGroups());
        var storageClasses = new StorageClassUnit(applier, in.storageClasses());
        var snapshotClasses = new SnapshotClassUnit(applier, kube, in.snapshotClasses());
        var use = new VolumeUse(kube, in);
        var retired = new RetiredClassUnit(use, storageClasses, snapshotClasses, volumeGroups);
        var own = List.<ReconcileUnit>of(volumeGroups, storageClasses, snapshotClasses, retired);
        var first = List.<ReconcileUnit>of(volumeGroups);
        var classes = List.<ReconcileUnit>of(storageClasses, snapshotClasses);
        return new ClusterUnits(
                Stream.of(shared.all(), own).flatMap(List::stream).toList(),
                Stream.of(shared.holds(), first, shared.ofNodes(), classes, shared.ofDriver())
                        .flatMap(List::stream)
                        .toList(),
                shared.agent(),
                retired);
    }
}
