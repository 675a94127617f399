package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.tree.ObjectTree;
import lvms.node.vgmanager.plan.EventReason;

/**
 * Events about a volume group, on each object that a person may look at: the status of this node,
 * the owners of the LVMVolumeGroup (the LVMCluster), and the LVMVolumeGroup itself. All nodes share
 * the last two, so there the note names the node.
 *
 * @param recorder where events go
 * @param status status object of this node
 */
record VolumeGroupEvents(EventRecorder recorder, NodeStatus status) {
    void record(LvmVolumeGroup group, EventReason reason, String note) {
        status.read().ifPresent(object -> recorder.record(object, reason, note));
        var what = reason.warning() ? "error on node " : "update on node ";
        var node = status.key().toString();
        for (var owner : group.object().ownerReferences()) {
            var volumeGroup = " in volume group " + group.object().key();
            var text = what + node + volumeGroup + ": " + note;
            recorder.record(objectOf(owner, group), reason, text);
        }
        recorder.record(group.object(), reason, what + node + ": " + note);
    }

    private static KubeObject objectOf(OwnerReference owner, LvmVolumeGroup group) {
        var metadata = ObjectTree.builder();
        metadata.put("name", owner.name());
        metadata.put("namespace", group.object().namespace());
        metadata.put("uid", owner.uid());
        var tree = ObjectTree.builder();
        tree.put("apiVersion", owner.apiVersion());
        tree.put("kind", owner.kind());
        tree.put("metadata", metadata.build());
        return KubeObject.of(tree.build());
    }
}
