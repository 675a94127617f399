package lvms.operator.nativestor;

import lvms.api.NodeTerms.Requirement;
import lvms.k8s.object.Names;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Toleration;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.k8s.yaml.YamlException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The grammars of NativeStor's values. Each method throws IllegalArgumentException with why. */
final class Grammar {
    private static final Set<String> OPERATORS = Set.of("", "Equal", "Exists");
    private static final Set<String> EFFECTS =
            Set.of("", "NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final Set<String> RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");

    private Grammar() {}

    /** Reads a flag as Go does. */
    static boolean flag(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            case "0", "f", "F", "false", "FALSE", "False" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "\"" + text + "\" is neither true nor false");
        };
    }

    /** Reads a YAML list of tolerations. Without a key it tolerates every taint. */
    static List<Toleration> tolerations(String text) {
        var tolerations = new ArrayList<Toleration>();
        for (var element : list(text)) {
            tolerations.add(completed(Toleration.of(element)));
        }
        return tolerations;
    }

    private static Toleration completed(Toleration given) {
        var operator = given.key().isEmpty() ? "Exists" : given.operator();
        var value = operator.equals("Exists") ? "" : given.value();
        require(OPERATORS.contains(operator), operator, "is no operator of a toleration");
        require(EFFECTS.contains(given.effect()), given.effect(), "is no effect of a taint");
        require(
                given.key().isEmpty() || Names.isLabelKey(given.key()),
                given.key(),
                "cannot be the key of a taint");
        require(
                value.isEmpty() || Names.isLabelName(value),
                value,
                "cannot be the value of a taint");
        require(
                given.seconds().isEmpty() || given.effect().equals("NoExecute"),
                given.key(),
                "has tolerationSeconds, which are for effect NoExecute alone");
        return new Toleration(given.key(), operator, value, given.effect(), given.seconds());
    }

    /** Reads {@code key=value,value; key}: all requirements have to hold. */
    static List<Requirement> affinity(String text) {
        var requirements = new ArrayList<Requirement>();
        for (var part : text.split(";")) {
            if (!part.isBlank()) {
                requirements.add(requirement(part.strip()));
            }
        }
        return requirements;
    }

    private static Requirement requirement(String text) {
        int equals = text.indexOf('=');
        var key = (equals < 0 ? text : text.substring(0, equals)).strip();
        require(Names.isLabelKey(key), key, "cannot be the key of a label");
        if (equals < 0) {
            return new Requirement(key, "Exists", List.of());
        }
        var values =
                Arrays.stream(text.substring(equals + 1).split(",")).map(String::strip).toList();
        for (var value : values) {
            require(
                    value.isEmpty() || Names.isLabelName(value),
                    value,
                    "cannot be the value of a label");
        }
        return new Requirement(key, "In", values);
    }

    /** Reads a YAML list of containers with their resources; returns the sum of their requests. */
    static Map<String, Quantity> requests(String text) {
        var sums = new LinkedHashMap<String, Quantity>();
        for (var container : list(text)) {
            if (container.text("name").isEmpty()) {
                throw new IllegalArgumentException("a container has no name");
            }
            var resource = container.object("resource").orElse(ObjectTree.EMPTY);
            quantities(resource.object("limits"));
            quantities(resource.object("requests"))
                    .forEach((name, amount) -> sums.merge(name, amount, Grammar::sum));
        }
        return sums;
    }

    /** Returns whether a container of the list has limits. */
    static boolean limits(String text) {
        return list(text).stream()
                .anyMatch(
                        container ->
                                container
                                        .object("resource")
                                        .flatMap(resource -> resource.object("limits"))
                                        .isPresent());
    }

    private static Map<String, Quantity> quantities(Optional<ObjectTree> resources) {
        var quantities = new LinkedHashMap<String, Quantity>();
        resources.ifPresent(
                tree -> tree.members().forEach((n, q) -> quantities.put(n, Quantity.parse(q))));
        quantities.forEach(
                (name, amount) -> {
                    require(RESOURCES.contains(name), name, "is no resource of a container");
                    require(
                            amount.compareTo(Quantity.ZERO) >= 0,
                            amount.toString(),
                            "is less than nothing");
                });
        return quantities;
    }

    /** What the API server would refuse would keep the whole DaemonSet from changing. */
    private static void require(boolean holds, String word, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException("\"" + word + "\" " + complaint);
        }
    }

    static Quantity sum(Quantity one, Quantity other) {
        return new Quantity(one.value().add(other.value()), one.format());
    }

    private static List<ObjectTree> list(String text) {
        var tree = yaml(text);
        if (tree.isNull()) {
            return List.of();
        }
        if (!(tree instanceof ListTree list)) {
            throw new IllegalArgumentException("expected a YAML list");
        }
        var elements = new ArrayList<ObjectTree>();
        for (var element : list.elements()) {
            if (!(element instanceof ObjectTree object)) {
                throw new IllegalArgumentException("expected mappings in the list");
            }
            elements.add(object);
        }
        return elements;
    }

    private static Tree yaml(String text) {
        try {
            return Yaml.read(text);
        } catch (YamlException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Reads a level of NativeStor's logger; returns our word for it. */
    static String level(String text) {
        return switch (text) {
            case "CRITICAL", "ERROR" -> "error";
            case "WARNING" -> "warning";
            case "NOTICE", "INFO" -> "info";
            case "DEBUG" -> "debug";
            case "TRACE" -> "trace";
            default ->
                    throw new IllegalArgumentException(
                            "\""
                                    + text
                                    + "\" is none of CRITICAL, ERROR, WARNING, NOTICE, INFO, DEBUG,"
                                    + " TRACE");
        };
    }
}
