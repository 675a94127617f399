package lvms.operator.resize;

import lvms.k8s.client.MergePatch;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.operator.resize.ResizeClaim.Stage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Merge patches of a claim's status. Each carries the resource version it was computed from, since
 * conditions are replaced as a whole.
 */
final class ResizeStatus {
    private static final Set<String> OURS =
            Arrays.stream(ResizeCondition.values())
                    .map(ResizeCondition::type)
                    .collect(Collectors.toUnmodifiableSet());

    private final KubeObject claim;
    private final Instant now;
    private final ObjectTree.Builder status = ObjectTree.builder();

    private ResizeStatus(KubeObject claim, Instant now) {
        this.claim = claim;
        this.now = now;
    }

    /** The controller's part begins. */
    static MergePatch growing(KubeObject claim, long bytes, Instant now) {
        return new ResizeStatus(claim, now)
                .stage(Stage.CONTROLLER_IN_PROGRESS)
                .allocated(bytes)
                .condition(ResizeCondition.RESIZING, "")
                .patch();
    }

    /** The node's part is due. */
    static MergePatch nodePending(KubeObject claim, long bytes, Instant now) {
        return new ResizeStatus(claim, now)
                .stage(Stage.NODE_PENDING)
                .allocated(bytes)
                .condition(
                        ResizeCondition.FILESYSTEM_PENDING,
                        "Waiting for user to (re-)start a pod to finish file system resize of"
                                + " volume on node.")
                .patch();
    }

    /** Nothing is left to do. */
    static MergePatch finished(KubeObject claim, long bytes, Instant now) {
        var status = new ResizeStatus(claim, now).noConditions();
        var capacity = ObjectTree.builder();
        capacity.put("storage", Quantity.ofBytes(bytes).toString());
        status.status.put("capacity", capacity.build());
        status.status.put("allocatedResourceStatuses", Tree.NULL);
        return status.allocated(bytes).patch();
    }

    /** The controller's part failed for good, or in a way that will be tried again. */
    static MergePatch failed(KubeObject claim, boolean infeasible, String message, Instant now) {
        var status = new ResizeStatus(claim, now).condition(ResizeCondition.ERROR, message);
        return (infeasible ? status.stage(Stage.CONTROLLER_INFEASIBLE) : status).patch();
    }

    private ResizeStatus stage(Stage stage) {
        var stages = ObjectTree.builder();
        stages.put("storage", stage.text());
        status.put("allocatedResourceStatuses", stages.build());
        return this;
    }

    private ResizeStatus allocated(long bytes) {
        var resources = ObjectTree.builder();
        resources.put("storage", Quantity.ofBytes(bytes).toString());
        status.put("allocatedResources", resources.build());
        return this;
    }

    private ResizeStatus condition(ResizeCondition which, String message) {
        var wanted = new Condition(which.type(), Condition.Status.TRUE, "", message, 0, now);
        var conditions = new ArrayList<>(others());
        var former = claim.condition(which.type());
        conditions.add(former.isPresent() ? wanted.after(former.get()) : wanted);
        return conditions(conditions);
    }

    private ResizeStatus noConditions() {
        return conditions(others());
    }

    private List<Condition> others() {
        return claim.conditions().stream().filter(c -> !OURS.contains(c.type())).toList();
    }

    private ResizeStatus conditions(List<Condition> conditions) {
        var array = ListTree.builder();
        conditions.forEach(condition -> array.add(condition.json()));
        status.put("conditions", array.build());
        return this;
    }

    private MergePatch patch() {
        return MergePatch.of(claim).ifUnchanged().status(status.build());
    }
}
