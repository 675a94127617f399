package lvms.tests.lab.standin;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

/** Short notation for the trees that patches are made of. */
public final class Trees {
    private Trees() {}

    /**
     * An object of alternating names and values; a value is text, a number, a boolean or a tree.
     */
    public static ObjectTree object(Object... namesAndValues) {
        var object = ObjectTree.builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], element(namesAndValues[i + 1]));
        }
        return object.build();
    }

    public static ListTree list(Object... values) {
        var list = ListTree.builder();
        for (var value : values) {
            list.add(element(value));
        }
        return list.build();
    }

    private static Tree element(Object value) {
        return switch (value) {
            case Tree tree -> tree;
            case String text -> Tree.of(text);
            case Integer number -> Tree.of(number);
            case Long number -> Tree.of(number);
            case Boolean flag -> Tree.of(flag);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }
}
