package lvms.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.NodeSelector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A core/v1 NodeSelector as a value: two that ask the same in the same words are equal.
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

        private static Term of(JsonObject tree) {
            return new Term(
                    Fields.objects(tree, "matchExpressions", Requirement::of),
                    Fields.objects(tree, "matchFields", Requirement::of));
        }

        private JsonObject json() {
            var tree = new JsonObject();
            if (!labels.isEmpty()) {
                tree.add("matchExpressions", Fields.array(labels, Requirement::json));
            }
            if (!fields.isEmpty()) {
                tree.add("matchFields", Fields.array(fields, Requirement::json));
            }
            return tree;
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

        private static Requirement of(JsonObject tree) {
            return new Requirement(
                    Fields.text(tree, "key"),
                    Fields.text(tree, "operator"),
                    Fields.texts(tree, "values"));
        }

        private JsonObject json() {
            var tree = new JsonObject();
            tree.addProperty("key", key);
            tree.addProperty("operator", operator);
            if (!values.isEmpty()) {
                tree.add("values", Fields.array(values));
            }
            return tree;
        }
    }

    /** Reads the JSON form. */
    public static NodeTerms of(JsonObject tree) {
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

    public JsonObject json() {
        var array = new JsonArray();
        terms.forEach(term -> array.add(term.json()));
        var tree = new JsonObject();
        tree.add("nodeSelectorTerms", array);
        return tree;
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
