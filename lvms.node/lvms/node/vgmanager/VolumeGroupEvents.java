package lvms.node.vgmanager;

import com.google.gson.JsonObject;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.event.EventRecorder.Type;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.OwnerReference;

/**
 * Events about a volume group, for each object a person may look at: the status of this node, the
 * owners of the LVMVolumeGroup (the LVMCluster), and the LVMVolumeGroup itself. The latter two are
 * shared by all nodes, so there the note names the node.
 *
 * @param recorder where events go
 * @param status status object of this node
 */
record VolumeGroupEvents(EventRecorder recorder, NodeStatus status) {
    private static final String ACTION = "ReconcileVolumeGroup";

    void record(LvmVolumeGroup group, EventReason reason, String note) {
        status.read().ifPresent(object -> record(object, reason, note));
        var what = reason.warning() ? "error on node " : "update on node ";
        var node = status.key().toString();
        for (var owner : group.object().ownerReferences()) {
            var volumeGroup = " in volume group " + group.object().key();
            record(objectOf(owner, group), reason, what + node + volumeGroup + ": " + note);
        }
        record(group.object(), reason, what + node + ": " + note);
    }

    private void record(KubeObject regarding, EventReason reason, String note) {
        var type = reason.warning() ? Type.WARNING : Type.NORMAL;
        recorder.record(regarding, type, reason.text(), ACTION, note);
    }

    private static KubeObject objectOf(OwnerReference owner, LvmVolumeGroup group) {
        var metadata = new JsonObject();
        metadata.addProperty("name", owner.name());
        metadata.addProperty("namespace", group.object().namespace());
        metadata.addProperty("uid", owner.uid());
        var tree = new JsonObject();
        tree.addProperty("apiVersion", owner.apiVersion());
        tree.addProperty("kind", owner.kind());
        tree.add("metadata", metadata);
        return KubeObject.owning(tree);
    }
}
