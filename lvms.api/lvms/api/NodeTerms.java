package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.NodeSelector;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A core/v1 NodeSelector as a value: two that ask for the same in the same words are equal.
 *
 * @param terms at least one of them has to match; without terms nothing does
 */
public record NodeTerms(List<Term> terms) {
    public NodeTerms {
        terms = List.copyOf(terms);
    }

    /**
     * One alternative.
     *
     * @param labels requirements on labels, all have to hold
     * @param fields requirements on fields, all have to hold
     */
    public record Term(List<Requirement> labels, List<Requirement> fields) {
        public Term {
            labels = List.copyOf(labels);
            fields = List.copyOf(fields);
        }

        private static Term of(ObjectTree tree) {
            return new Term(
                    Fields.objects(tree, "matchExpressions", Requirement::of),
                    Fields.objects(tree, "matchFields", Requirement::of));
        }

        private ObjectTree json() {
            var tree = ObjectTree.builder();
            if (!labels.isEmpty()) {
                tree.put("matchExpressions", Fields.array(labels, Requirement::json));
            }
            if (!fields.isEmpty()) {
                tree.put("matchFields", Fields.array(fields, Requirement::json));
            }
            return tree.build();
        }
    }

    /**
     * One requirement.
     *
     * @param key label key or field name
     * @param operator In, NotIn, Exists, DoesNotExist, Gt or Lt
     * @param values operands
     */
    public record Requirement(String key, String operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        private static Requirement of(ObjectTree tree) {
            return new Requirement(
                    Fields.text(tree, "key"), Fields.text(tree, "operator"), tree.texts("values"));
        }

        private ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("key", key);
            tree.put("operator", operator);
            if (!values.isEmpty()) {
                tree.put("values", ListTree.ofTexts(values));
            }
            return tree.build();
        }
    }

    /** Reads the JSON form. */
    public static NodeTerms of(ObjectTree tree) {
        return new NodeTerms(Fields.objects(tree, "nodeSelectorTerms", Term::of));
    }

    /** Returns the terms of all selectors together: what any of them matches. */
    public static NodeTerms anyOf(Collection<NodeTerms> selectors) {
        var all = new ArrayList<Term>();
        for (var selector : selectors) {
            all.addAll(selector.terms);
        }
        return new NodeTerms(all);
    }

    public ObjectTree json() {
        var array = ListTree.builder();
        terms.forEach(term -> array.add(term.json()));
        var tree = ObjectTree.builder();
        tree.put("nodeSelectorTerms", array.build());
        return tree.build();
    }

    /**
     * Returns whether a term matches the node.
     *
     * @throws IllegalArgumentException if an operator is unknown
     */
    public boolean matches(KubeObject node) {
        return NodeSelector.of(json()).matches(node);
    }
}
