package lvms.api.nativestor;

import lvms.api.field.Fields;
import lvms.k8s.object.Condition;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the operator reports about a TopolvmCluster.
 *
 * @param phase how it is; empty before the first report
 * @param nodesReady nodes that are Ready, of all: {@code 2/3}
 * @param nodes one entry for each node, by name
 * @param conditions what NativeStor had no place for
 */
public record TopolvmClusterStatus(
        Optional<Phase> phase,
        String nodesReady,
        List<NodeStorageState> nodes,
        List<Condition> conditions) {
    /** Nothing was reported yet. */
    public static final TopolvmClusterStatus NONE = of(ObjectTree.EMPTY);

    public TopolvmClusterStatus {
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(nodesReady, "nodesReady");
        nodes = List.copyOf(nodes);
        conditions = List.copyOf(conditions);
    }

    /** Reads the JSON form. */
    public static TopolvmClusterStatus of(ObjectTree tree) {
        var conditions = tree.at("conditions") instanceof ListTree list ? list : ListTree.EMPTY;
        return new TopolvmClusterStatus(
                Phase.find(Fields.text(tree, "phase")),
                Fields.text(tree, "nodesReady"),
                Fields.objects(tree, "nodeStorageState", NodeStorageState::of),
                Condition.listOf(conditions));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        phase.ifPresent(p -> tree.put("phase", p.text()));
        Fields.addText(tree, "nodesReady", nodesReady);
        tree.put("nodeStorageState", Fields.array(nodes, NodeStorageState::json));
        tree.put("conditions", Fields.array(conditions, Condition::json));
        return tree.build();
    }
}
