package lvms.k8s.object;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.TextTree;
import lvms.k8s.tree.Tree;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * When two values of the API say the same. The server keeps a custom resource as it was written, so
 * {@code 1.5Gi} stays beside {@code 1536Mi}; a reconciler that compares the text writes for ever.
 * Only the fields that are named as quantities and times are compared by value: elsewhere {@code 1}
 * and {@code 1.0} are two texts. Absent and null are the same.
 */
public final class Equivalence {
    /** All values are compared as they are. */
    public static final Equivalence EXACT = new Equivalence(List.of());

    private static final String ANY = "*";

    private enum Kind {
        QUANTITY,
        TIME
    }

    private record Field(Kind kind, List<String> path) {
        Optional<Field> below(String name) {
            boolean fits =
                    !path.isEmpty()
                            && (path.getFirst().equals(ANY) || path.getFirst().equals(name));
            return fits
                    ? Optional.of(new Field(kind, path.subList(1, path.size())))
                    : Optional.empty();
        }
    }

    private final List<Field> fields;

    private Equivalence(List<Field> fields) {
        this.fields = fields;
    }

    /** Compares what is at the path as quantities; {@code *} stands for any member or element. */
    public Equivalence quantity(String... path) {
        return and(Kind.QUANTITY, path);
    }

    /** Compares what is at the path as points in time; {@code *} as in {@link #quantity}. */
    public Equivalence time(String... path) {
        return and(Kind.TIME, path);
    }

    private Equivalence and(Kind kind, String... path) {
        var field = new Field(kind, List.of(path));
        return new Equivalence(Stream.concat(fields.stream(), Stream.of(field)).toList());
    }

    private Equivalence below(String name) {
        return new Equivalence(
                fields.stream().flatMap(field -> field.below(name).stream()).toList());
    }

    /** Returns whether both say the same. */
    public boolean same(Tree one, Tree other) {
        if (one.equals(other)) {
            return true;
        }
        if (one instanceof ObjectTree a && other instanceof ObjectTree b) {
            return names(a, b).stream().allMatch(name -> below(name).same(a.at(name), b.at(name)));
        }
        if (one instanceof ListTree a && other instanceof ListTree b) {
            return a.size() == b.size() && sameElements(a, b);
        }
        return fields.stream()
                .filter(field -> field.path().isEmpty())
                .anyMatch(field -> same(field.kind(), one, other));
    }

    private boolean sameElements(ListTree a, ListTree b) {
        var elements = below(ANY);
        for (int i = 0; i < a.size(); i++) {
            if (!elements.same(a.at(i), b.at(i))) {
                return false;
            }
        }
        return true;
    }

    private static Set<String> names(ObjectTree a, ObjectTree b) {
        var names = new LinkedHashSet<>(a.members().keySet());
        names.addAll(b.members().keySet());
        return names;
    }

    private static boolean same(Kind kind, Tree one, Tree other) {
        return switch (kind) {
            case QUANTITY -> both(quantity(one), quantity(other));
            case TIME -> both(time(one), time(other));
        };
    }

    private static boolean both(Optional<?> one, Optional<?> other) {
        return one.isPresent() && one.equals(other);
    }

    private static Optional<Quantity> quantity(Tree tree) {
        try {
            return tree.isNull() ? Optional.empty() : Optional.of(Quantity.parse(tree));
        } catch (IllegalArgumentException _) {
            return Optional.empty(); // then only the same text is the same
        }
    }

    private static Optional<Instant> time(Tree tree) {
        return tree instanceof TextTree text ? Times.read(text.value()) : Optional.empty();
    }

    /**
     * Returns what has to be merged into {@code present} (RFC 7386), so that it says what {@code
     * wanted} says; empty if it does. Members that {@code wanted} lacks are removed.
     */
    public ObjectTree mergePatch(ObjectTree present, ObjectTree wanted) {
        var patch = ObjectTree.builder();
        for (var name : names(present, wanted)) {
            var before = present.at(name);
            var after = wanted.at(name);
            var within = below(name);
            if (within.same(before, after)) {
                continue;
            }
            boolean deeper = before instanceof ObjectTree && after instanceof ObjectTree;
            patch.put(
                    name,
                    deeper ? within.mergePatch((ObjectTree) before, (ObjectTree) after) : after);
        }
        return patch.build();
    }
}
