package lvms.k8s.typed;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Carries a change of what a codec knows over to the whole tree. What is the same before and after
 * stays as it is in the tree, with all that the codec does not know.
 */
final class Merge {
    /** What distinguishes the elements of the lists of Kubernetes, the most telling first. */
    private static final List<String> KEYS =
            List.of("name", "uid", "key", "type", "mountPath", "containerPort", "port", "ip");

    private Merge() {}

    /**
     * Returns the tree with the change.
     *
     * @param before what the codec read of the tree
     * @param after what it is to be
     */
    static ObjectTree of(ObjectTree tree, ObjectTree before, ObjectTree after) {
        var merged = tree.toBuilder();
        for (var name : before.members().keySet()) {
            if (!after.has(name)) {
                merged.remove(name);
            }
        }
        for (var member : after.members().entrySet()) {
            var name = member.getKey();
            var former = before.at(name);
            if (!before.has(name) || !former.equals(member.getValue())) {
                merged.put(name, of(tree.at(name), former, member.getValue()));
            }
        }
        return merged.build();
    }

    private static Tree of(Tree tree, Tree before, Tree after) {
        if (tree instanceof ObjectTree t && after instanceof ObjectTree a) {
            return of(t, before instanceof ObjectTree b ? b : ObjectTree.EMPTY, a);
        }
        if (tree instanceof ListTree t
                && before instanceof ListTree b
                && after instanceof ListTree a) {
            return of(t, b, a);
        }
        return after;
    }

    /** An element that was there before takes what the codec does not know of it along. */
    private static ListTree of(ListTree tree, ListTree before, ListTree after) {
        if (tree.size() != before.size()) {
            return after; // the codec leaves elements out, so none of them can be told
        }
        var left = new ArrayList<Integer>();
        for (int i = 0; i < before.size(); i++) {
            left.add(i);
        }
        var merged = ListTree.builder();
        for (var element : after) {
            var former = former(element, before, left);
            former.ifPresent(i -> left.remove((Object) i));
            merged.add(former.map(i -> of(tree.at(i), before.at(i), element)).orElse(element));
        }
        return merged.build();
    }

    private static Optional<Integer> former(Tree element, ListTree before, List<Integer> left) {
        var equal = left.stream().filter(i -> before.at(i).equals(element)).findFirst();
        if (equal.isPresent() || !(element instanceof ObjectTree object)) {
            return equal;
        }
        for (var key : KEYS) {
            if (object.has(key)) {
                return left.stream()
                        .filter(i -> before.at(i) instanceof ObjectTree b)
                        .filter(i -> before.at(i).asObject().at(key).equals(object.at(key)))
                        .findFirst();
            }
        }
        return Optional.empty();
    }
}
