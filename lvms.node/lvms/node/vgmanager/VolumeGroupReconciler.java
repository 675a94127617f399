package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.util.Collection;

/**
 * Decides whether this node has anything to do with an LVMVolumeGroup, and sees to the finalizer:
 * set before the first change of a disk, removed after the last.
 *
 * @param parts what passes work with
 */
record VolumeGroupReconciler(VolumeGroupParts parts) implements Reconciler {
    @Override
    public Result reconcile(ObjectKey key)
            throws IOException, LvmException, ApiException, InterruptedException {
        boolean toBeRepeated = false;
        try {
            var object = parts.objects().find(key);
            var result = object.isPresent() ? reconcile(object.get()) : Result.done();
            toBeRepeated = result instanceof Result.Requeue;
            return result;
        } finally {
            if (!toBeRepeated) { // one that fails must not keep the others' volumes waiting
                parts.firstRound().passed(key);
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
        boolean marked = parts.objects().marked(group);
        if (object.terminating()) {
            return marked ? remove(group) : Result.done();
        }
        // A node that a label change has taken out of the selector keeps what it has: volumes may
        // be in use. It takes nothing more, and cleans up when the object goes.
        if (!parts.objects().wants(group)) {
            return Result.done();
        }
        if (parts.status().read().isEmpty()) {
            return Result.requeue(); // the operator makes it; its watch wakes us at once
        }
        var passed = new VolumeGroupPass(parts.objects().mark(group), contenders(), parts);
        return passed.converge();
    }

    private Result remove(LvmVolumeGroup group)
            throws IOException, LvmException, ApiException, InterruptedException {
        var later = new VolumeGroupPass(group, contenders(), parts).remove();
        if (later.isPresent()) {
            return later.get();
        }
        if (parts.status().read().isPresent()) {
            parts.status().remove(group.object());
        }
        parts.objects().unmark(group);
        return Result.done();
    }

    private Collection<LvmVolumeGroup> contenders() {
        return parts.objects().contenders();
    }
}
