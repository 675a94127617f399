package lvms.api.nativestor;

import lvms.api.field.Fields;
import lvms.api.listing.LoopState;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How the storage of one node is.
 *
 * @param node name of the node
 * @param phase how the node is; empty before the first report
 * @param failClasses classes that could not be made
 * @param successClasses classes whose volume group exists
 * @param loops loop devices
 */
public record NodeStorageState(
        String node,
        Optional<Phase> phase,
        List<ClassState> failClasses,
        List<ClassState> successClasses,
        List<LoopState> loops) {
    public NodeStorageState {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(phase, "phase");
        failClasses = List.copyOf(failClasses);
        successClasses = List.copyOf(successClasses);
        loops = List.copyOf(loops);
    }

    /** Reads the JSON form. */
    public static NodeStorageState of(ObjectTree tree) {
        return new NodeStorageState(
                Fields.text(tree, "node"),
                Phase.find(Fields.text(tree, "phase")),
                Fields.objects(tree, "failClasses", ClassState::of),
                Fields.objects(tree, "successClasses", ClassState::of),
                Fields.objects(tree, "loops", LoopState::of));
    }

    /** Returns the JSON form; empty lists are left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("node", node);
        phase.ifPresent(p -> tree.put("phase", p.text()));
        if (!failClasses.isEmpty()) {
            tree.put("failClasses", Fields.array(failClasses, ClassState::json));
        }
        if (!successClasses.isEmpty()) {
            tree.put("successClasses", Fields.array(successClasses, ClassState::json));
        }
        if (!loops.isEmpty()) {
            tree.put("loops", Fields.array(loops, LoopState::json));
        }
        return tree.build();
    }
}
