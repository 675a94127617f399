package lvms.node;

import lvms.api.Drivers;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.Lvm;
import lvms.node.capacity.CapacityReporter;
import lvms.node.capacity.ClassCapacity;
import lvms.node.capacity.MetadataWatch;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.format.Formats;
import lvms.node.pool.PoolHost;
import lvms.node.pool.PoolRefusals;
import lvms.node.volume.GroupLedgers;

/**
 * What every agent of a node has around its volume groups, whoever says which classes there are.
 *
 * @param refusals the pools that get no new volumes
 */
record GroupParts(
        PoolHost host, PoolRefusals refusals, GroupLedgers groups, CapacityReporter capacity) {
    /**
     * Puts the parts together; nothing is started yet.
     *
     * @param formats where filesystems are made on volumes of these groups
     * @param foreign called after somebody else has changed a group; it must return at once
     */
    static GroupParts of(
            Lvm lvm,
            KubeClient kube,
            Drivers drivers,
            LiveDeviceClasses classes,
            String node,
            Formats formats,
            Runnable foreign,
            MetricsRegistry metrics) {
        EngineMetrics.follow(lvm, metrics, node);
        var host = PoolHost.of(lvm);
        var refusals = new PoolRefusals();
        var room = new ClassCapacity(host.settings(), refusals);
        var groups = new GroupLedgers(lvm, room, formats);
        var watch = new MetadataWatch(foreign);
        var capacity =
                new CapacityReporter(
                        kube, drivers, groups::fresh, classes, node, room, watch, metrics);
        return new GroupParts(host, refusals, groups, capacity);
    }
}
