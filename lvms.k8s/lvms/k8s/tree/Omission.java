package lvms.k8s.tree;

/**
 * A member that a reader checks and passes over: of the object that is member {@code parent} of
 * another, so many levels below the document, whose own level is 0.
 */
public record Omission(int level, String parent, String member) {
    /** Everything is read. */
    public static final Omission NOTHING = new Omission(-1, "", "");

    /** Returns whether the object that follows these names, at this level, has the member. */
    boolean isWithin(int depth, String[] names, int count) {
        return depth == level && count > 0 && names[count - 1].equals(parent);
    }
}
