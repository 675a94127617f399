package lvms.k8s.tree;

/** The null of JSON; there is one, {@link Tree#NULL}. */
public enum NullTree implements Tree {
    INSTANCE;

    @Override
    public String toString() {
        return "null";
    }
}
