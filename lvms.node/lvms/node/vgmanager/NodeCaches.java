package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.UnclaimedVolume;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.node.capacity.OwnNode;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/**
 * The objects that the agent reads to manage volume groups.
 *
 * @param groups the LVMVolumeGroups of its namespace
 * @param statuses the one LVMVolumeGroupNodeStatus of its node
 * @param nodes the one Node, with labels but without its status
 */
record NodeCaches(Informer groups, Informer statuses, Informer nodes) implements AutoCloseable {
    static NodeCaches of(KubeClient kube, VolumeGroupSettings settings) {
        var byName = "metadata.name=" + settings.nodeName();
        return new NodeCaches(
                Informer.of(kube, LvmVolumeGroup.TYPE).namespace(settings.namespace()).build(),
                Informer.of(kube, LvmVolumeGroupNodeStatus.TYPE)
                        .namespace(settings.namespace())
                        .fieldSelector(byName)
                        .build(),
                OwnNode.informer(kube, settings.nodeName()));
    }

    boolean synced() {
        return groups.following() && statuses.following() && nodes.following();
    }

    NodeStatus status(
            KubeClient kube,
            VolumeGroupSettings settings,
            Function<String, List<UnclaimedVolume>> unclaimed) {
        var key = ObjectKey.of(settings.namespace(), settings.nodeName());
        return new NodeStatus(kube, statuses, key, unclaimed);
    }

    GroupObjects objects(VolumeGroupSettings settings) {
        return new GroupObjects(groups, nodes, settings.nodeName(), InstantSource.system());
    }

    @Override
    public void close() {
        groups.close();
        statuses.close();
        nodes.close();
    }
}
