package lvms.k8s.tree;

/** JSON's null; the only instance is {@link Tree#NULL}. */
public enum NullTree implements Tree {
    INSTANCE;

    @Override
    public String toString() {
        return "null";
    }
}
