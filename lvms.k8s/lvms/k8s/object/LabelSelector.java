package lvms.k8s.object;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A test on labels: all of its requirements must hold; without any, everything passes. */
public final class LabelSelector {
    /** Selects everything. */
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private final List<LabelRequirement> requirements;

    private LabelSelector(List<LabelRequirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    public static LabelSelector of(List<LabelRequirement> requirements) {
        return new LabelSelector(requirements);
    }

    /**
     * Reads the JSON form, {@code matchLabels} and {@code matchExpressions}.
     *
     * @throws IllegalArgumentException if an operator is unknown or its values do not fit
     */
    public static LabelSelector of(ObjectTree tree) {
        var requirements = new ArrayList<LabelRequirement>();
        if (tree.at("matchLabels") instanceof ObjectTree labels) {
            for (var label : labels.members().entrySet()) {
                var value = label.getValue().text().orElse("");
                requirements.add(
                        new LabelRequirement(
                                label.getKey(), LabelRequirement.Operator.IN, List.of(value)));
            }
        }
        requirements.addAll(expressions(tree.at("matchExpressions")));
        return new LabelSelector(requirements);
    }

    static List<LabelRequirement> expressions(Tree list) {
        var requirements = new ArrayList<LabelRequirement>();
        if (list instanceof ListTree array) {
            for (var element : array) {
                requirements.add(expression(element.asObject()));
            }
        }
        return requirements;
    }

    private static LabelRequirement expression(ObjectTree tree) {
        var values = new ArrayList<String>();
        if (tree.at("values") instanceof ListTree array) {
            for (var value : array) {
                values.add(value.asText());
            }
        }
        return new LabelRequirement(
                tree.text("key").orElse(""),
                LabelRequirement.Operator.of(tree.text("operator").orElse("")),
                values);
    }

    /**
     * Reads the text form, such as {@code a=b,c in (d,e),!f}.
     *
     * @throws IllegalArgumentException naming the position of the first error
     */
    public static LabelSelector parse(String text) {
        return new LabelSelector(new LabelSelectorParser(text).parse());
    }

    /** Returns whether the labels pass. */
    public boolean matches(Map<String, String> labels) {
        for (var requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    public List<LabelRequirement> requirements() {
        return requirements;
    }

    /** Returns the text form, which a list or watch takes. */
    @Override
    public String toString() {
        var parts = new ArrayList<String>(requirements.size());
        for (var requirement : requirements) {
            parts.add(requirement.toString());
        }
        return String.join(",", parts);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LabelSelector s && requirements.equals(s.requirements);
    }

    @Override
    public int hashCode() {
        return requirements.hashCode();
    }
}
