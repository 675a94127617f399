package lvms.operator.resize;

import lvms.k8s.client.MergePatch;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Merge patches of a claim's status while its attributes change. Each carries the resource version
 * it was computed from, since conditions are replaced as a whole.
 */
record ModifyStatus(KubeObject claim, Instant now) {
    private static final String MODIFYING = "ModifyingVolume";
    private static final String ERROR = "ModifyVolumeError";

    /** The class does not exist yet. */
    MergePatch pending(String className, String message) {
        return patch(progress(className, ModifyClaim.PENDING), error(message));
    }

    /** The node is about to be asked. */
    MergePatch begun(String className) {
        var condition = new Condition(MODIFYING, Condition.Status.TRUE, "", "", 0, now);
        return patch(progress(className, ModifyClaim.IN_PROGRESS), Optional.of(condition));
    }

    /** It could not be done, for good or for now. */
    MergePatch failed(String className, boolean infeasible, String message) {
        var progress = infeasible ? ModifyClaim.INFEASIBLE : ModifyClaim.IN_PROGRESS;
        return patch(progress(className, progress), error(message));
    }

    /** The volume has the attributes of the class. */
    MergePatch done(String className) {
        var status = ObjectTree.builder();
        status.put("currentVolumeAttributesClassName", className);
        status.put("modifyVolumeStatus", Tree.NULL);
        return patch(status, Optional.empty());
    }

    /** Nobody asks for it any more. */
    MergePatch cancelled() {
        var status = ObjectTree.builder();
        status.put("modifyVolumeStatus", Tree.NULL);
        return patch(status, Optional.empty());
    }

    private Optional<Condition> error(String message) {
        return Optional.of(new Condition(ERROR, Condition.Status.TRUE, "", message, 0, now));
    }

    private static ObjectTree.Builder progress(String className, String progress) {
        var modify = ObjectTree.builder();
        modify.put("targetVolumeAttributesClassName", className);
        modify.put("status", progress);
        return ObjectTree.builder().put("modifyVolumeStatus", modify.build());
    }

    private MergePatch patch(ObjectTree.Builder status, Optional<Condition> ours) {
        var conditions = new ArrayList<Condition>();
        for (var condition : claim.conditions()) {
            if (!condition.type().equals(MODIFYING) && !condition.type().equals(ERROR)) {
                conditions.add(condition);
            }
        }
        ours.map(c -> claim.condition(c.type()).map(c::after).orElse(c)).ifPresent(conditions::add);
        var array = ListTree.builder();
        conditions.forEach(condition -> array.add(condition.json()));
        status.put("conditions", array.build());
        return MergePatch.of(claim).ifUnchanged().status(status.build());
    }
}
