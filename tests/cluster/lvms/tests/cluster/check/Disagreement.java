package lvms.tests.cluster.check;

/**
 * Two places that tell different stories.
 *
 * @param kind what it means
 * @param place where it was seen: a node, or an object
 * @param text what was seen and what should be
 */
public record Disagreement(Kind kind, String place, String text) {
    /** What a disagreement means. */
    public enum Kind {
        /** Something that a user was promised is not there. */
        LOST,
        /** Something is left that nothing refers to. */
        LEAKED,
        /** What kubelet may leave of a pod after a fault, and what goes with the volume. */
        FORGOTTEN,
        /** There are two of something that may exist once. */
        DUPLICATE,
        /** Both sides are there, and differ. */
        DIFFERENT,
        /** Something was begun and is not done. */
        UNFINISHED
    }

    @Override
    public String toString() {
        return kind + " " + place + ": " + text;
    }
}
