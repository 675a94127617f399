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
import java.util.Optional;

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
        implements Reconciler<ObjectKey> {
    @Override
    public Result reconcile(ObjectKey key)
            throws IOException, LvmException, ApiException, InterruptedException {
        boolean toBeRepeated = false;
        try {
            var object = objects.find(key);
            var result = object.isPresent() ? reconcile(object.get()) : forget();
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
        var refusal = objects.rivals().refusal(group);
        if (object.terminating()) {
            return marked ? remove(group, refusal.isEmpty()) : Result.done();
        }
        // A node that a label change has taken out of the selector keeps what it has: volumes may
        // be in use. It takes nothing more, and cleans up when the object is deleted.
        if (!objects.wants(group)) {
            if (marked) {
                convergence.keep(group, objects.contenders());
            }
            return forget();
        }
        if (status.read().isEmpty()) {
            return Result.requeue(); // the operator makes it; its watch wakes us at once
        }
        if (refusal.isPresent()) {
            return convergence.refuse(group, refusal.get());
        }
        return convergence.run(objects.mark(group), objects.contenders());
    }

    /** Nothing is left of a group that never had a device but what was said about it. */
    private Result forget() throws ApiException, InterruptedException {
        if (status.read().isPresent()) {
            status.forgetAllBut(objects.rivals().groups());
        }
        return Result.done();
    }

    /**
     * @param own whether class and volume group are this group's, and not those of another one
     */
    private Result remove(LvmVolumeGroup group, boolean own)
            throws IOException, LvmException, ApiException, InterruptedException {
        var later = own ? removal.run(group, objects.contenders()) : Optional.<Result>empty();
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
