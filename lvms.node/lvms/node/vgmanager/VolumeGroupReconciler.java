package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.FirstRound;

import java.io.IOException;

/**
 * Decides whether an LVMVolumeGroup concerns this node, and manages the finalizer, which is set
 * before the first change to a disk and removed after the last.
 *
 * @param objects the LVMVolumeGroups
 * @param status the node status
 * @param firstRound counts the passes
 * @param convergence makes a group what the user wants
 * @param removal removes a group whose object is deleted
 */
record VolumeGroupReconciler(
        GroupObjects objects,
        NodeStatus status,
        FirstRound firstRound,
        GroupConvergence convergence,
        GroupRemoval removal)
        implements Reconciler {
    @Override
    public Result reconcile(ObjectKey key)
            throws IOException, LvmException, ApiException, InterruptedException {
        boolean toBeRepeated = false;
        try {
            var object = objects.find(key);
            var result = object.isPresent() ? reconcile(object.get()) : Result.done();
            toBeRepeated = result instanceof Result.Requeue;
            return result;
        } finally {
            if (!toBeRepeated) { // one that fails must not keep the others' volumes waiting
                firstRound.passed(key);
            }
        }
    }

    private Result reconcile(KubeObject object)
            throws IOException, LvmException, ApiException, InterruptedException {
        LvmVolumeGroup group;
        try {
            group = LvmVolumeGroup.of(object);
        } catch (IllegalArgumentException e) {
            return Result.terminal("LVMVolumeGroup cannot be read: " + e.getMessage());
        }
        boolean marked = objects.marked(group);
        if (object.terminating()) {
            return marked ? remove(group) : Result.done();
        }
        // A node that a label change has taken out of the selector keeps what it has: volumes may
        // be in use. It takes nothing more, and cleans up when the object is deleted.
        if (!objects.wants(group)) {
            if (marked) {
                convergence.keep(group, objects.contenders());
            }
            return Result.done();
        }
        if (status.read().isEmpty()) {
            return Result.requeue(); // the operator makes it; its watch wakes us at once
        }
        return convergence.run(objects.mark(group), objects.contenders());
    }

    private Result remove(LvmVolumeGroup group)
            throws IOException, LvmException, ApiException, InterruptedException {
        var later = removal.run(group, objects.contenders());
        if (later.isPresent()) {
            return later.get();
        }
        if (status.read().isPresent()) {
            status.remove(group.object());
        }
        objects.unmark(group);
        return Result.done();
    }
}
