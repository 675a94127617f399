package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.node.vgmanager.plan.Rivals;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The LVMVolumeGroups, with the finalizer and the annotation that this node sets on them.
 *
 * @param informer cache of the LVMVolumeGroups of our namespace
 * @param nodes cache that holds the Node object of this node
 * @param nodeName name of this node
 * @param clock tells when devices were wiped
 */
record GroupObjects(Informer informer, Informer nodes, String nodeName, InstantSource clock) {
    Optional<KubeObject> find(ObjectKey key) {
        return informer.get(key);
    }

    /** Returns whether the node selector of the group matches this node. */
    boolean wants(LvmVolumeGroup group) {
        var node = nodes.get(ObjectKey.cluster(nodeName));
        return node.isPresent()
                && group.spec().group().nodeSelector().map(s -> s.matches(node.get())).orElse(true);
    }

    /** Returns whether this node has begun something that it must clean up. */
    boolean marked(LvmVolumeGroup group) {
        return group.object().finalizers().contains(Names.nodeCleanupFinalizer(nodeName));
    }

    /** Returns the groups that may contend for this node's devices. */
    Collection<LvmVolumeGroup> contenders() {
        return rivals().accepted().stream()
                .filter(group -> !group.object().terminating())
                .filter(this::wants)
                .toList();
    }

    /**
     * Returns the groups that are wanted here or of which this node has something: volumes stay in
     * use on a node that is no longer selected, and while the group waits to be removed.
     */
    Rivals rivals() {
        var groups =
                informer.list().stream()
                        .flatMap(object -> readable(object).stream())
                        .filter(group -> marked(group) || wants(group))
                        .toList();
        return new Rivals(groups, nodeName);
    }

    /** Skips objects that cannot be read: each gets its own pass, which says so. */
    private static List<LvmVolumeGroup> readable(KubeObject object) {
        try {
            return List.of(LvmVolumeGroup.of(object));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    LvmVolumeGroup mark(LvmVolumeGroup group) throws ApiException, InterruptedException {
        if (marked(group)) {
            return group;
        }
        return LvmVolumeGroup.of(
                informer.addFinalizer(group.object(), Names.nodeCleanupFinalizer(nodeName)));
    }

    void unmark(LvmVolumeGroup group) throws ApiException, InterruptedException {
        informer.removeFinalizer(group.object(), Names.nodeCleanupFinalizer(nodeName));
    }

    /**
     * Notes that this node's devices must not be wiped any more.
     *
     * @param why what happened, for people
     */
    void markWiped(LvmVolumeGroup group, String why) throws ApiException, InterruptedException {
        informer.patch(
                MergePatch.of(group.object())
                        .annotation(
                                Names.wipedAnnotation(nodeName), why + " at " + clock.instant()));
    }
}
