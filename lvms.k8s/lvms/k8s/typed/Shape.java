package lvms.k8s.typed;

import lvms.k8s.tree.Tree;

import java.util.Optional;

/** How one Java type looks as a tree. */
interface Shape {
    /**
     * Returns the value of a tree, which is null if the field is absent.
     *
     * @param path of the field, for failures
     */
    Object read(Tree tree, String path);

    /** Returns the tree of a value; empty if the field is left out. */
    Optional<Tree> write(Object value);
}
