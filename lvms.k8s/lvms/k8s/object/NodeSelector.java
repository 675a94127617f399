package lvms.k8s.object;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A test on nodes: at least one of its terms must hold, with all of its requirements.
 *
 * <p>As in the scheduler, a selector without terms and a term without requirements match nothing.
 */
public final class NodeSelector {
    private final List<Term> terms;

    private record Term(List<LabelRequirement> labels, List<LabelRequirement> fields) {
        boolean matches(KubeObject node) {
            if (labels.isEmpty() && fields.isEmpty()) {
                return false;
            }
            var nodeLabels = node.labels();
            for (var requirement : labels) {
                if (!requirement.matches(nodeLabels)) {
                    return false;
                }
            }
            for (var requirement : fields) {
                if (!requirement.matches(field(requirement.key(), node))) {
                    return false;
                }
            }
            return true;
        }

        private static Optional<String> field(String key, KubeObject node) {
            // the only field that Kubernetes supports here
            return key.equals("metadata.name") ? Optional.of(node.name()) : Optional.empty();
        }
    }

    private NodeSelector(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /**
     * Reads the JSON form, {@code nodeSelectorTerms[]{matchExpressions, matchFields}}.
     *
     * @throws IllegalArgumentException if an operator is unknown or its values do not fit
     */
    public static NodeSelector of(ObjectTree tree) {
        var terms = new ArrayList<Term>();
        if (tree.at("nodeSelectorTerms") instanceof ListTree array) {
            for (var element : array) {
                terms.add(term(element));
            }
        }
        return new NodeSelector(terms);
    }

    private static Term term(Tree element) {
        if (!(element instanceof ObjectTree term)) {
            throw new IllegalArgumentException("node selector term is not an object");
        }
        return new Term(
                LabelSelector.expressions(term.at("matchExpressions")),
                LabelSelector.expressions(term.at("matchFields")));
    }

    /** Returns whether the node passes. */
    public boolean matches(KubeObject node) {
        for (var term : terms) {
            if (term.matches(node)) {
                return true;
            }
        }
        return false;
    }
}
